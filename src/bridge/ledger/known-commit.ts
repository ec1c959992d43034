import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

/** SQL of the id of the transaction, which has one as soon as it has written something. */
export const XID = 'pg_current_xact_id()::text';

/** `xid`: null if nothing was written that matters. */
export type Done<T> = { result: T; xid: string | null };

const MOST_MS = 2_000;
const LOOK_MS = 50;

const statusRow = rowsOf('transactions', z.object({ status: z.string().nullable() }));

/**
 * As `inTransaction`, for claims with their first steps. A connection that breaks at the commit leaves open whether the claims were written; the server knows,
 * and says so on another one. Whoever never heard of his claims could not send their steps, and these would look like creates whose replies were lost.
 */
export async function inKnownTransaction<T>(pool: Pool, work: (tx: Queryable) => Promise<Done<T>>, leaseMs: number): Promise<T> {
  const at: { end: Done<T> | null; done: number } = { end: null, done: 0 };
  try {
    return await inTransaction(pool, async (tx) => {
      at.end = await work(tx);
      at.done = performance.now();
      return at.end.result;
    });
  } catch (thrown) {
    const { end, done } = at;
    // After half of the lease another worker may soon have the orders.
    const until = done + Math.min(MOST_MS, leaseMs / 2);
    if (end !== null && end.xid !== null && (await wasCommitted(pool, end.xid, until))) return end.result;
    throw thrown;
  }
}

/** False also if it could not be found out in time; `until` of `performance.now()`. */
async function wasCommitted(pool: Pool, xid: string, until: number): Promise<boolean> {
  while (performance.now() < until) {
    const status = await statusOf(pool, xid).catch(() => 'unknown');
    if (performance.now() >= until) return false;
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    await sleep(LOOK_MS);
  }
  return false;
}

async function statusOf(pool: Pool, xid: string): Promise<string | null> {
  return (await readOne(pool, statusRow, { text: 'select pg_xact_status($1::xid8) as status', values: [xid] })).status;
}
