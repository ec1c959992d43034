import { setTimeout as delay } from 'node:timers/promises';
import { storeReadStates } from '../../../src/bridge/ledger/sync/sync-store.ts';
import { type ChangingStore, type StoreOrder, startChangingStore } from '../servers/changing-store.ts';
import { startPostgres } from '../servers/postgres.ts';
import { startRedis } from '../servers/redis.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf } from '../worlds/bridge.ts';
import { until } from '../worlds/settled.ts';
import { startReader } from './start-reader.ts';

export type Measured = {
  seen: number;
  handed: number;
  requests: number;
  seconds: number;
  /** MB of the process: before the store was read, and the most while it was. */
  before: number;
  most: number;
};

const MINUTE_MS = 60_000;
const EVERY_MS = 100;
/** Of so many changed orders one is unknown here. */
const UNKNOWN = 100;
/** A process at work takes more than one that has just started: a heap grows to about twice of what lives in it. */
const WARM = 5_000;

/** Has a worker read a store with so many changed orders, nearly all of which are known, and measures its memory. */
export async function measureReading({ count }: { count: number }): Promise<Measured> {
  await using resources = new AsyncDisposableStack();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  resources.use(postgres);
  resources.use(redis);
  const service = resources.use(await ScriptedCompliance.start({}));
  const where = { databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, complianceUrl: service.url };
  const bridge = resources.use(await Bridge.start({ ...where, role: 'receiver' }));
  const reader = resources.use(await startReader(where));

  const warm = resources.use(await startChangingStore('127.0.0.2'));
  warm.put(...Array.from({ length: WARM }, (_, n) => order(n)));
  const small = await bridge.connect({ name: 'warm' });
  await know(bridge, small, WARM);
  await giveAccess(bridge, small, warm);
  await readOnce(bridge, small);

  const store = resources.use(await startChangingStore());
  store.put(...Array.from({ length: count }, (_, n) => order(n)));
  const shop = await bridge.connect({ name: 'large' });
  await know(bridge, shop, count);
  const before = await reader.megabytes();
  const began = performance.now();
  const ended = new AbortController();
  const most = watch(() => reader.megabytes(), ended.signal);
  await giveAccess(bridge, shop, store);
  const last = await readOnce(bridge, shop);
  ended.abort();
  const seconds = (performance.now() - began) / 1000;
  return { seen: last.seen, handed: last.handed, requests: store.asked.length, seconds, before, most: Math.max(before, await most) };
}

async function watch(look: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let most = 0;
  while (!signal.aborted) {
    most = Math.max(most, await look());
    await delay(EVERY_MS);
  }
  return most;
}

async function readOnce({ pool }: Bridge, { connection: { id } }: Connected) {
  await until(async () => (await storeReadStates(pool)).get(id)?.readAt != null, {
    what: 'the store to be read',
    timeoutMs: 20 * MINUTE_MS,
    everyMs: EVERY_MS,
  });
  const last = (await storeReadStates(pool)).get(id)?.last;
  if (last == null) throw new Error('it was not read');
  return last;
}

const START = Date.now() - 20 * 24 * 60 * MINUTE_MS;

function order(n: number): StoreOrder {
  const updatedAt = new Date(START + n * 1000).toISOString();
  return { ...orderOf(String(n), { createdAt: updatedAt, paidAt: updatedAt }), id: String(n), updatedAt };
}

/** All but every hundredth are in the ledger as they are in the store. */
async function know({ pool }: Bridge, { connection }: Connected, count: number): Promise<void> {
  await pool.query(`update connections set store = name where id = $1`, [connection.id]);
  await pool.query(
    `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, state, revision, recorded_revision)
        select $1, 'standard', $7, n::text, $2, 'recorded', 1, 1 from generate_series(0, $5::int - 1) n where n % $6::int <> 0 returning id, order_id::int as n)
      insert into order_facts select id, jsonb_build_object('snapshotSeenAt', null, 'paidSeenAt', null, 'paidAt', null, 'deletedAt', null,
        'restoredAt', null, 'refunds', '{}'::jsonb, 'transactions', '{}'::jsonb, 'snapshot', $3::jsonb || jsonb_build_object('updatedAt',
        to_char(to_timestamp($4::float8 / 1000 + n) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from made`,
    [connection.shopId, connection.id, JSON.stringify(KNOWN), START, count, UNKNOWN, connection.name],
  );
}

const KNOWN = {
  ...{ rank: 3, status: 'paid', lifecycle: 'live', payment: 'paid', test: false, paidAt: null, placedAt: '', number: '', createdAt: '', currency: 'EUR' },
  ...{ gateways: [], transactionId: null, lines: [], total: '48.00', refunds: [], problems: [], digest: '' },
};

async function giveAccess(bridge: Bridge, { connection }: Connected, store: ChangingStore): Promise<void> {
  const nothing = { name: null, secrets: null, storeIdentity: null, destinationId: null, settings: null, recordFrom: null, host: null, cures: [] };
  await bridge.app.core.connections.replace(connection.id, { ...nothing, access: { url: store.url } });
}
