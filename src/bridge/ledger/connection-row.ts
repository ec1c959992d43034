import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { type RowShape, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionSettings } from '../connections/connection-settings.ts';
import { openSecrets } from './connection-secrets.ts';

/** Sent on every change of a connection, so that caches in other processes drop it. */
export const CONNECTIONS_CHANNEL = 'orderbridge_connections';

const HOSTS = `coalesce((select jsonb_agg(jsonb_build_object('host', h.host, 'verdict', h.verdict, 'dismissed', h.dismissed) order by h.host) from connection_hosts h
  where h.connection_id = connections.id), '[]') as hosts`;

/** What a statement selects or returns so that `connectionRows` reads it. */
export const COLUMNS = `*, ${HOSTS}`;
export const SELECT = `select ${COLUMNS} from connections`;

/** Ends the insert of a host that is the store's: one that is held is from now on, and what a person said about one stays. */
export const UNLESS_JUDGED = `on conflict (connection_id, host) do update set verdict = excluded.verdict where connection_hosts.verdict = 'held'`;

export type ConnectionRows = RowShape<Connection>;

/**
 * What does not open because it was sealed for another row is missing, and `unopened` says so. With a wrong ENCRYPTION_KEY nothing opens: that
 * throws, unless it is only `noted`, too, for lists and for what needs no secret.
 */
export function connectionRows(sealer: Sealer, wrongKey: 'throws' | 'noted' = 'throws'): ConnectionRows {
  return rowsOf(
    'connections',
    connectionRow.transform((row, context) => ({ ...toConnection(row), ...openSecrets({ sealer, wrongKey }, row, context) })),
  );
}

/** The disconnected connections of a shop's stores on one platform: those that took orders first, then the last disconnected. */
export function closedConnections(db: Queryable, rows: ConnectionRows, { shopId, platform }: Pick<Connection, 'shopId' | 'platform'>): Promise<Connection[]> {
  return readRows(db, rows, {
    text: `${SELECT} where shop_id = $1 and platform = $2 and closed_at is not null order by store is null, closed_at desc, created_at desc`,
    values: [shopId, platform],
  });
}

const connectionRow = z.object({
  id: z.string(),
  platform: z.string(),
  name: z.string(),
  store: z.string().nullable(),
  shop_id: z.string(),
  destination_id: z.string(),
  secrets: z.string(),
  store_access: z.string().nullable(),
  app: z.string().nullable(),
  settings: connectionSettings,
  record_from: z.string(),
  trial_since: z.string().nullable(),
  recorded_until: z.string().nullable(),
  warnings: z.record(z.string(), z.string()),
  hosts: z.array(z.object({ host: z.string(), verdict: z.enum(['held', 'ours', 'not-ours']), dismissed: z.int() })),
  store_identity: z.string().nullable(),
  gaps: z.array(z.object({ from: z.string(), until: z.string() })),
  predecessor: z.string().nullable(),
  apart: z.boolean(),
  throttled: z.int(),
  throttled_at: z.string().nullable(),
  created_at: z.string(),
  closed_at: z.string().nullable(),
});

function toConnection(row: z.output<typeof connectionRow>): Omit<Connection, 'secrets' | 'access'> {
  const { id, platform, name, store, app, settings, warnings, hosts, gaps, predecessor } = row;
  return {
    ...{ id, platform, name, store, app, settings, warnings, hosts, gaps, predecessor },
    isApart: row.apart,
    storeIdentity: row.store_identity,
    shopId: row.shop_id,
    destinationId: row.destination_id,
    recordFrom: row.record_from,
    trialSince: row.trial_since,
    recordedUntil: row.recorded_until,
    throttled: { count: row.throttled, last: row.throttled_at },
    createdAt: row.created_at,
    closedAt: row.closed_at,
  };
}
