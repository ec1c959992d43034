import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { markErased } from './sent-with.ts';

const oldRows = rowsOf('customers', z.object({ id: z.int() }));

// Orders are numbered as they come: those that are kept longest have the lowest numbers, and a page of them is looked at. Whoever has a row locks others,
// too, in an order of his own: he is not waited for.
const LOCK = `with page as materialized (select c.order_ref from customers c where c.data is not null order by c.order_ref limit 500)
  select c.order_ref as id from page join customers c using (order_ref) join orders o on o.id = c.order_ref
    where c.data is not null and o.created_at < $2::timestamptz - $1 * interval '1 day' for no key update of o skip locked for update of c skip locked`;
const FORGET = `with sent as (${markErased('select unnest($1::bigint[])')})
  update customers set data = null, erased_at = $2, by_age = true where order_ref = any($1)`;

/**
 * Erases buyers whose orders came longer ago, for good, a page at a time: no later delivery brings them back, and a record that is made anew has none.
 * Compliance services are not told: each has a time of its own. Returns how many.
 */
export function forgetOldBuyers(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const old = await readRows(tx, oldRows, { text: LOCK, values: [days, now] });
    if (old.length > 0) await tx.query(FORGET, [old.map(({ id }) => id), now]);
    return old.length;
  });
}
