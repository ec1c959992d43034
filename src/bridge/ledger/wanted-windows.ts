import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

const found = rowsOf('store_syncs', z.object({ found: z.boolean() }));

/** Is a window that was wanted for this reason still to be read, or being read? */
export async function isWanted(pool: Pool, connectionIds: readonly string[], why: string): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from store_syncs w where w.connection_id = any($1) and position($2 in (to_jsonb(w) - 'last' - 'windows')::text) > 0) as found`,
    values: [connectionIds, why],
  });
  return row.found;
}

/** Does a process read one of these stores? */
export async function isBeingRead(pool: Pool, connectionIds: readonly string[]): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: 'select exists (select from store_syncs w where w.connection_id = any($1) and w.held_until > now()) as found',
    values: [connectionIds],
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
