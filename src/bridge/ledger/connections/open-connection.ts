import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type Authorship, BY_PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { allowLongStatements, inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../../platform/seal.ts';
import { appOf, type Connection } from '../../connections/connection.ts';
import { curedCodes } from '../../connections/connection-settings.ts';
import { earlierStore, storeOfHost } from '../../connections/host-owner.ts';
import { type Earlier, goOn, type NewConnection, type OpenedConnection } from '../../connections/new-connection.ts';
import { storeHost } from '../../storefronts/store-host.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import {
  COLUMNS,
  CONNECTIONS_CHANNEL,
  type ConnectionRows,
  closedConnections,
  connectionAct,
  SELECT,
  sealConnection,
  UNLESS_JUDGED,
} from '../connection-row.ts';
import { endEarlierWays } from '../invitations/invitation-store.ts';
import { reevaluate } from '../orders/pending-orders.ts';
import { wantSince } from '../sync/sync-store.ts';
import { keepIfGranted } from './store-tokens.ts';

const idRow = rowsOf('connections', z.object({ id: z.string() }));
const appRow = rowsOf('store_apps', z.object({ id: z.string() }));
const clockRow = rowsOf('connections', z.object({ at: z.string() }));

type Opening = { input: NewConnection; rows: ConnectionRows; said: Authorship };
type Ledger = { tx: Queryable; rows: ConnectionRows; sealer: Sealer };

/** Opens the disconnected connection of the same store again, or makes a new one. */
export function openConnection(pool: Pool, sealer: Sealer, { input, rows, said }: Opening): Promise<OpenedConnection> {
  return inTransaction(pool, async (tx) => {
    const ledger = { tx, rows, sealer };
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`orderbridge shop ${input.shopId}`]);
    const live = await liveConnection(tx, input.shopId);
    if (live !== null) return { taken: live };
    const barred = await barredBy(tx, input);
    if (barred !== null) return { barred };
    const found = earlierStore(input, await closedConnections(tx, rows, input));
    if (found.is === 'unclear') return { unclear: found.among };
    const opened = found.is === 'same' ? await reopen(ledger, input, found.earlier) : await add(ledger, input, found);
    if (!('connection' in opened)) return opened;
    const { connection: after, earlier } = opened;
    // Who has access by an app has its tokens: either both are written, or none.
    await keepIfGranted(tx, sealer, { id: after.id, access: after.access, token: input.granted });
    if (input.readFrom !== undefined) await wantSince(tx, after.id, input.readFrom);
    await tell(tx, opened, said);
    return { connection: after, earlier: await withEndedWays(tx, earlier, { except: input.keepsWay ?? null, ...said }) };
  });
}

async function tell(tx: Queryable, { connection: after, earlier }: Extract<OpenedConnection, { connection: Connection }>, said: Authorship): Promise<void> {
  const act = connectionAct({ act: 'store.connected', said, before: earlier.is === 'same' ? earlier.earlier : null, after });
  await writeBridgeActs(tx, act === null ? [] : [act]);
  await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, after.id]);
}

/** Who had the store before may be somebody else than who opens it again: their links end. */
async function withEndedWays(tx: Queryable, earlier: Earlier, said: Authorship & { except: string | null }): Promise<Earlier> {
  if (earlier.is !== 'same') return earlier;
  const endedWays = await endEarlierWays(tx, { connectionId: earlier.earlier.id, ...said });
  return endedWays === 0 ? earlier : { ...earlier, endedWays };
}

async function liveConnection(tx: Queryable, shopId: string): Promise<string | null> {
  const live = await readRow(tx, idRow, { text: 'select id from connections where shop_id = $1 and closed_at is null', values: [shopId] });
  return live?.id ?? null;
}

/** Null: nothing is in the way, or the store came by no app. Who connects another one by the same app waits for this, and so does who removes it. */
async function barredBy(tx: Queryable, { access, platform, store }: NewConnection): Promise<'app' | 'store' | null> {
  const id = appOf(access);
  if (id === null) return null;
  const app = await readRow(tx, appRow, { text: 'select id from store_apps where id = $1 and removed_at is null for no key update', values: [id] });
  if (app === null) return 'app';
  const text = 'select id from connections where app = $1 and platform = $2 and store = $3 and closed_at is null limit 1';
  return (await readRow(tx, idRow, { text, values: [id, platform, store] })) === null ? null : 'store';
}

