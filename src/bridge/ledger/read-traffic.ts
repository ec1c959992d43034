import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const instant = z.string();
const traffic = z.object({
  connectionId: z.string(),
  lastAccepted: instant.nullable(),
  lastRefused: instant.nullable(),
  refusedCode: z.string().nullable(),
  refusedInARow: z.int(),
});
const trafficRows = rowsOf('traffic', traffic);
const refusalRows = rowsOf('refusals', z.object({ at: instant, code: z.string(), topic: z.string(), client: z.string().nullable() }));

/** What became of a connection's webhooks: ISO instants, and how many were refused since one was accepted. */
export type KnownTraffic = z.output<typeof traffic>;
export type KeptRefusal = z.output<typeof refusalRows.schema>;

/** Of every connection that ever got a webhook. */
export async function everyTraffic(pool: Pool): Promise<KnownTraffic[]> {
  return readRows(pool, trafficRows, {
    text: `select connection_id as "connectionId", accepted_at as "lastAccepted", refused_at as "lastRefused", refused_code as "refusedCode",
      refused_in_row as "refusedInARow" from traffic`,
  });
}

/** The kept refusals of a connection, the newest first. */
export async function refusalsOf(pool: Pool, connectionId: string): Promise<KeptRefusal[]> {
  return readRows(pool, refusalRows, {
    text: 'select at, code, topic, client from refusals where connection_id = $1 order by at desc, id desc',
    values: [connectionId],
  });
}

const lastRows = rowsOf('traffic', z.object({ name: z.string(), ageSeconds: z.number().nullable() }));

/** The live connections, that of the last accepted webhook first, and how long ago that came; null: none came. */
export async function lastWebhooks(pool: Pool, most: number): Promise<z.output<typeof lastRows.schema>[]> {
  return readRows(pool, lastRows, {
    text: `select c.name, extract(epoch from now() - t.accepted_at)::float as "ageSeconds" from connections c left join traffic t on t.connection_id = c.id
      where c.closed_at is null order by t.accepted_at desc nulls last, c.created_at limit $1`,
    values: [most],
  });
}
