import { ParseOption, XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';
import type { AuditHeader, AuditReturn, Finding } from '../audit-file.ts';
import { type AuditColumns, articleColumns, columnOf, headerColumns, orderColumns, returnColumns } from './audit-columns.ts';
import { amount } from './column-kinds.ts';
import { standIns } from './frame.ts';
import { ENCODING, encodeText } from './windows-1251.ts';
import { headerXml, orderBytes, type RenderedOrder, returnXml } from './write-audit-file.ts';

/** `line`: in the text that was checked, from 1. `wellFormed` is false if the text is no XML; then it was not validated. */
export type SchemaProblem = { line: number; words: string; advice: string; wellFormed: boolean };

// No entity is expanded, nothing is fetched; texts with a document type never get here anyway.
const PARSE = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_BIG_LINES | ParseOption.XML_PARSE_COMPACT;

/** Validates texts against a schema of the audit file, by default ours. Owns memory outside of JavaScript's: dispose of it. */
export class AuditValidator implements Disposable {
  readonly #schema: XsdValidator;

  constructor(schema: string | Uint8Array = auditSchema) {
    const parsed = parse(schema);
    try {
      this.#schema = XsdValidator.fromDoc(parsed);
    } finally {
      parsed.dispose();
    }
  }

  /** The problems of a whole audit file, by line; empty if it is valid. Bytes are read in the encoding that they declare. */
  validate(xml: string | Uint8Array): SchemaProblem[] {
    let document: XmlDocument | undefined;
    try {
      document = parse(xml);
      this.#schema.validate(document);
      return [];
    } catch (thrown) {
      return problemsOf(thrown, document !== undefined);
    } finally {
      document?.dispose();
    }
  }

  [Symbol.dispose](): void {
    this.#schema.dispose();
  }
}

function parse(xml: string | Uint8Array): XmlDocument {
  // Encoding text to UTF-8 is ten times as fast in Node as in the library.
  return XmlDocument.fromBuffer(typeof xml === 'string' ? Buffer.from(xml) : xml, { option: PARSE });
}

function problemsOf(thrown: unknown, wellFormed: boolean): SchemaProblem[] {
  if (!(thrown instanceof XmlLibError) || thrown.details.length === 0) throw thrown;
  return thrown.details.map(({ line, message }) => ({ line, ...schemaWords(message), wellFormed }));
}

export type AuditBlock = { header: AuditHeader; orders: readonly RenderedOrder[]; returns: readonly AuditReturn[] };

/** A few hundred orders of a large file as a small file, with a buffer of its own, and the numbers of its orders and returns. */
type SmallFile = { xml: Uint8Array<ArrayBuffer>; numbers: readonly (string | null)[] };

/** Memory does not grow with the file. Without orders a valid stand-in is used. Throws RangeError as `writeAuditFile` does. */
export function smallFile({ header, orders, returns }: AuditBlock): SmallFile {
  const list = orders.length === 0 ? [encodeText(`${standIns.order}\n`)] : orders.map(orderBytes);
  const begin = encodeText(`<?xml version="1.0" encoding="${ENCODING}"?>\n<audit>\n${headerXml(header)}<order>\n`);
  const end = encodeText(`</order>\n<rorder>\n${returns.map(returnXml).join('')}</rorder>\n</audit>`);
  return {
    xml: joined([begin, ...list, end]),
    numbers: [...(orders.length === 0 ? [null] : orders.map(({ number }) => number)), ...returns.map(({ number }) => number)],
  };
}

/** Unlike that of `Buffer.concat`, its memory is nobody else's, so that it can be handed to another thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A problem of a `SmallFile`: which of its orders and returns it is about, from 0; null if about none. */
export type BlockProblem = Pick<SchemaProblem, 'words' | 'advice'> & { item: number | null };

export function blockProblems(validator: AuditValidator, xml: Uint8Array): BlockProblem[] {
  const problems = validator.validate(xml);
  if (problems.length === 0) return [];
  const owners = ownersOf(new TextDecoder(ENCODING).decode(xml));
  return problems.map(({ line, words, advice }) => ({ words, advice, item: owners[line - 1] ?? null }));
}

/** Of each line. Texts are escaped, so that no other line begins or ends an order or return. */
function ownersOf(text: string): (number | null)[] {
  let items = 0;
  let inside = false;
  return text.split('\n').map((line) => {
    if (/^<r?orderenum>/.test(line)) [items, inside] = [items + 1, true];
    const owner = inside ? items - 1 : null;
    if (/<\/r?orderenum>$/.test(line)) inside = false;
    return owner;
  });
}

/** Findings name orders, not lines. */
export function findingsOfBlock(problems: readonly BlockProblem[], numbers: SmallFile['numbers']): Finding[] {
  return problems.map(({ item, words, advice }) => {
    const order = item === null ? null : (numbers[item] ?? null);
    return { level: 'error', rule: 'schema.violation', line: null, order, words, advice };
  });
}

/** Validates a few hundred orders of a large file. */
export function validateBlock(validator: AuditValidator, block: AuditBlock): Finding[] {
  const { xml, numbers } = smallFile(block);
  return findingsOfBlock(blockProblems(validator, xml), numbers);
}

type ErrorText = { words: string; advice: string };

const LONGEST = 300;

const REPAIR = 'Make the file anew; if it was edited by hand, repair this place.';

/** The messages of libxml2 in our words. Each pattern matches a message of its parser or schema validator; its groups are the parts. */
const patterns: readonly { message: RegExp; say(parts: readonly string[]): ErrorText }[] = [
  {
    message: /^Opening and ending tag mismatch: (\S+) line \d+ and (\S+)/,
    say: ([opened, closed]) => ({ words: `<${opened}> is not closed before </${closed}>`, advice: REPAIR }),
  },
  {
    message: /^Premature end of data in tag (\S+) line \d+/,
    say: ([opened]) => ({ words: `<${opened}> is not closed before the end`, advice: REPAIR }),
  },
  {
    message: /^Element '(.+?)': Missing child element\(s\)\. Expected is (?:one of )?\( (.+) \)/,
    say: ([element, missing = '']) => ({ words: `<${element}> lacks ${withoutOptional(missing)}`, advice: 'Add what is missing.' }),
  },
  {
    message: /^Element '(.+?)': This element is not expected\.(?: Expected is (?:one of )?\( (.+) \))?/,
    say: ([element = '', expected]) => ({
      words: `<${element}> is not expected here${expected === undefined ? '' : `; expected: ${expected}`}`,
      advice: element === element.toLowerCase() ? 'Remove it, or its repetition; the names are fixed.' : 'Write the names of elements in lower case.',
    }),
  },
  {
    message: /^Element '(.+?)': \[facet 'maxLength'\] The value has a length of '(\d+)'; .* maximum length of '(\d+)'/,
    say: ([element, length, limit]) => ({ words: `<${element}> has ${length} characters, ${limit} are allowed`, advice: 'Shorten it.' }),
  },
  {
    message: /^Element '(.+?)': \[facet 'minLength'\] The value has a length of '(\d+)'; .* minimum length of '(\d+)'/,
    say: ([element, length, limit]) => ({ words: `<${element}> has ${length} characters, ${limit} are needed`, advice: 'Write the whole number.' }),
  },
  {
    message: /^Element '(.+?)': \[facet 'fractionDigits'\] The value '(.*?)' has more/s,
    say: ([element, value]) => ({ words: `<${element}> is ${value}: more than two decimals`, advice: 'Round it to two decimals.' }),
  },
  {
    message: /^Element '(.+?)': \[facet '\w+'\] The value '(.*?)' is (.+?)\.?\s*$/s,
    say: ([element, value, why]) => ({
      words: `<${element}> is "${value}", which is ${why}`,
      advice: 'Write one of the values that the file has a meaning for.',
    }),
  },
  {
    message: /^Element '(.+?)': '(.*)' is not a valid value of the (?:local )?atomic type/s,
    say: ([element = '', value = '']) => ({ words: `<${element}> is "${value}", which can't be read`, advice: formOf(element) }),
  },
  {
    message: /^Element '(.+?)', attribute '(.+?)': The attribute/,
    say: ([element, attribute]) => ({ words: `<${element}> has an attribute ${attribute}`, advice: 'Remove it: the file has no attributes.' }),
  },
  {
    message: /^Element '(.+?)': Character content/,
    say: ([element]) => ({ words: `<${element}> has text beside its elements`, advice: 'Remove the text.' }),
  },
];

/** A message of libxml2's parser or schema validator in our words, with advice. */
function schemaWords(message: string): ErrorText {
  for (const { message: pattern, say } of patterns) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const { words, advice } = say(found.slice(1));
    return { words: words.slice(0, LONGEST).trimEnd(), advice };
  }
  return { words: message.slice(0, LONGEST).trim(), advice: 'Compare the place with docs/months-and-receipts.md.' };
}

