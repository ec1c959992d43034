import { z } from 'zod';
import { isTied } from '../../contract/money.ts';
import { recordLine } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readEach, rowsOf } from '../../platform/postgres/read-rows.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import type { RateAmounts } from './by-rate.ts';
import { declaredAmounts } from './declared-amounts.ts';
import type { ExchangeRate, RateLookup } from './exchange-rate.ts';

/** How many orders got their accounting amounts, and how many still wait for a rate. */
export type FilledIn = { filled: number; missing: number };

const PAGE = 200;

const waitingOrder = z.object({
  id: z.string(),
  createdAt: z.string(),
  currency: z.string(),
  precision: z.int(),
  lineItems: z.array(recordLine),
  to: z.enum(['EUR', 'BGN']),
});
type WaitingOrder = z.output<typeof waitingOrder>;

const waitingOrders = rowsOf('compliance.orders', waitingOrder);

type Amounts = { id: string; currency: string; total: string; vat: string; byRate: readonly RateAmounts[]; exchange: ExchangeRate | null };

/** Fills in accounting amounts that are missing, where the rate is known by now. Page by page; several processes may run it at once. */
export async function fillInMissing(pool: Pool, lookup: RateLookup): Promise<FilledIn> {
  const result = { filled: 0, missing: 0 };
  for (let page = await waitingAfter(pool, null); page.last !== null; page = await waitingAfter(pool, page.last)) {
    const found: Amounts[] = [];
    for (const order of page.orders) {
      const amounts = await amountsOf(order, lookup);
      if (amounts !== null) found.push(amounts);
    }
    result.missing += page.size - found.length;
    result.filled += await store(pool, found);
  }
  return result;
}

const WAITING = `
  select id, internal_created_at as "createdAt", currency, precision, line_items as "lineItems", accounting_currency as "to"
  from compliance.orders where accounting_total is null and ($1::uuid is null or id > $1) order by id limit ${PAGE}`;

type WaitingPage = { orders: WaitingOrder[]; size: number; last: string | null };

// An order that can't be read keeps waiting, and its month's file says why; the others get their amounts.
async function waitingAfter(pool: Pool, id: string | null): Promise<WaitingPage> {
  const { readable, unreadable } = await readEach(pool, waitingOrders, { text: WAITING, values: [id] });
  const ids = [...readable, ...unreadable].map((row) => String(row.id)).sort();
  return { orders: readable, size: ids.length, last: ids.at(-1) ?? null };
}

async function amountsOf(order: WaitingOrder, lookup: RateLookup): Promise<Amounts | null> {
  const { id, to } = order;
  const exchange = isTied(order.currency) ? null : await lookup(order.currency, sofiaDay(order.createdAt));
  const declared = declaredAmounts(order, { to, rate: exchange });
  return declared === null ? null : { id, currency: to, total: declared.total, vat: declared.vat, byRate: declared.byRate, exchange };
}

// Rows that another process has locked are left to it.
const STORE = `
  with amounts as (
    select * from jsonb_to_recordset($1::jsonb) as a(id uuid, currency text, total numeric, vat numeric, "byRate" jsonb, exchange jsonb)
  ), mine as materialized (
    select o.id from compliance.orders o where o.id in (select a.id from amounts a) and o.accounting_total is null order by o.id for update skip locked
  )
  update compliance.orders o set accounting_total = a.total, accounting_vat = a.vat, accounting_by_rate = a."byRate", exchange = nullif(a.exchange, 'null'::jsonb)
  from amounts a, mine where mine.id = a.id and o.id = a.id and o.accounting_currency = a.currency`;

async function store(pool: Pool, amounts: readonly Amounts[]): Promise<number> {
  if (amounts.length === 0) return 0;
  const { rowCount } = await pool.query(STORE, [JSON.stringify(amounts)]);
  return rowCount ?? 0;
}
