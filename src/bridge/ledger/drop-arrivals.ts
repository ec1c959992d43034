import type { Pool } from '../../platform/postgres/postgres.ts';

/** Of each connection at a time, and of all together. */
const OF_EACH = 200;
const MOST = 2_000;

// By the index of each connection's webhooks: what is too young is not looked at. The store of an order that is locked is not waited for.
const DROP = `with old as (
    select d.id from connections c cross join lateral (
      select id from deliveries where connection_id = c.id and arrived_at < $2::timestamptz - $1 * interval '1 day'
        and body is null and outcome not in ('review', 'held') order by arrived_at limit ${OF_EACH}) of_one join deliveries d on d.id = of_one.id
    limit ${MOST} for update of d skip locked)
  delete from deliveries d using old where d.id = old.id`;

/**
 * Forgets that webhooks came, longer ago than so many days, whose bodies are gone and for which nobody waits, a page at a time. Their orders, facts and
 * steps stay. Returns how many.
 */
export async function dropOldArrivals(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(DROP, [days, now]);
  return rowCount ?? 0;
}
