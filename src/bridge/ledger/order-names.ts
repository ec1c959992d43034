import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const names = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), number: z.string().nullable() }));

/** What people call an order. */
export type OrderName = z.output<typeof names.schema>;

/** By ledger id; one that was joined to another is absent. */
export async function orderNames(db: Queryable, ids: readonly number[]): Promise<Map<number, OrderName>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(db, names, { text: 'select id, order_id as "orderId", number from orders where id = any($1)', values: [[...new Set(ids)]] });
  return new Map(rows.map((row) => [row.id, row]));
}
