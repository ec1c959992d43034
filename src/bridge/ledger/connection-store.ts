import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Connection, LiveSecret } from '../connections/connection.ts';
import { connectionSettings, type SettingsInput } from '../connections/connection-settings.ts';
import type { StoreAccess } from '../storefronts/contract.ts';
import { sealedJson } from './sealed-json.ts';

/** Sent on every change of a connection, so that caches in other processes drop it. */
export const CONNECTIONS_CHANNEL = 'orderbridge_connections';

export type NewConnection = {
  platform: string;
  name: string;
  secret: string;
  shopId: string;
  destinationId: string;
  settings: SettingsInput;
  access: StoreAccess | null;
  /** Null: a delivery names it, or an earlier connection. */
  store: string | null;
  /** Only we name this store: one that is connected again keeps its earlier name. */
  keepsEarlierName: boolean;
};

/** Connections in PostgreSQL; secrets are sealed before they get there. */
export type ConnectionStore = {
  /** `taken`: the shop already has a live connection, with this id. */
  create(input: NewConnection): Promise<{ connection: Connection } | { taken: string }>;
  find(id: string): Promise<Connection | null>;
  /** Every connection of a store that its platform names: live ones first, then the newest. */
  findByStore(platform: string, store: string): Promise<Connection[]>;
  list(): Promise<Connection[]>;
  close(id: string): Promise<Connection | null>;
  changeSettings(id: string, settings: SettingsInput): Promise<Connection | null>;
  changeSecrets(id: string, secrets: LiveSecret[]): Promise<Connection | null>;
  /** Pins the store's name at its first delivery; returns the pinned one. */
  pinStore(id: string, store: string): Promise<string>;
  /** Keeps one warning per kind, for `orderbridge connections`. */
  warn(id: string, kind: string, words: string): Promise<void>;
  /** The reason for a warning of this kind is gone; true if there was one. */
  endWarning(id: string, kind: string): Promise<boolean>;
};

const HOSTS = `coalesce((select jsonb_agg(jsonb_build_object('host', h.host, 'verdict', h.verdict, 'dismissed', h.dismissed) order by h.host) from connection_hosts h
  where h.connection_id = connections.id), '[]') as hosts`;
const COLUMNS = `*, ${HOSTS}`;
const SELECT = `select ${COLUMNS} from connections`;
const idRow = rowsOf('connections', z.object({ id: z.string() }));

export function createConnectionStore(pool: Pool, sealer: Sealer): ConnectionStore {
  const rows = rowsOf('connections', connectionRow(sealer).transform(toConnection));
  const change = async (text: string, values: unknown[]): Promise<Connection | null> => {
    const changed = await readRow(pool, rows, { text: `${text} returning ${COLUMNS}`, values });
    if (changed !== null) await pool.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, changed.id]);
    return changed;
  };
  return {
    create: async (input) => {
      const connection = await change(INSERT, insertValues(input, sealer));
      if (connection !== null) return { connection };
      const taken = await readRow(pool, idRow, { text: 'select id from connections where shop_id = $1 and closed_at is null', values: [input.shopId] });
      return { taken: taken?.id ?? 'unknown' };
    },
    find: (id) => readRow(pool, rows, { text: `${SELECT} where id = $1`, values: [id] }),
    findByStore: (platform, store) => readRows(pool, rows, { text: BY_STORE, values: [platform, store] }),
    list: () => readRows(pool, rows, { text: `${SELECT} order by created_at` }),
    close: (id) => change('update connections set closed_at = coalesce(closed_at, now()) where id = $1', [id]),
    changeSettings: (id, settings) =>
      change('update connections set settings = $2, record_from = coalesce($3::timestamptz, record_from) where id = $1', [
        id,
        settings,
        settings.recordFrom ?? null,
      ]),
    changeSecrets: (id, secrets) => change('update connections set secrets = $2 where id = $1', [id, sealer.seal(JSON.stringify(secrets))]),
    pinStore: async (id, store) => (await change('update connections set store = coalesce(store, $2) where id = $1', [id, store]))?.store ?? store,
    warn: async (id, kind, words) => {
      await pool.query(WARN, [id, kind, words]);
    },
    endWarning: async (id, kind) => {
      const { rowCount } = await pool.query('update connections set warnings = warnings - $2 where id = $1 and warnings ? $2', [id, kind]);
      return rowCount === 1;
    },
  };
}

// A store that is connected again goes on: its orders keep the earlier start, and, where only we named it, the earlier name.
const INSERT = `insert into connections (id, platform, name, store, shop_id, destination_id, secrets, store_access, settings, record_from)
  values ($1, $2, $3,
    coalesce($4, (select store from connections where $11 and shop_id = $5 and platform = $2 and store is not null order by created_at limit 1)),
    $5, $6, $7, $8, $9, coalesce($10::timestamptz,
    (select min(record_from) from connections where shop_id = $5 and platform = $2), now()))
  on conflict (shop_id) where closed_at is null do nothing`;

function insertValues({ platform, name, store, shopId, destinationId, secret, access, settings, keepsEarlierName }: NewConnection, sealer: Sealer): unknown[] {
  const id = `c_${randomBytes(12).toString('hex')}`;
  const secrets: LiveSecret[] = [{ secret, until: null }];
  const sealed = [sealer.seal(JSON.stringify(secrets)), access === null ? null : sealer.seal(JSON.stringify(access))];
  return [id, platform, name, store, shopId, destinationId, ...sealed, settings, settings.recordFrom ?? null, keepsEarlierName];
}

const BY_STORE = `${SELECT} where platform = $1 and (lower(coalesce(store, name)) = lower($2)
    or id in (select h.connection_id from connection_hosts h where h.host = lower($2) and h.verdict = 'ours'))
  order by closed_at is not null, created_at desc limit 20`;

const WARN = `update connections set warnings = warnings || jsonb_build_object($2::text, $3::text) where id = $1 and warnings ->> $2 is distinct from $3`;

const connectionRow = (sealer: Sealer) =>
  z.object({
    id: z.string(),
    platform: z.string(),
    name: z.string(),
    store: z.string().nullable(),
    shop_id: z.string(),
    destination_id: z.string(),
    secrets: sealedJson(sealer, z.array(z.object({ secret: z.string(), until: z.string().nullable() }))),
    store_access: sealedJson(sealer, z.object({ url: z.string() }).catchall(z.string())).nullable(),
    settings: connectionSettings,
    record_from: z.string(),
    warnings: z.record(z.string(), z.string()),
    hosts: z.array(z.object({ host: z.string(), verdict: z.enum(['held', 'ours', 'not-ours']), dismissed: z.int() })),
    store_identity: z.string().nullable(),
    gaps: z.array(z.object({ from: z.string(), until: z.string() })),
    predecessor: z.string().nullable(),
    created_at: z.string(),
    closed_at: z.string().nullable(),
  });

function toConnection(row: z.output<ReturnType<typeof connectionRow>>): Connection {
  const { id, platform, name, store, secrets, settings, warnings, hosts, gaps, predecessor } = row;
  return {
    ...{ id, platform, name, store, secrets, settings, warnings, hosts, gaps, predecessor },
    storeIdentity: row.store_identity,
    shopId: row.shop_id,
    destinationId: row.destination_id,
    access: row.store_access,
    recordFrom: row.record_from,
    createdAt: row.created_at,
    closedAt: row.closed_at,
  };
}
