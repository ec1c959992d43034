import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Gap } from '../format/rule-check.ts';
import type { Excerpt, VoidedNumber } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-page.ts';
import { STORED_ORDER, type StoredOrder, storedOrder } from './audit-order-of.ts';

/** Selects the orders of a month; `leaveOut`: payment types that its file leaves out. */
export type MonthOf = { shopId: string; month: string; leaveOut: readonly string[] };

// Recorded orders, and those that a closed month lists although they were deleted or replaced since.
const ORDERS = `(
  select *, false as is_declared from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM')
  union all
  select (jsonb_populate_record(null::compliance.orders, s.entry || jsonb_build_object('listed_as', s.order_number))).*, true from compliance.filed_sales s
    where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM') and s.entry is not null
) o`;
// What was declared, and has a return, is listed whatever the file leaves out.
const LISTED = '(o.is_declared or not (o.payment_type = any($3)))';

// Small, because requests are answered between two pages, and memory grows with what is kept of a page.
const PAGE = 100;
const listedOrders = rowsOf('compliance.orders', storedOrder);

/** The orders that a month's file lists, by document number, a page in memory at a time. The client must be in a transaction. */
export async function* monthOrders(client: Queryable, { shopId, month, leaveOut }: MonthOf): AsyncGenerator<StoredOrder[]> {
  await client.query(`declare month_orders no scroll cursor for select ${STORED_ORDER} from ${ORDERS} where ${LISTED} order by o.document_number`, [
    shopId,
    month,
    leaveOut,
  ]);
  const fetchPage = () => readRows(client, listedOrders, { text: `fetch ${PAGE} from month_orders` });
  let rows = await fetchPage();
  while (rows.length > 0) {
    // The database reads the next page while this one is being used.
    const next = rows.length < PAGE ? null : fetchPage();
    // Rethrown where it is awaited; a consumer that stops early never awaits it.
    next?.catch(() => undefined);
    yield* inParts(rows);
    rows = next === null ? [] : await next;
  }
  await client.query('close month_orders');
}

/** The most lines of orders that are processed together, because that takes memory by the line. */
const MOST_LINES = 2_000;

function* inParts(orders: readonly StoredOrder[]): Generator<StoredOrder[]> {
  let part: StoredOrder[] = [];
  let lines = 0;
  for (const order of orders) {
    if (part.length > 0 && lines + order.lineItems.length > MOST_LINES) {
      yield part;
      part = [];
      lines = 0;
    }
    part.push(order);
    lines += order.lineItems.length;
  }
  if (part.length > 0) yield part;
}

/**
 * The counts of a month in the database; the file must have the same. Amounts are decimal text with two decimals. `removed`: declared sales whose
 * details are no longer kept.
 */
export type MonthCounts = z.output<typeof counts.schema>;

const counts = rowsOf(
  'compliance.orders',
  z.object({
    orders: z.int(),
    total: z.string(),
    vat: z.string(),
    withoutRate: z.int(),
    leftOut: z.object({ orders: z.int(), total: z.string() }),
    removed: z.int(),
  }),
);

export async function countMonth(client: Queryable, { shopId, month, leaveOut }: MonthOf): Promise<MonthCounts> {
  return readOne(client, counts, {
    text: `select count(*) filter (where ${LISTED})::int as orders,
       to_char(coalesce(sum(o.accounting_total) filter (where ${LISTED}), 0), 'FM999999999999990.00') as total,
       to_char(coalesce(sum(o.accounting_vat) filter (where ${LISTED}), 0), 'FM999999999999990.00') as vat,
       count(*) filter (where ${LISTED} and o.accounting_total is null)::int as "withoutRate",
       json_build_object('orders', count(*) filter (where not ${LISTED}),
         'total', to_char(coalesce(sum(o.accounting_total) filter (where not ${LISTED}), 0), 'FM999999999999990.00')) as "leftOut",
       (select count(*) from compliance.filed_sales s where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM') and s.entry is null)::int as removed
     from ${ORDERS}`,
    values: [shopId, month, leaveOut],
  });
}

const gaps = rowsOf('compliance.orders', z.object({ from: z.string(), to: z.string() }));

/**
 * Unaccounted document numbers between the month's own: no order of the merchant in any month or shop has them, and they are not voided or skipped. There
 * are none unless the database was changed by hand.
 */
export async function numberGapsOf(client: Queryable, { shopId, month }: Pick<MonthOf, 'shopId' | 'month'>): Promise<Gap[]> {
  const rows = await readRows(client, gaps, {
    text: `with own as (
       select merchant, min(document_number) as lowest, max(document_number) as highest
       from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM') group by merchant
     ), known as (
       select o.merchant, o.document_number as number from own join compliance.orders o on o.merchant = own.merchant and o.document_number between lowest and highest
       union select s.merchant, s.document_number from own join compliance.filed_sales s on s.merchant = own.merchant and s.document_number between lowest and highest
       union select v.merchant, v.number from own join compliance.voided_numbers v on v.merchant = own.merchant and v.number between lowest and highest
     ), runs as (
       select merchant, number as first, number as last from known
       union all select k.merchant, k.first, k.last from own join compliance.skipped_numbers k on k.merchant = own.merchant and k.first between lowest and highest
     )
     select (last + 1)::text as "from", (next - 1)::text as "to"
     from (select last, lead(first) over (partition by merchant order by first) as next from runs) pairs where next > last + 1 limit 200`,
    values: [shopId, month],
  });
  return rows.map(({ from, to }) => ({ from: Number(from), to: Number(to) }));
}

const voided = rowsOf('compliance.deleted_orders', z.object({ count: z.int(), rows: z.array(z.object({ documentNumber: z.string(), voidedOn: z.string() })) }));

/** Voided numbers of a month's deleted orders. */
export async function voidedNumbers(client: Queryable, { shopId, month }: Pick<MonthOf, 'shopId' | 'month'>): Promise<Excerpt<VoidedNumber>> {
  return readOne(client, voided, {
    text: `with gone as (
       select d.document_number, max(d.deleted_at) as deleted_at from compliance.deleted_orders d
         join compliance.voided_numbers v on v.merchant = d.merchant and v.number = d.document_number
       where d.shop_id = $1 and d.month = to_date($2, 'YYYY-MM') group by 1
     )
     select (select count(*)::int from gone) as count, coalesce(json_agg(listed), '[]') as rows from (
       select lpad(document_number::text, 10, '0') as "documentNumber", (deleted_at at time zone 'Europe/Sofia')::date::text as "voidedOn"
       from gone order by document_number limit ${summaryLimits.rows}
     ) listed`,
    values: [shopId, month],
  });
}