/** libxml2 lists optional elements along with mandatory ones. */
function withoutOptional(names: string): string {
  const optional = new Set(['r_ord', 'rorder', 'r_total']);
  return names
    .split(', ')
    .filter((name) => !(optional.has(name) || columnOf(name)?.optional))
    .join(', ');
}

function formOf(element: string): string {
  const base = columnOf(element)?.kind.restriction?.base ?? columnOf(element)?.kind.type;
  if (base === 'xs:date') return 'Write the day as 2026-10-31.';
  if (base === 'xs:integer' || element === 'r_ord') return 'Write a whole number without decimals.';
  return 'Write a number with a point and two decimals, as in 1234.50.';
}

/**
 * Our schema of the audit file, written from Ordinance N-18, annex 38 (the table of elements; amounts in euro by ДВ, бр. 42 от 2025 г.) and from what
 * the schema that the agency published on 2022-06-06 accepts and refuses. Names are in lower case and in no namespace. Children may come in any
 * order. r_ord and r_total may be absent, which an older edition refused and the law does not want: a rule covers that.
 */
export const auditSchema = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <xs:element name="audit">
    <xs:annotation><xs:documentation>The orders of one shop that were delivered in one month, and what was given back in it.</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:all>
${described(headerColumns)}
        <xs:element name="order" type="orders">${words('The orders.')}</xs:element>
        <xs:element name="r_ord" type="xs:integer" minOccurs="0">${words('How many orders were returned, in whole or in part.')}</xs:element>
        <xs:element name="rorder" type="returns" minOccurs="0">${words('The returned orders.')}</xs:element>
        <xs:element name="r_total" type="amount" minOccurs="0">${words('What was given back in sum, with VAT.')}</xs:element>
      </xs:all>
    </xs:complexType>
  </xs:element>
  <xs:complexType name="orders">
    <xs:sequence><xs:element name="orderenum" type="order" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="articles">
    <xs:sequence><xs:element name="artenum" type="article" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="returns">
    <xs:sequence><xs:element name="rorderenum" type="return" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
