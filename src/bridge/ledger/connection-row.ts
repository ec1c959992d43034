import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Act, type Authorship, authorOf, difference } from '../../platform/audit-log/audit-log.ts';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import { type RowShape, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { SealBroken, type Sealer } from '../../platform/seal.ts';
import type { Connection, LiveSecret } from '../connections/connection.ts';
import { connectionSettings } from '../connections/connection-settings.ts';
import type { StoreAccess } from '../storefronts/contract.ts';
import { storeHost } from '../storefronts/store-host.ts';
import type { BridgeAct } from './bridge-acts.ts';
import { openJson } from './json-columns.ts';

/** Sent on every change of a connection, so that caches in other processes drop it. */
export const CONNECTIONS_CHANNEL = 'orderbridge_connections';

const HOSTS = `coalesce((select jsonb_agg(jsonb_build_object('host', h.host, 'ownership', h.ownership, 'dismissed', h.dismissed) order by h.host) from connection_hosts h
  where h.connection_id = connections.id), '[]') as hosts`;

/** What a statement selects or returns so that `connectionRows` reads it. */
export const COLUMNS = `*, ${HOSTS}`;
export const SELECT = `select ${COLUMNS} from connections`;

/** Ends the insert of a host that is the store's: one that is quarantined is from now on, and what a person said about one stays. */
export const UNLESS_JUDGED = `on conflict (connection_id, host) do update set ownership = excluded.ownership where connection_hosts.ownership = 'quarantined'`;

export type ConnectionRows = RowShape<Connection>;

/**
 * What does not open because it was sealed for another row is missing, and `unopened` says so. With wrong ENCRYPTION_KEYS nothing opens: that
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
  hosts: z.array(z.object({ host: z.string(), ownership: z.enum(['quarantined', 'ours', 'not-ours']), dismissed: z.int() })),
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

const TABLE = 'bridge.connections';

const liveSecrets = z.array(z.object({ secret: z.string(), until: z.string().nullable(), repairing: z.literal(true).exactOptional() }));
const storeAccess = z.object({ url: z.string() }).catchall(z.string());

/** Seals what a connection keeps secret, for its row. */
export function sealConnection(sealer: Sealer, id: string) {
  const seal = (column: string, value: unknown) => sealer.seal(JSON.stringify(value), { table: TABLE, column, id });
  return {
    secrets: (secrets: readonly LiveSecret[]) => seal('secrets', secrets),
    access: (access: StoreAccess) => seal('store_access', access),
  };
}

type SealedRow = { id: string; secrets: string; store_access: string | null };
type Opening = { sealer: Sealer; wrongKey: 'throws' | 'noted' };

/** Opens both; what does not open is missing, with words for people. */
function openSecrets(opening: Opening, row: SealedRow, context: z.RefinementCtx): Pick<Connection, 'secrets' | 'access' | 'unopened'> {
  const { id, store_access: sealedAccess } = row;
  const unopened: string[] = [];
  function open<Content>(column: string, sealed: string, content: z.ZodType<Content>): Content | null {
    try {
      return openJson({ sealer: opening.sealer, sealed, place: { table: TABLE, column, id } }, content, context);
    } catch (thrown) {
      if (!(thrown instanceof SealBroken) || (thrown.mayOpen && opening.wrongKey === 'throws')) throw thrown;
      unopened.push(`${WHAT[column]}: ${thrown.message}${thrown.mayOpen ? '' : ` (${cure(column, id)})`}`);
      return null;
    }
  }
  const secrets = open('secrets', row.secrets, liveSecrets) ?? [];
  const access = sealedAccess === null ? null : open('store_access', sealedAccess, storeAccess);
  return { secrets, access, ...(unopened.length === 0 ? {} : { unopened }) };
}

const WHAT: Readonly<Record<string, string>> = { secrets: 'the webhook secret, so that no webhook is taken', store_access: 'the keys of the store’s API' };

function cure(column: string, id: string): string {
  return column === 'secrets' ? `orderbridge rotate-secret ${id} --secret prompt` : `orderbridge reconnect ${id} with --store-url and the keys`;
}

/**
 * The secrets from now on, or how they are made of those of this moment: then the row is locked meanwhile, so that one that was added a moment ago,
 * such as for webhooks that were repaired, is among them.
 */
export type SecretsAfter = LiveSecret[] | ((live: readonly LiveSecret[]) => LiveSecret[]);

/** Null: they stay. */
export function secretsOf(after: SecretsAfter | null, { secrets }: Pick<Connection, 'secrets'>): LiveSecret[] | null {
  return typeof after === 'function' ? after(secrets) : after;
}

const sealedRow = rowsOf('connections', z.object({ sealed: z.string() }));

/** Another text with each change of a connection's secrets, which says nothing about them: it is made of what is sealed. Null: there is no such connection. */
export async function secretsVersion(pool: Pool, connectionId: string): Promise<string | null> {
  const found = await readRow(pool, sealedRow, { text: 'select secrets as sealed from connections where id = $1', values: [connectionId] });
  return found === null ? null : createHash('sha256').update(found.sealed).digest('base64url');
}

type Changed = { act: BridgeAct; said: Authorship; before: Connection | null; after: Connection; also?: Record<string, unknown> };

/** What became of a connection, for the audit log; of its secrets no more than that they changed. Null: nothing did. */
export function connectionAct({ act, said, before, after, also = {} }: Changed): Act<BridgeAct> | null {
  const parts = difference(before === null ? {} : shownOf(before), shownOf(after));
  const changed = {
    ...parts?.after,
    ...(isSame(before?.secrets, after.secrets) ? {} : { secret: secretWords(before) }),
    ...(isSame(keysOf(before), keysOf(after)) ? {} : { storeKeys: secretWords(before) }),
    ...also,
  };
  if (parts === null && Object.keys(changed).length === 0) return null;
  return { ...authorOf(said), act, connectionId: after.id, ...(before === null ? {} : { before: parts?.before ?? {} }), after: changed };
}

function secretWords(before: Connection | null): string {
  return before === null ? 'given' : 'changed';
}

function shownOf({
  platform,
  name,
  store,
  shopId,
  destinationId,
  settings,
  recordFrom,
  trialSince,
  gaps,
  hosts,
  access,
  app,
  storeIdentity,
  closedAt,
}: Connection) {
  return {
    ...{ platform, name, store, shopId, destinationId, settings, recordFrom, trialSince, gaps, storeIdentity, closedAt },
    hosts: Object.fromEntries(hosts.map(({ host, ownership }) => [host, ownership])),
    ...(app === null ? {} : { app }),
    // The rest of an address may be a key.
    storeHost: access === null ? null : storeHost(access.url),
  };
}

function keysOf(connection: Connection | null): Connection['access'] {
  return connection?.access ?? null;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