const REOPEN = `update connections set closed_at = null, predecessor = null, name = $2, destination_id = $3, secrets = $4, store_access = coalesce($5, store_access),
  settings = coalesce($6::jsonb, settings), record_from = $7, gaps = $8, store_identity = coalesce($9, store_identity), warnings = '{}',
  trial_since = case when $10 then coalesce(trial_since, now()) else trial_since end,
  recorded_until = case when $10 and trial_since is null then closed_at else recorded_until end,
  app = case when $5::text is null then app else $11 end where id = $1`;

async function reopen({ tx, rows, sealer }: Ledger, input: NewConnection, earlier: Connection): Promise<OpenedConnection> {
  const { at } = await readOne(tx, clockRow, { text: 'select now() as at' });
  const began = input.settings?.recordFrom ?? earlier.recordFrom;
  const { recordFrom, gaps, gap } = goOn({ ...earlier, recordFrom: began }, { at, from: input.recordFrom });
  await tx.query(REOPEN, [
    ...[earlier.id, input.name, input.destinationId, ...sealed(earlier.id, input, sealer), input.settings === null ? null : JSON.stringify(input.settings)],
    ...[recordFrom, JSON.stringify(gaps), input.identity, input.trial === true, appOf(input.access)],
  ]);
  // It may be read for the first time.
  if (earlier.access === null) await wantSince(tx, earlier.id, recordFrom);
  // What was wrong before, as with an earlier key, is forgotten like its warnings.
  await tx.query('update watches set error = null where connection_id = $1', [earlier.id]);
  await knowHosts(tx, earlier, input.hosts);
  await moveOrders(tx, earlier);
  const connection = await readOne(tx, rows, { text: `select ${COLUMNS} from connections where id = $1`, values: [earlier.id] });
  return { connection, earlier: { is: 'same', earlier, gap } };
}

/** Hosts that the options name: the store is there, too. What a person said about one stays. */
async function knowHosts(tx: Queryable, earlier: Connection, hosts: readonly string[]): Promise<void> {
  if (earlier.store === null) return;
  const first = storeHost(earlier.store);
  await tx.query(`insert into connection_hosts (connection_id, host, ownership) select $1, host, 'ours' from unnest($2::text[]) host ${UNLESS_JUDGED}`, [
    earlier.id,
    hosts.filter((host) => host !== first),
  ]);
}

// Stores tell when an order was paid to the second: one paid in this very second would seem to be from before.
const INSERT = `insert into connections (id, platform, name, shop_id, destination_id, secrets, store_access, settings, record_from, store, store_identity, predecessor, apart, trial_since,
    app)
  values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9::timestamptz, date_trunc('second', now())), $10, $11, $12, $13, case when $14 then now() end, $15)
  on conflict (shop_id) where closed_at is null do nothing returning ${COLUMNS}`;

type Beginning = { is: 'none' } | { is: 'other' | 'undecided'; earlier: Connection };

async function add({ tx, rows, sealer }: Ledger, input: NewConnection, found: Beginning): Promise<OpenedConnection> {
  const { platform, name, shopId, destinationId, settings, identity } = input;
  const isApart = input.claim?.is === 'new';
  const store = isApart ? await apartStore(tx, input) : input.store;
  const predecessor = found.is !== 'none' && store === null && !isApart ? found.earlier.id : null;
  const id = `c_${randomBytes(12).toString('hex')}`;
  const connection = await readRow(tx, rows, {
    text: INSERT,
    values: [
      ...[id, platform, name, shopId, destinationId, ...sealed(id, input, sealer), settings ?? {}],
      ...[input.recordFrom ?? settings?.recordFrom ?? null, store, identity, predecessor, isApart, input.trial === true, appOf(input.access)],
    ],
  });
  return connection === null ? { taken: 'unknown' } : { connection, earlier: found };
}

/** Null: its first delivery names it. */
async function apartStore(tx: Queryable, input: NewConnection): Promise<string | null> {
  const store = input.store ?? (input.ownShop ? input.name : null);
  return store === null ? null : freeStoreKey(tx, input, store);
}

function sealed(id: string, { secret, access }: NewConnection, sealer: Sealer): unknown[] {
  const seal = sealConnection(sealer, id);
  return [seal.secrets([{ secret, until: null }]), access && seal.access(access)];
}

/**
 * Names the store of a connection by its first delivery; returns the name under which its orders are kept. A connection that may continue an
 * earlier store does so if the host is that store's.
 */
export function pinStore(pool: Pool, rows: ConnectionRows, { id, store }: { id: string; store: string }): Promise<string> {
  return inTransaction(pool, async (tx) => {
    const connection = await readRow(tx, rows, { text: `${SELECT} where id = $1 for no key update`, values: [id] });
    if (connection === null) return store;
    if (connection.store !== null) return connection.store;
    const earlier = connection.predecessor === null ? undefined : storeOfHost(store, await closedConnections(tx, rows, connection));
    const key = earlier?.store ?? (await ownKey(tx, connection, store));
    await tx.query('update connections set store = $2, predecessor = null where id = $1', [id, key]);
    if (earlier !== undefined) await adopt(tx, { ...connection, store: key }, earlier);
    await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
    return key;
  });
}

