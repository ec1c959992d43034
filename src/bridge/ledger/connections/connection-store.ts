import { z } from 'zod';
import { type Authorship, BY_PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../../platform/seal.ts';
import { API_WARNINGS, appOf, type Connection, TOPIC_MISMATCH_WARNING } from '../../connections/connection.ts';
import type { SettingsInput } from '../../connections/connection-settings.ts';
import { type NewConnection, type OpenedConnection, takeFrom } from '../../connections/new-connection.ts';
import type { AccessToken, StoreAccess } from '../../storefronts/contract.ts';
import { type BridgeAct, writeBridgeActs } from '../bridge-acts.ts';
import {
  COLUMNS,
  CONNECTIONS_CHANNEL,
  type ConnectionRows,
  connectionAct,
  connectionRows,
  SELECT,
  type SecretsAfter,
  sealConnection,
  secretsOf,
  UNLESS_JUDGED,
} from '../connection-row.ts';
import { forgetClients } from '../deliveries/traffic-store.ts';
import { withOrderTriggers } from '../order-triggers.ts';
import { reevaluate } from '../orders/pending-orders.ts';
import { wantNewlyCounted } from '../sync/sync-store.ts';
import { type EditedSettings, editSettings, type SettingsEdit } from './connection-settings.ts';
import { openConnection, pinStore } from './open-connection.ts';
import { forgetTokens, keepIfGranted } from './store-tokens.ts';
import { endTrial, type Started } from './trial-store.ts';

/** The parts of a live connection that are replaced. Null: it stays as it is. */
export type Replacement = {
  name: string | null;
  secrets: SecretsAfter | null;
  access: StoreAccess | null;
  /** What the merchant granted to the app that `access` names. Absent: nothing that is not stored yet. */
  granted?: AccessToken;
  storeIdentity: string | null;
  destinationId: string | null;
  settings: SettingsInput | null;
  /** Orders paid from then on are taken, too. */
  recordFrom: string | null;
  /** A host that is the store’s from now on, unless a person said otherwise. */
  host: string | null;
  /** The warnings that this ends. */
  cures: readonly string[];
};

/** Connections in PostgreSQL; secrets are sealed before they get there. A change is written to the audit log; without `said` the program made it. */
export type ConnectionStore = {
  /** Opens the disconnected connection of the same store again, or makes a new one. */
  create(input: NewConnection, said?: Authorship): Promise<OpenedConnection>;
  find(id: string): Promise<Connection | null>;
  /** Every connection of a store that its platform names: live ones first, then the newest. */
  findByStore(platform: string, store: string): Promise<Connection[]>;
  list(): Promise<Connection[]>;
  /** Its access tokens are forgotten. `since`: when its webhooks began to be removed; absent: now. */
  close(id: string, said?: Authorship, since?: Date): Promise<Connection | null>;
  /** The same by the program, unless its store's keys are others than at that moment (`storeKeysMark`); false: they are. */
  closeIfStill(id: string, mark: string): Promise<boolean>;
  /** Null: it is not live. */
  replace(id: string, parts: Replacement, said?: Authorship): Promise<Connection | null>;
  changeSettings(id: string, edit: SettingsEdit): Promise<EditedSettings | null>;
  /** Ends its trial; null: it is not live, or not on trial. */
  startRecording(id: string, from: string, said?: Authorship): Promise<Started | null>;
  /** Orders paid from then on count. */
  moveRecordFrom(id: string, recordFrom: string, said?: Authorship): Promise<Connection | null>;
  changeSecrets(id: string, secrets: SecretsAfter, said?: Authorship): Promise<Connection | null>;
  /** Pins the store's name at its first delivery, which may continue an earlier store; returns the pinned one. */
  pinStore(id: string, store: string): Promise<string>;
  /** Keeps one warning per kind, for `orderbridge connections`, and one of `API_WARNINGS` at most: the last. */
  warn(id: string, kind: string, words: string): Promise<void>;
  /** The reason for a warning of these kinds is gone; true if there was one. */
  endWarning(id: string, ...kinds: string[]): Promise<boolean>;
};

export function createConnectionStore(pool: Pool, sealer: Sealer): ConnectionStore {
  const rows = connectionRows(sealer);
  // One connection whose secrets don't open must not hide the others, and the address of an app needs no secret of a store.
  const allRows = connectionRows(sealer, 'noted');
  const announce = announcedChanges(pool, { rows, allRows });
  const announcedChange: typeof announce = (id, change) => withOrderTriggers(pool, announce(id, change));
  const closed = async (id: string, { said, mark, since = null }: { said: Authorship | undefined; mark: string | null; since?: Date | null | undefined }) => {
    const first = (tx: Queryable) => forgetTokens(tx, { id, mark });
    const after = await announcedChange(id, { text: CLOSE, values: () => [since], act: 'store.disconnected', said, first });
    if (after !== null) await forgetClients(pool, id);
    return after;
  };
  return {
    create: (input, said = BY_PROGRAM) => withOrderTriggers(pool, openConnection(pool, sealer, { input, rows, said })),
    find: (id) => readRow(pool, rows, { text: `${SELECT} where id = $1`, values: [id] }),
    findByStore: (platform, store) => readRows(pool, allRows, { text: BY_STORE, values: [platform, store] }),
    list: everyConnection(pool, allRows),
    close: (id, said, since) => closed(id, { said, mark: null, since }),
    closeIfStill: async (id, mark) => (await closed(id, { said: BY_PROGRAM, mark })) !== null,
    replace: (id, parts, said) => {
      const also = parts.host === null ? {} : { hosts: { [parts.host]: 'ours' } };
      return announcedChange(id, {
        text: REPLACE,
        values: (before) => replaced(before, parts, sealer),
        act: 'store.changed',
        said,
        also,
        last: (tx, { access }) => keepIfGranted(tx, sealer, { id, access, token: parts.granted }),
      });
    },
    changeSettings: (id, edit) => withOrderTriggers(pool, editSettings(pool, rows, { id, ...edit })),
    startRecording: (id, from, said = BY_PROGRAM) => endTrial(pool, rows, { id, from, said }),
    moveRecordFrom: (id, recordFrom, said) => {
      const text = 'update connections set record_from = least(record_from, $2::timestamptz) where id = $1';
      // What counts now is due, and claimed in a moment.
      const last = async (tx: Queryable) => void (await reevaluate(tx, { unrecordedOf: id }));
      return announcedChange(id, { text, values: () => [recordFrom], act: 'store.changed', said, last });
    },
    changeSecrets: (id, secrets, said) => {
      const values = (before: Connection) => [sealConnection(sealer, id).secrets(secretsOf(secrets, before) ?? []), TOPIC_MISMATCH_WARNING];
      return announcedChange(id, { text: SECRETS, values, act: 'secret.rotated', said });
    },
    pinStore: (id, store) => withOrderTriggers(pool, pinStore(pool, rows, { id, store })),
    warn: async (id, kind, words) => {
      const instead = API_WARNINGS.includes(kind) ? API_WARNINGS.filter((one) => one !== kind) : [];
      await pool.query(WARN, [id, kind, words, instead]);
    },
    endWarning: async (id, ...kinds) => {
      const { rowCount } = await pool.query('update connections set warnings = warnings - $2::text[] where id = $1 and warnings ?| $2::text[]', [id, kinds]);
      return rowCount === 1;
    },
  };
}

const versionRows = rowsOf('connections', z.object({ id: z.string(), version: z.string() }));

// A row that is written has another place or another writer.
const VERSIONS = `select id, concat_ws(' ', c.xmin, c.ctid, (select string_agg(concat_ws(' ', host, ownership, dismissed), ' ' order by host) from connection_hosts h
    where h.connection_id = c.id)) as version from connections c order by c.created_at`;

const markRow = rowsOf('connections', z.object({ mark: z.string() }));
const sumOf = (table: string) => `(select coalesce(sum(hashtextextended(concat_ws(' ', t.xmin, t.ctid), 0)), 0) || '.' || count(*) from ${table} t)`;
// Of two sets of rows it is the same by chance once in 2^64.
const MARK = `select ${sumOf('connections')} || ' ' || ${sumOf('connection_hosts')} as mark`;

/** All, the oldest first. Pages ask for them, and there may be thousands: those that are as they were are not opened and checked again. */
function everyConnection(pool: Pool, rows: ConnectionRows): () => Promise<Connection[]> {
  let known = new Map<string, { version: string; connection: Connection }>();
  let last: { mark: string; all: Connection[] } | null = null;
  return async () => {
    const { mark } = await readOne(pool, markRow, { text: MARK });
    if (last?.mark === mark) return [...last.all];
    const versions = await readRows(pool, versionRows, { text: VERSIONS });
    // Another call may put others in its place meanwhile.
    const before = known;
    const isKnown = ({ id, version }: (typeof versions)[number]) => before.get(id)?.version === version;
    const changed = versions.flatMap((one) => (isKnown(one) ? [] : one.id));
    const read = changed.length === 0 ? [] : await readRows(pool, rows, { text: `${SELECT} where id = any($1)`, values: [changed] });
    const fresh = new Map(read.map((connection) => [connection.id, connection]));
    const all = versions.flatMap(({ id, version }) => {
      const connection = fresh.get(id) ?? before.get(id)?.connection;
      return connection === undefined ? [] : [{ version, connection }];
    });
    // What did not open may open next time.
    known = new Map(all.filter(({ connection }) => connection.unopened === undefined).map((one) => [one.connection.id, one]));
    last = known.size < all.length ? null : { mark, all: all.map(({ connection }) => connection) };
    return all.map(({ connection }) => connection);
  };
}

/** Changes a connection, and tells the audit log what changed; null: there is none, or none that the statement is about. */
function announcedChanges(pool: Pool, { rows, allRows }: { rows: ConnectionRows; allRows: ConnectionRows }) {
  return (id: string, { text, values, act, said = BY_PROGRAM, also = {}, first = always, last }: Change): Promise<Connection | null> =>
    inTransaction(pool, async (tx) => {
      const before = await readRow(tx, allRows, { text: `${SELECT} where id = $1 for no key update of connections`, values: [id] });
      if (before === null || !(await first(tx))) return null;
      const after = await readRow(tx, rows, { text: `${text} returning ${COLUMNS}`, values: [id, ...values(before)] });
      if (after === null) return null;
      await last?.(tx, after);
      await wantNewlyCounted(tx, before, after);
      const written = connectionAct({ act, said, before, after, also });
      await writeBridgeActs(tx, written === null ? [] : [written]);
      await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
      return after;
    });
}

/** `text`: its first value is the connection's id. `first`: what is done before it, with the row locked; false: nothing is changed. `last`: after it. */
type Change = {
  text: string;
  values(before: Connection): unknown[];
  act: BridgeAct;
  said: Authorship | undefined;
  also?: Record<string, unknown>;
  first?: (tx: Queryable) => Promise<boolean>;
  last?: (tx: Queryable, after: Connection) => Promise<void>;
};

const always = () => Promise.resolve(true);
const CLOSE = 'update connections set closed_at = coalesce(closed_at, $2, now()) where id = $1';

const SECRETS = 'update connections set secrets = $2, warnings = warnings - $3 where id = $1';
const REPLACE = `with host as (insert into connection_hosts (connection_id, host, ownership) select $1, $10, 'ours' where $10::text is not null ${UNLESS_JUDGED})
  update connections set name = coalesce($2, name), secrets = coalesce($3, secrets), store_access = coalesce($4, store_access),
    store_identity = coalesce($5, store_identity), destination_id = coalesce($6, destination_id), settings = coalesce($7::jsonb, settings),
    record_from = $8, gaps = $9, warnings = warnings - $11::text[],
    app = case when $4::text is null then app else $12 end
  where id = $1 and closed_at is null`;

function replaced(before: Connection, parts: Replacement, sealer: Sealer): unknown[] {
  const { name, access, storeIdentity, destinationId, settings, host, cures } = parts;
  const secrets = secretsOf(parts.secrets, before);
  const { recordFrom, gaps } = takeFrom({ ...before, recordFrom: settings?.recordFrom ?? before.recordFrom }, parts.recordFrom);
  const sealed = sealConnection(sealer, before.id);
  return [
    ...[name, secrets && sealed.secrets(secrets), access && sealed.access(access), storeIdentity, destinationId],
    ...[settings && JSON.stringify(settings), recordFrom, JSON.stringify(gaps), host, cures, appOf(access)],
  ];
}

// A store that was declared to be another one than that of the same name is kept under `NAME#2`.
const BY_STORE = `${SELECT} where platform = $1 and (lower(split_part(coalesce(store, name), '#', 1)) = lower($2)
    or id in (select h.connection_id from connection_hosts h where h.host = lower($2) and h.ownership = 'ours'))
  order by closed_at is not null, created_at desc limit 20`;

const WARN = `update connections set warnings = warnings - $4::text[] || jsonb_build_object($2::text, $3::text)
  where id = $1 and (warnings ->> $2 is distinct from $3 or warnings ?| $4::text[])`;
