import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { appOf, type Connection } from '../connections/connection.ts';
import { earlierStore } from '../connections/earlier-store.ts';
import { goOn } from '../connections/go-on.ts';
import type { Earlier, NewConnection, Opened } from '../connections/new-connection.ts';
import { storeHost } from '../storefronts/store-host.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { endEarlierWays } from './change-invitation.ts';
import { connectionAct } from './connection-act.ts';
import { COLUMNS, CONNECTIONS_CHANNEL, type ConnectionRows, closedConnections, UNLESS_JUDGED } from './connection-row.ts';
import { sealConnection } from './connection-secrets.ts';
import { freeStoreKey } from './free-store-key.ts';
import { keepIfGranted } from './keep-token.ts';
import { moveOrders } from './move-orders.ts';

const idRow = rowsOf('connections', z.object({ id: z.string() }));
const appRow = rowsOf('store_apps', z.object({ id: z.string() }));
const clockRow = rowsOf('connections', z.object({ at: z.string() }));

type Opening = { input: NewConnection; rows: ConnectionRows; said: Said };
type Ledger = { tx: Queryable; rows: ConnectionRows; sealer: Sealer };

/** Opens the disconnected connection of the same store again, or makes a new one. */
export function openConnection(pool: Pool, sealer: Sealer, { input, rows, said }: Opening): Promise<Opened> {
  return inTransaction(pool, async (tx) => {
    const ledger = { tx, rows, sealer };
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [`orderbridge shop ${input.shopId}`]);
    const live = await liveConnection(tx, input.shopId);
    if (live !== null) return { taken: live };
    const barred = await barredBy(tx, input);
    if (barred !== null) return { barred };
    const verdict = earlierStore(input, await closedConnections(tx, rows, input));
    if (verdict.is === 'unclear') return { unclear: verdict.among };
    const opened = verdict.is === 'same' ? await reopen(ledger, input, verdict.earlier) : await add(ledger, input, verdict);
    if (!('connection' in opened)) return opened;
    const { connection: after, earlier } = opened;
    // Who has access by an app has its tokens: either both are written, or none.
    await keepIfGranted(tx, sealer, { id: after.id, access: after.access, token: input.granted });
    await tell(tx, opened, said);
    return { connection: after, earlier: await withEndedWays(tx, earlier, { except: input.keepsWay ?? null, ...said }) };
  });
}

async function tell(tx: Queryable, { connection: after, earlier }: Extract<Opened, { connection: Connection }>, said: Said): Promise<void> {
  const act = connectionAct({ act: 'store.connected', said, before: earlier.is === 'same' ? earlier.earlier : null, after });
  await writeBridgeActs(tx, act === null ? [] : [act]);
  await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, after.id]);
}

/** Who had the store before may be somebody else than who opens it again: his links end. */
async function withEndedWays(tx: Queryable, earlier: Earlier, said: Said & { except: string | null }): Promise<Earlier> {
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

async function reopen({ tx, rows, sealer }: Ledger, input: NewConnection, earlier: Connection): Promise<Opened> {
  const { at } = await readOne(tx, clockRow, { text: 'select now() as at' });
  const began = input.settings?.recordFrom ?? earlier.recordFrom;
  const { recordFrom, gaps, gap } = goOn({ ...earlier, recordFrom: began }, { at, from: input.recordFrom });
  await tx.query(REOPEN, [
    ...[earlier.id, input.name, input.destinationId, ...sealed(earlier.id, input, sealer), input.settings === null ? null : JSON.stringify(input.settings)],
    ...[recordFrom, JSON.stringify(gaps), input.identity, input.trial === true, appOf(input.access)],
  ]);
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
  await tx.query(`insert into connection_hosts (connection_id, host, verdict) select $1, host, 'ours' from unnest($2::text[]) host ${UNLESS_JUDGED}`, [
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

async function add({ tx, rows, sealer }: Ledger, input: NewConnection, verdict: Beginning): Promise<Opened> {
  const { platform, name, shopId, destinationId, settings, identity } = input;
  const isApart = input.claim?.is === 'new';
  const store = isApart ? await apartStore(tx, input) : input.store;
  const predecessor = verdict.is !== 'none' && store === null && !isApart ? verdict.earlier.id : null;
  const id = `c_${randomBytes(12).toString('hex')}`;
  const connection = await readRow(tx, rows, {
    text: INSERT,
    values: [
      ...[id, platform, name, shopId, destinationId, ...sealed(id, input, sealer), settings ?? {}],
      ...[input.recordFrom ?? settings?.recordFrom ?? null, store, identity, predecessor, isApart, input.trial === true, appOf(input.access)],
    ],
  });
  return connection === null ? { taken: 'unknown' } : { connection, earlier: verdict };
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
