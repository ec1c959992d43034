import { ParseOption, XmlDocument, XmlLibError, XsdValidator } from 'libxml2-wasm';
import type { AuditHeader, AuditReturn, Finding } from '../audit-file.ts';
import { headerXml, orderXml, type RenderedOrder, returnXml } from './audit-elements.ts';
import { auditSchema } from './audit-schema.ts';
import { schemaWords } from './schema-words.ts';
import { standIns } from './stand-ins.ts';

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

/**
 * Validates a few hundred orders of a large file, as a small file, so that memory does not grow with the file. Without orders a valid stand-in is
 * used. Findings name orders, not lines. Throws RangeError as `writeAuditFile` does.
 */
export function validateBlock(validator: AuditValidator, { header, orders, returns }: AuditBlock): Finding[] {
  const list = orders.length === 0 ? [`${standIns.order}\n`] : orders.map(orderXml);
  const pieces = [`<audit>\n${headerXml(header)}<order>\n`, ...list, '</order>\n<rorder>\n', ...returns.map(returnXml), '</rorder>\n</audit>'];
  const problems = validator.validate(pieces.join(''));
  if (problems.length === 0) return [];
  const numbers = [null, ...(orders.length === 0 ? [null] : orders.map(({ number }) => number)), null, ...returns.map(({ number }) => number), null];
  const owners = pieces.flatMap((piece, index) => Array.from({ length: piece.split('\n').length - 1 }, () => numbers[index] ?? null));
  return problems.map(({ line, words, advice }) => ({ level: 'error', rule: 'schema.violation', line: null, order: owners[line - 1] ?? null, words, advice }));
}
