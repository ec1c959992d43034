import { z } from 'zod';
import { typesWithoutReceipt } from '../../../contract/enumerations.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { STORED_ORDER, type StoredOrder, storedOrder } from './stored-order.ts';

/** Selects the orders of a month; `leaveOut`: payment types that the shop leaves out of its files. */
export type MonthOf = { shopId: string; month: string; leaveOut: readonly string[] };

/** A shop may leave out orders that have no receipt (`auditNoReceiptOrders` false). */
export function leftOutTypes({ auditNoReceiptOrders }: { auditNoReceiptOrders: boolean }): string[] {
  return auditNoReceiptOrders ? [] : [...typesWithoutReceipt];
}

// Recorded orders, and those that a closed month lists although they were deleted or replaced since.
const ORDERS = `(
  select * from compliance.orders where shop_id = $1 and month = to_date($2, 'YYYY-MM')
  union all
  select (jsonb_populate_record(null::compliance.orders, s.entry)).* from compliance.filed_sales s
    where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM') and s.entry is not null
) o`;
const LISTED = 'not (o.payment_type = any($3))';

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

/** The counts of a month in the database; the file must have the same. Amounts are decimal text with two decimals. */
export type MonthCounts = { orders: number; total: string; vat: string; withoutRate: number; leftOut: { orders: number; total: string } };

const counts = rowsOf(
  'compliance.orders',
  z.object({
    orders: z.int(),
    total: z.string(),
    vat: z.string(),
    withoutRate: z.int(),
    leftOut: z.object({ orders: z.int(), total: z.string() }),
  }),
);
const repeated = rowsOf('compliance.orders', z.object({ id: z.string() }));

export async function countMonth(client: Queryable, { shopId, month, leaveOut }: MonthOf): Promise<MonthCounts> {
  return readOne(client, counts, {
    text: `select count(*) filter (where ${LISTED})::int as orders,
       to_char(coalesce(sum(o.accounting_total) filter (where ${LISTED}), 0), 'FM999999999999990.00') as total,
       to_char(coalesce(sum(o.accounting_vat) filter (where ${LISTED}), 0), 'FM999999999999990.00') as vat,
       count(*) filter (where ${LISTED} and o.accounting_total is null)::int as "withoutRate",
       json_build_object('orders', count(*) filter (where not ${LISTED}),
         'total', to_char(coalesce(sum(o.accounting_total) filter (where not ${LISTED}), 0), 'FM999999999999990.00')) as "leftOut"
     from ${ORDERS}`,
    values: [shopId, month, leaveOut],
  });
}

/** Ids of the month's orders whose number an earlier order of the shop has already; `compliance.listed_number` in SQL has the same rule. */
export async function repeatedNumbers(client: Queryable, { shopId, month, leaveOut }: MonthOf): Promise<ReadonlySet<string>> {
  const rows = await readRows(client, repeated, {
    text: `select o.id from ${ORDERS} where ${LISTED} and (
       exists (select from compliance.orders e where e.shop_id = $1 and e.internal_number = o.internal_number and e.document_number < o.document_number)
       or exists (select from compliance.filed_sales s where s.shop_id = $1 and s.order_number = o.internal_number and s.document_number < o.document_number)
     )`,
    values: [shopId, month, leaveOut],
  });
  return new Set(rows.map(({ id }) => id));
}
