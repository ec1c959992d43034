import { createHash, randomUUID } from 'node:crypto';
import type { TiedCurrency } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import type { AuditHeader, AuditOrder, AuditRefund, AuditSums, Finding, MonthReturn } from '../audit-file.ts';
import type { AuditBlock } from '../format/audit-validator.ts';
import { FindingList } from '../format/finding-list.ts';
import { type ReportedOrder, RuleCheck } from '../format/rule-check.ts';
import type { SchemaBlockCheck } from '../format/with-schema-check.ts';
import { beginning, type RenderedOrder, rendered, writeAuditFile } from '../format/write-audit-file.ts';
import { BookkeepingTally, bookkeepingCsv } from '../summary/bookkeeping-csv.ts';
import { csvHead, csvOrder, csvRefund, csvReturn } from '../summary/csv-columns.ts';
import type { Excerpt, ForeignOrder } from '../summary/month-summary.ts';
import { type MonthFigures, MonthTally } from '../summary/month-tally.ts';
import { summaryLimits } from '../summary/summary-page.ts';
import { auditOrderOf, type StoredOrder } from './audit-order-of.ts';
import { type MonthCounts, type MonthOf, monthOrders, numberGapsOf } from './read-month.ts';
import { ChunkWriter } from './stored-content.ts';

export type FileToMake = {
  of: MonthOf;
  header: AuditHeader;
  returns: readonly MonthReturn[];
  /** Given back within the month: in the CSV alone. */
  refunds: readonly AuditRefund[];
  /** What earlier files declared of the returned orders. */
  sales: ReadonlyMap<string, ReportedOrder>;
  counts: MonthCounts;
  currency: TiedCurrency;
  /** The day of which `sha256AsOf` is wanted; null: of none. */
  asOf: string | null;
  onProgress(done: number, all: number): void;
};

export type MadeFile = {
  id: string;
  bytes: number;
  sha256: string;
  /** The hash that it would have if it had been made on another day. */
  sha256AsOf: string | null;
  sums: AuditSums;
  findings: Finding[];
  figures: MonthFigures;
  foreign: Excerpt<ForeignOrder>;
};

/**
 * Reads the month from a snapshot, writes file and CSVs into the database within `tx`, checking each page against schema and rules. Throws if the file's
 * sums are not the database's.
 */
export async function makeFile({ client, tx, check }: { client: Queryable; tx: Queryable; check: SchemaBlockCheck }, month: FileToMake): Promise<MadeFile> {
  const id = randomUUID();
  const file = new ChunkWriter(tx, 'audit_file_chunks', id);
  const csv = new ChunkWriter(tx, 'audit_csv_chunks', id);
  const bookkeeping = new ChunkWriter(tx, 'audit_bookkeeping_chunks', id);
  const asOf = month.asOf === null ? null : new HashAsOf(month.header, month.asOf);
  try {
    const pages = new MonthPages({ client, check, csv }, month);
    const sums = await writeAuditFile({ header: month.header, orders: pages.orders(), returns: month.returns }, (block) => {
      asOf?.add(block);
      return file.add(block);
    });
    const seen = await pages.end(sums);
    await csv.end();
    await bookkeeping.add(Buffer.from(pages.bookkeeping()));
    await bookkeeping.end();
    sameSums(sums, month.counts);
    return { id, ...(await file.end()), sha256AsOf: asOf?.end() ?? null, sums, ...seen };
  } finally {
    await Promise.all([file.abandon(), csv.abandon(), bookkeeping.abandon()]);
  }
}

/** Hashes a file as if it had been made on another day: the day is in its header alone. */
class HashAsOf {
  readonly #hash = createHash('sha256');
  #skipped: number;

  constructor(header: AuditHeader, createdOn: string) {
    this.#skipped = beginning(header).length;
    this.#hash.update(beginning({ ...header, createdOn }));
  }

  add(block: Buffer): void {
    this.#hash.update(block.subarray(this.#skipped));
    this.#skipped = Math.max(0, this.#skipped - block.length);
  }

  end(): string {
    return this.#hash.digest('hex');
  }
}

type PagesFrom = { client: Queryable; check: SchemaBlockCheck; csv: ChunkWriter };

