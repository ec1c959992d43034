import type { AuditSums, Finding } from '../audit-file.ts';
import { type AuditItem, AuditReader } from './audit-reader.ts';
import { AuditTally } from './audit-tally.ts';
import { AuditValidator, type SchemaProblem } from './audit-validator.ts';
import { FindingList } from './finding-list.ts';
import { aroundItems, type Frame } from './frame.ts';
import { RuleCheck, type RuleContext } from './rule-check.ts';
import { type SeenHeader, seenHeader, seenOrder, seenReturn, seenReturnSums } from './seen-audit.ts';
import { FileDecoder } from './windows-1251.ts';

/** The sums of a file's rows, and its findings; `header` is null if the file is no audit file, and has nulls where it can't be read. */
export type AuditReport = { sums: AuditSums; findings: Finding[]; header: SeenHeader | null };

const PIECE_BYTES = 65_536;

/**
 * Verifies an audit file of any origin while it is streamed: encoding, XML, schema, rules. Doesn't stop at the first finding and never throws on
 * content. Memory grows by some 150 bytes per order. Always dispose of it, also without `end`.
 */
export class AuditVerification implements Disposable {
  readonly #findings = new FindingList();
  readonly #tally = new AuditTally();
  readonly #validator = new AuditValidator();
  readonly #decoder = new FileDecoder(this.#findings);
  readonly #reader = new AuditReader(this.#findings, (item) => this.#item(item));
  readonly #schema = new SchemaCheck(this.#validator, this.#findings);
  readonly #rules: RuleCheck;

  constructor(context: RuleContext = {}) {
    this.#rules = new RuleCheck(this.#findings, context);
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) this.#reader.push(this.#decoder.push(bytes.subarray(at, at + PIECE_BYTES)));
  }

  end(): AuditReport {
    this.#reader.push(this.#decoder.end());
    this.#reader.end();
    const header = this.#reader.root === 'audit' ? this.#endOfAudit() : null;
    if (this.#reader.root === null) this.#findings.add('file.not-xml', { words: 'there is no XML element in it' });
    return { sums: this.#tally.sums(), findings: this.#findings.all(), header };
  }

  #endOfAudit(): SeenHeader {
    const { frame, header: fields, headerLines } = this.#reader;
    this.#schema.end(frame);
    const header = seenHeader(fields);
    this.#rules.header(header, headerLines);
    this.#rules.end(seenReturnSums(fields), headerLines);
    return header;
  }

  #item(item: AuditItem): void {
    this.#schema.item(item);
    const { kind, fields, articles, articleLines, line } = item;
    if (kind === 'order') {
      const order = seenOrder(fields, articles);
      this.#tally.order(order);
      this.#rules.order(order, { line, articleLines });
    } else {
      const returned = seenReturn(fields);
      this.#tally.return(returned);
      this.#rules.return(returned, line);
    }
  }

  [Symbol.dispose](): void {
    this.#validator[Symbol.dispose]();
  }
}

/** Verifies a whole file: its bytes, or a stream of them. See `AuditVerification`. */
export async function verifyAuditFile(file: Uint8Array | AsyncIterable<Uint8Array>, context: RuleContext = {}): Promise<AuditReport> {
  using verification = new AuditVerification(context);
  if (file instanceof Uint8Array) verification.push(file);
  else for await (const bytes of file) verification.push(bytes);
  return verification.end();
}

type Item = Pick<AuditItem, 'kind' | 'text' | 'line'> & { number: string | null };

/** Large enough that the frame around a block costs nothing, small enough for a few milliseconds. */
const BLOCK_CHARACTERS = 131_072;
const BLOCK_ITEMS = 500;
/** After so many items that are not well-formed, blocks are no longer split. */
const MOST_BROKEN = 1_000;

/** Validates a file in blocks, each a small complete file, so that memory stays constant. Lines are those of the file. */
class SchemaCheck {
  readonly #validator: AuditValidator;
  readonly #findings: FindingList;
  #block: Item[] = [];
  #characters = 0;
  #broken = 0;

  constructor(validator: AuditValidator, findings: FindingList) {
    this.#validator = validator;
    this.#findings = findings;
  }

  item(item: AuditItem): void {
    if (this.#block.length > 0 && this.#block[0]?.kind !== item.kind) this.#flush();
    const { kind, text, line, fields } = item;
    this.#block.push({ kind, text, line, number: fields.get(kind === 'order' ? 'ord_n' : 'r_ord_n') ?? null });
    this.#characters += text.length;
    if (this.#characters >= BLOCK_CHARACTERS || this.#block.length >= BLOCK_ITEMS) this.#flush();
  }

  end(frame: Frame): void {
    this.#flush();
    if (frame.tooLarge) return;
    for (const { line, ...problem } of this.#problems(frame.text)) this.#add({ ...problem, line: frame.lineOf(line) }, null);
  }

  #flush(): void {
    const block = this.#block;
    this.#block = [];
    this.#characters = 0;
    this.#check(block);
  }

  #check(block: readonly Item[]): void {
    const [first] = block;
    if (first === undefined) return;
    const problems = this.#problems(aroundItems(first.kind, block.map(({ text }) => `${text}\n`).join('')));
    const broken = problems[0]?.wellFormed === false;
    if (broken) this.#broken += 1;
    // One item that is not well-formed hides the problems of the others.
    if (broken && block.length > 1 && this.#broken <= MOST_BROKEN) for (const item of block) this.#check([item]);
    else this.#place(problems, block);
  }

  /** Only the first problem if the XML is not well-formed: the others follow from it. */
  #problems(xml: string): SchemaProblem[] {
    const problems = this.#validator.validate(xml);
    return problems[0]?.wellFormed === false ? problems.slice(0, 1) : problems;
  }

  #place(problems: readonly SchemaProblem[], block: readonly Item[]): void {
    if (problems.length === 0) return;
    const owners = block.flatMap(({ text, line, number }) => text.split('\n').map((_, breaks) => ({ line: line + breaks, number })));
    const last = owners.at(-1);
    for (const problem of problems) {
      // Items begin on the second line; a problem after the last one belongs to it.
      const owner = owners[problem.line - 2] ?? last;
      if (owner !== undefined) this.#add({ ...problem, line: owner.line }, owner.number);
    }
  }

  #add({ line, words, advice, wellFormed }: SchemaProblem, order: string | null): void {
    if (wellFormed) this.#findings.add('schema.violation', { words, advice, line, order });
    else this.#findings.add('file.not-well-formed', { words, line, order });
  }
}
