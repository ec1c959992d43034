import type { Pool } from '../../platform/postgres/postgres.ts';

// Orders are numbered as they come: those that are kept longest have the lowest numbers, and a page of them is looked at. Whoever has a row locks others,
// too, in an order of his own: he is not waited for.
const FORGET = `with page as materialized (select c.order_ref from customers c where c.data is not null order by c.order_ref limit 500),
  old as materialized (select c.order_ref from page join customers c using (order_ref) join orders o on o.id = c.order_ref
    where c.data is not null and o.created_at < $2::timestamptz - $1 * interval '1 day' for update of c skip locked)
  update customers c set data = null, erased_at = $2, by_age = true from old where c.order_ref = old.order_ref`;

/**
 * Erases buyers whose orders came longer ago, for good, a page at a time: no later delivery brings them back, and a record that is made anew has none.
 * Compliance services are not told: each has a time of its own. Returns how many.
 */
export async function forgetOldBuyers(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(FORGET, [days, now]);
  return rowCount ?? 0;
}
