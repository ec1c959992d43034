import type pg from 'pg';

export type Cut = {
  /** ISO text. What was recorded until then is in the snapshot, and nothing that came later. */
  cutAt: string;
  /** In a read-only transaction that sees the snapshot. */
  client: pg.PoolClient;
} & AsyncDisposable;

/**
 * A view of the database that no order of the shop is being recorded in: the shop is locked for a moment, so that all that is under way is finished
 * or has to wait, and the time and the snapshot are the same moment.
 */
export async function cutOf(pool: pg.Pool, shopId: string): Promise<Cut> {
  const locking = await pool.connect();
  const reading = await pool.connect();
  const owned = [locking, reading];
  try {
    await locking.query('begin');
    await locking.query('select from compliance.shops where id = $1 for update', [shopId]);
    await reading.query('begin isolation level repeatable read read only');
    const { rows } = await reading.query<{ at: string }>(`select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`);
    await locking.query('commit');
    locking.release();
    owned.splice(0, 1);
    const cutAt = rows[0]?.at;
    if (cutAt === undefined) throw new Error('the database tells no time');
    return { cutAt, client: reading, [Symbol.asyncDispose]: () => end(reading) };
  } catch (thrown) {
    // Closing a connection rolls back whatever it was in.
    for (const client of owned) client.release(true);
    throw thrown;
  }
}

async function end(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}
