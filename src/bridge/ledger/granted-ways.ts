import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const idRows = rowsOf('onboardings', z.object({ id: z.string() }));

/** The newest way by which a connection was made, or its merchant had it; null: he has none. */
export async function wayOfConnection(db: Queryable, connectionId: string): Promise<string | null> {
  const text = 'select id from onboardings where connection_id = $1 and revoked_at is null order by created_at desc limit 1';
  return (await readRow(db, idRows, { text, values: [connectionId] }))?.id ?? null;
}

/** The ways that are open still, on which the merchant of this store approved this app, the newest first; that an address was typed proves nothing. */
export async function unfinishedWays(db: Queryable, { url, app }: { url: string; app: string }): Promise<string[]> {
  const text = `select id from onboardings where progress #>> '{store,url}' = $1 and progress #>> '{store,app}' = $2 and 'store' = any(done)
    and connection_id is null and revoked_at is null and expires_at > now() order by created_at desc`;
  return (await readRows(db, idRows, { text, values: [url, app] })).map(({ id }) => id);
}
