import type { AuditSums, Finding } from '../audit-file.ts';
import { type AuditItem, AuditReader } from './audit-reader.ts';
import { AuditTally } from './audit-tally.ts';
import { AuditValidator } from './audit-validator.ts';
import { FileDecoder } from './decode-file.ts';
import { FindingList } from './finding-list.ts';
import { RuleCheck, type RuleContext } from './rule-check.ts';
import { SchemaCheck } from './schema-check.ts';
import { type SeenHeader, seenHeader, seenOrder, seenReturn, seenReturnSums } from './seen-audit.ts';

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
