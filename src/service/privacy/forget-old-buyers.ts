import type { Queryable } from '../../platform/postgres/postgres.ts';

const PAGE = 500;

/** Forgets the buyers of orders that were recorded longer ago, a page at a time; nothing else of an order changes. Returns how many. */
export async function forgetOldBuyers(db: Queryable, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await db.query(
    `update compliance.orders set customer = null where id in (
       select id from compliance.orders where customer is not null and created_at < $2::timestamptz - $1 * interval '1 day' order by created_at
       limit ${PAGE} for update skip locked)`,
    [days, now],
  );
  return rowCount ?? 0;
}
