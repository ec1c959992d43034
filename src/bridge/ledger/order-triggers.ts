import type { Pool } from '../../platform/postgres/postgres.ts';

/** Has orders write notes and events if anything wants them, and else not. After the change of that is committed: the lock that it takes must not be kept while orders wait. */
export async function keepOrderTriggers(pool: Pool): Promise<void> {
  await pool.query('select keep_order_triggers(false)');
}

/** The same after a change that may matter to it. What can't be done now, a sweep does. */
export async function withOrderTriggers<T>(pool: Pool, changing: Promise<T>): Promise<T> {
  const changed = await changing;
  await keepOrderTriggers(pool).catch(() => undefined);
  return changed;
}