/** A store that was declared to be another one keeps its orders apart from those of an earlier store of the same name. */
async function ownKey(tx: Queryable, connection: Connection, store: string): Promise<string> {
  return connection.isApart ? freeStoreKey(tx, connection, store) : store;
}

const ADOPT = `update connections c set record_from = $3, gaps = $4, recorded_until = $5, settings = case when c.settings = '{}' then e.settings else c.settings end,
  store_identity = coalesce(c.store_identity, e.store_identity) from connections e where c.id = $1 and e.id = $2`;

const MOVE_HOSTS = `with gone as (delete from connection_hosts where connection_id = $2 returning *)
  insert into connection_hosts (connection_id, host, ownership, dismissed, first_at, last_at)
  select $1, host, ownership, dismissed, first_at, last_at from gone on conflict do nothing`;

/** The connection goes on as the earlier store: its span, its settings unless others were given, its hosts, what they hold, and its orders. */
async function adopt(tx: Queryable, connection: Connection, earlier: Connection): Promise<void> {
  const { recordFrom, gaps } = continued(connection, earlier);
  await tx.query(ADOPT, [connection.id, earlier.id, recordFrom, JSON.stringify(gaps), recordedUntil(connection, earlier)]);
  if (recordFrom < connection.recordFrom) await wantSince(tx, connection.id, recordFrom);
  const both = [connection.id, earlier.id];
  // Who had the earlier store may be somebody else.
  await endEarlierWays(tx, { connectionId: earlier.id, except: null, ...BY_PROGRAM });
  await tx.query(MOVE_HOSTS, both);
  await tx.query(`update deliveries set connection_id = $1 where connection_id = $2 and outcome = 'quarantined'`, both);
  await moveOrders(tx, connection);
  // They are due, and claimed in a moment.
  await reevaluate(tx, { waitsForStoreOf: connection.id });
  const { id, settings } = connection;
  if (Object.keys(settings).length === 0) return;
  await reevaluate(tx, { connectionId: id, codes: curedCodes(settings) });
  await reevaluate(tx, { unrecordedOf: id });
}

/** On trial it must know what the earlier store recorded, which the start does not leave out. */
function recordedUntil({ trialSince }: Connection, earlier: Connection): string | null {
  if (trialSince === null) return null;
  return earlier.trialSince === null ? earlier.closedAt : earlier.recordedUntil;
}

/** What `connect` was told about the start counts as it would have, had the store been known then. */
function continued({ settings, recordFrom, createdAt }: Connection, earlier: Connection): Pick<Connection, 'recordFrom' | 'gaps'> {
  const at = createdAt;
  if (settings.recordFrom !== undefined) return goOn({ ...earlier, recordFrom }, { at, from: null });
  return goOn(earlier, { at, from: recordFrom === createdAt ? null : recordFrom });
}

const storeRows = rowsOf('connections', z.object({ store: z.string() }));

/** A name for the orders of another store that is called as an earlier one of the shop: `NAME#2`, or the next that is free. */
async function freeStoreKey(tx: Queryable, { shopId, platform }: Pick<Connection, 'shopId' | 'platform'>, store: string): Promise<string> {
  const rows = await readRows(tx, storeRows, {
    text: 'select store from connections where shop_id = $1 and platform = $2 and store is not null',
    values: [shopId, platform],
  });
  const taken = new Set(rows.map((row) => row.store));
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? store : `${store}#${count}`;
    if (!taken.has(key)) return key;
  }
}

/** Moves the orders that other connections took of this store to this one, so that what waits goes on with its keys and settings. */
async function moveOrders(tx: Queryable, { id, shopId, platform, store }: Pick<Connection, 'id' | 'shopId' | 'platform' | 'store'>): Promise<void> {
  if (store === null) return;
  await allowLongStatements(tx, '10min');
  await tx.query(MOVE, [id, shopId, platform, store]);
}

// Locked in the order in which deliveries lock them, and as who changes what orders are found by.
const MOVE = `with theirs as (
    select o.id from orders o where o.shop_id = $2 and o.platform = $3 and o.store = $4 and o.connection_id <> $1
    order by coalesce(o.platform_id, o.order_id), o.id for update),
    moved as (update orders o set connection_id = $1 from theirs where o.id = theirs.id returning o.id)
  update order_search s set is_stale = true from moved where s.order_ref = moved.id`;
