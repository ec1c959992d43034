import type { TiedCurrency } from '../../../../domain/money.ts';
import type { AuditReturn } from '../audit-file.ts';
import { type CsvOrder, csvHead, csvOrder, csvReturn } from './csv-columns.ts';

/** What a month's CSV is made of; each is read once. */
export type CsvMonth = {
  orders: AsyncIterable<CsvOrder> | Iterable<CsvOrder>;
  returns: AsyncIterable<AuditReturn> | Iterable<AuditReturn>;
  /** The accounting currency of all amounts but those in the columns of a foreign one. */
  currency: TiedCurrency;
};

/** Told to Excel, which otherwise takes the text for windows-1251. */
const BYTE_ORDER_MARK = '\ufeff';
const CHUNK_LENGTH = 64 * 1024;

/**
 * The orders and returns of a month as CSV in UTF-8, as Excel opens it in Bulgaria: semicolons, decimal commas, one row per article.
 * Yields chunks of about 64 KB; memory does not grow with the month. `docs/audit-summary.md` lists the columns.
 */
export async function* csvOf(month: CsvMonth): AsyncGenerator<Buffer> {
  let pending = BYTE_ORDER_MARK;
  for await (const rows of rowsOf(month)) {
    pending += rows;
    if (pending.length < CHUNK_LENGTH) continue;
    yield Buffer.from(pending);
    pending = '';
  }
  if (pending !== '') yield Buffer.from(pending);
}

async function* rowsOf({ orders, returns, currency }: CsvMonth): AsyncGenerator<string> {
  yield csvHead();
  for await (const order of orders) yield csvOrder(order, currency);
  for await (const given of returns) yield csvReturn(given, currency);
}
