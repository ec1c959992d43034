import type { Pool } from '../../../src/platform/postgres/postgres.ts';

/** Has the store of a connection read after so long, and not before. */
export async function readIn(pool: Pool, connectionId: string, waitMs: number): Promise<void> {
  await pool.query(
    `insert into jobs.jobs (kind, key, due_at) values ('sync', $1, now() + $2 * interval '1 ms') on conflict (kind, key) do update set due_at = excluded.due_at`,
    [connectionId, waitMs],
  );
}
