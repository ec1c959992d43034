import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

const found = rowsOf('walks', z.object({ found: z.boolean() }));

/** Has everything read that changed in a connection's store since an instant. `why` names the reason, once. */
export async function wantWindow(pool: Pool, connectionId: string, { since, why }: { since: string; why: string }): Promise<void> {
  await pool.query(
    `insert into walks as w (connection_id, wanted) values ($1, jsonb_build_array($2::jsonb))
     on conflict (connection_id) do update set wanted = w.wanted || $2::jsonb, next_at = now()`,
    [connectionId, JSON.stringify({ since, why })],
  );
}

/** Is a window that was wanted for this reason still to be read, or being read? */
export async function isWanted(pool: Pool, connectionIds: readonly string[], why: string): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from walks w where w.connection_id = any($1) and position($2 in (to_jsonb(w) - 'last' - 'windows')::text) > 0) as found`,
    values: [connectionIds, why],
  });
  return row.found;
}

/** Are orders of a shop still to be submitted for the first time? */
export async function isBeingRecorded(pool: Pool, shopId: string): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from connections c join orders o on o.connection_id = c.id
      where c.shop_id = $1 and o.shop_id = $1 and o.revision > o.recorded_revision and o.revision > o.held_revision and o.state = 'queued' and o.attempts = 0) as found`,
    values: [shopId],
  });
  return row.found;
}