/** How many pages may wait for their schema check while the next ones are being written. */
const AHEAD = 2;

/** Checks and tallies the month's orders while they stream into the file. */
class MonthPages {
  readonly #from: PagesFrom;
  readonly #month: FileToMake;
  readonly #findings = new FindingList();
  readonly #tally = new MonthTally();
  readonly #bookkeeping = new BookkeepingTally();
  readonly #foreign: { count: number; rows: ForeignOrder[] } = { count: 0, rows: [] };
  readonly #checks: Promise<Finding[]>[] = [];
  #rules: RuleCheck | undefined;
  #done = 0;

  constructor(from: PagesFrom, month: FileToMake) {
    this.#from = from;
    this.#month = month;
  }

  async *orders(): AsyncGenerator<RenderedOrder> {
    const { of, header, counts, returns, sales, onProgress } = this.#month;
    const { client, csv } = this.#from;
    const gaps = await numberGapsOf(client, of);
    this.#rules = new RuleCheck(this.#findings, { gaps, reported: sales, removedSales: counts.removed });
    this.#rules.header(header);
    await csv.add(Buffer.from(csvHead()));
    let first = true;
    for await (const stored of monthOrders(client, of)) {
      const orders = stored.map((order) => rendered(auditOrderOf(order)));
      await this.#check({ header, orders, returns: first ? returns : [] });
      await csv.add(Buffer.concat(orders.map((order, i) => Buffer.from(this.#look(order, stored[i])))));
      yield* orders;
      first = false;
      this.#done += orders.length;
      onProgress(this.#done, counts.orders);
    }
    while (this.#checks.length > 0) await this.#checked();
  }

  async #check(block: AuditBlock): Promise<void> {
    const findings = this.#from.check(block);
    // Rethrown where it is awaited, which is never if something else fails before.
    findings.catch(() => undefined);
    this.#checks.push(findings);
    if (this.#checks.length > AHEAD) await this.#checked();
  }

  async #checked(): Promise<void> {
    for (const { words, order, advice } of (await this.#checks.shift()) ?? []) this.#findings.add('schema.violation', { words, order, advice });
  }

  async end({ returns: count, returned: total }: AuditSums): Promise<Pick<MadeFile, 'findings' | 'figures' | 'foreign'>> {
    const { returns, refunds, currency } = this.#month;
    for (const one of returns) {
      this.#tally.addReturn(one);
      this.#bookkeeping.return(one);
      this.#rules?.return(one);
    }
    this.#rules?.end({ count, total });
    for (const one of refunds) this.#bookkeeping.refund(one);
    const rows = [...refunds.map((one) => csvRefund(one, currency)), ...returns.map((one) => csvReturn(one, currency))];
    await this.#from.csv.add(Buffer.from(rows.join('')));
    return { findings: this.#findings.all(), figures: this.#tally.figures(), foreign: this.#foreign };
  }

  /** The month by day, rate and payment, when all is read. */
  bookkeeping(): string {
    return bookkeepingCsv(this.#bookkeeping.rows(), this.#month.currency);
  }

  /** Its rows of the CSV. */
  #look(order: AuditOrder, stored: StoredOrder | undefined): string {
    this.#tally.add(order);
    this.#bookkeeping.order(order);
    this.#rules?.order(order);
    const foreign = stored === undefined ? null : foreignOf(stored);
    if (foreign !== null) {
      this.#foreign.count += 1;
      const { number, total: accountingTotal } = order;
      if (this.#foreign.rows.length < summaryLimits.rows) this.#foreign.rows.push({ number, accountingTotal, ...foreign });
    }
    return csvOrder({ ...order, foreign }, this.#month.currency);
  }
}

function foreignOf({ exchange, total }: StoredOrder): { total: string; rate: ForeignOrder['rate'] } | null {
  return exchange === null ? null : { total, rate: exchange };
}

function sameSums({ orders, total, vat }: AuditSums, counts: MonthCounts): void {
  if (orders === counts.orders && total === counts.total && vat === counts.vat) return;
  const written = `${orders} orders, ${total} with ${vat} VAT`;
  throw new Error(`the file has ${written}; the database has ${counts.orders}, ${counts.total} with ${counts.vat}. No file was made; report this as a bug`);
}