${rowType('order', orderColumns)}
${rowType('article', articleColumns)}
${rowType('return', returnColumns)}
${valueTypes()}
</xs:schema>
`;

function rowType(name: string, columns: AuditColumns): string {
  return `  <xs:complexType name="${name}"><xs:all>\n${described(columns)}\n  </xs:all></xs:complexType>`;
}

function described(columns: AuditColumns): string {
  return Object.entries(columns)
    .map(
      ([name, { kind, means, optional }]) =>
        `    <xs:element name="${name}" type="${kind.type}"${optional ? ' minOccurs="0"' : ''}>${words(means)}</xs:element>`,
    )
    .join('\n');
}

/** The types of the columns' values, each once. */
function valueTypes(): string {
  const columns: AuditColumns[] = [headerColumns, articleColumns, orderColumns, returnColumns];
  const kinds = [...columns.flatMap((one) => Object.values(one)).map(({ kind }) => kind), amount];
  const types = kinds.flatMap(({ type, restriction }) =>
    restriction === undefined
      ? []
      : [`  <xs:simpleType name="${type}"><xs:restriction base="${restriction.base}">${restriction.facets}</xs:restriction></xs:simpleType>`],
  );
  return [...new Set(types)].join('\n');
}

function words(text: string): string {
  return `<xs:annotation><xs:documentation>${text}</xs:documentation></xs:annotation>`;
}
