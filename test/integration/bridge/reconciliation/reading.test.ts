import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { countStates } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { isHandedOver } from '../../../../src/bridge/ledger/sync/known-summaries.ts';
import { storePauses } from '../../../../src/bridge/ledger/sync/store-calls.ts';
import {
  beginReading,
  createReadingLedger,
  readAnew,
  type StoreReadState,
  storeReadStates,
  wantWindow,
} from '../../../../src/bridge/ledger/sync/sync-store.ts';
import { unreadOrders } from '../../../../src/bridge/ledger/sync/unread-orders.ts';
import { nextSyncRun, withSyncRun } from '../../../../src/bridge/reconciliation/sync-run.ts';
import { longTest } from '../../../support/long-test.ts';
import { type ChangingStore, type StoreOrder, startChangingStore } from '../../../support/servers/changing-store.ts';
import { Bridge, type Connected, type ConnectInput, orderOf } from '../../../support/worlds/bridge.ts';
import { namedStorefronts, readStorefronts } from '../../../support/worlds/changing-store-api.ts';
import { moved } from '../../../support/worlds/copied-site.ts';
import { until } from '../../../support/worlds/settled.ts';
import { totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const newWorld = useWorlds();
const reading = { storefronts: readStorefronts, config: { reconcileSeconds: 1 } };
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** A paid order of 48.00, as it became that many minutes ago. */
function order(id: string, minutes = 30, changes: Record<string, unknown> = {}): StoreOrder {
  const updatedAt = ago(minutes);
  return { ...orderOf(id, { createdAt: ago(30), paidAt: ago(30), ...changes }), id, updatedAt };
}

const orders = (count: number, prefix = '') => Array.from({ length: count }, (_, n) => order(`${prefix}${n}`));
const reduced = { total: '24.00', lines: [{ id: 'a', name: 'Тениска', quantity: 1, amount: '24.00', vatRate: '20' }] };

function connect({ bridge }: World, store: ChangingStore, more: Partial<ConnectInput> = {}): Promise<Connected> {
  return bridge.connect({ access: { url: store.url }, ...more });
}

async function readState({ bridge }: World, { connection: { id } }: Connected): Promise<StoreReadState> {
  const state = (await storeReadStates(bridge.pool)).get(id);
  if (state === undefined) throw new Error('nothing has looked at the store yet');
  return state;
}

/** Waits until the store was read to its end once more. */
async function synced(world: World, shop: Connected): Promise<StoreReadState> {
  const since = new Date().toISOString();
  await until(async () => ((await readState(world, shop)).readAt ?? '') > since, { what: 'the store to be read' });
  return readState(world, shop);
}

async function recordedCount({ bridge }: World): Promise<number> {
  return (await countStates(bridge.pool)).recorded ?? 0;
}

test('without any webhook every paid order is recorded, its edits follow, and one that was deleted is known to be', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld(reading);
  const { bridge, service } = world;
  store.put(...orders(110));
  const shop = await connect(world, store);
  await until(async () => (await recordedCount(world)) === 110, { what: '110 records' });

  store.put(order('7', 0, reduced));
  await until(() => totals(service, '7').join() === '24.00', { what: 'the edit to be recorded' });
  store.remove('9');
  await wantWindow(bridge.pool, shop.connection.id, { since: ago(60), why: 'its webhooks were repaired' });

  expect((await bridge.pool.query('select from sync_handed')).rowCount).toBeGreaterThan(0);
  await until(async () => !(await isHandedOver(bridge.pool, [shop.connection.id])), { what: 'all that was read to be recorded' });
  // What that means for its record is decided as after a webhook that says so.
  await until(async () => (await bridge.order(shop, '9'))?.facts.deletedAt != null, { what: 'the deletion to be known' });
  expect(service.records).toHaveLength(110);
  const { watermark, missed } = await synced(world, shop);
  expect(watermark).toBe((await bridge.order(shop, '7'))?.facts.snapshot?.updatedAt);
  // Those were paid before the store was connected.
  expect(missed).toBe(0);
});

test('an order that could not be read whole, and is in no list any more, is looked up: it is gone, or is read', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld(reading);
  const { pool } = world.bridge;
  const shop = await connect(world, store, { settings: { recordFrom: ago(120) } });
  await synced(world, shop);
  store.put(order('older', 90 * 24 * 60));
  const keep = 'insert into unread_orders (connection_id, order_id, number, changed_at) select $1, id, id, $3 from unnest($2::text[]) as id';
  await pool.query(keep, [shop.connection.id, ['deleted', 'older'], ago(90 * 24 * 60)]);

  await wantWindow(pool, shop.connection.id, { since: ago(60), why: 'a person asked for it' });

  await until(async () => (await unreadOrders(pool)).length === 0, { what: 'the orders to be looked up' });
  await until(async () => (await world.bridge.order(shop, 'deleted'))?.facts.deletedAt != null, { what: 'the deletion to be known' });
  await until(async () => (await world.bridge.order(shop, 'older'))?.facts.snapshot != null, { what: 'the older one to be read' });
});

longTest('a paid order whose webhook should have come minutes ago counts as missed', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld(reading);
  const shop = await connect(world, store, { settings: { recordFrom: ago(120) } });
  await world.bridge.pool.query('update connections set created_at = $2 where id = $1', [shop.connection.id, ago(60)]);
  await world.bridge.app.core.cache.forget();
  store.put(order('late', 30), order('just paid', 0));

  await world.bridge.settled(shop, 'late', 'recorded');
  await world.bridge.settled(shop, 'just paid', 'recorded');
  expect(await synced(world, shop)).toMatchObject({ missed: 1 });
  const metrics = await (await fetch(`${world.bridge.app.opsUrl}/metrics`)).text();
  expect(metrics).toContain('orderbridge_read_orders_total{what="missed"} 1');
  expect(metrics).toMatch(/orderbridge_store_unread_seconds [\d.]+/);
});

test('orders that webhooks brought are compared by their summaries, and not read', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld(reading);
  const shop = await world.bridge.connect({ access: null });
  const known = order('1');
  await world.bridge.send(shop, 'order.paid', { order: known });
  await world.bridge.settled(shop, '1', 'recorded');
  store.put(known);
  await world.bridge.app.core.connections.replace(shop.connection.id, { ...nothing, access: { url: store.url } });

  expect((await synced(world, shop)).last).toMatchObject({ error: null, unknown: 0, stale: 0, handed: 0 });
  expect(store.asked.some((path) => path.startsWith('/changed'))).toBe(true);
  expect(store.asked.filter((path) => path.startsWith('/orders'))).toEqual([]);
});

const nothing = {
  ...{ name: null, secrets: null, storeIdentity: null, destinationId: null, settings: null },
  ...{ recordFrom: null, host: null, cures: [] },
};

longTest('of several processes one reads a store at a time', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld(reading);
  const { databaseUrl, redis, service } = world;
  await using _other = await Bridge.start({ databaseUrl, redisUrl: redis.url, complianceUrl: service.url, role: 'worker', ...reading });
  store.put(...orders(105));
  const held = store.hold();
  const shop = await connect(world, store);
  await held.begun;
  // A period and a lease are over while the first page is under way.
  await until(async () => (await leaseUntil(world, shop)) > Date.now() + 2_500 && renewedSince(world, shop), {
    what: 'the lease to be renewed',
  });
  held.letGo();

  await until(async () => (await recordedCount(world)) === 105, { what: '105 records' });
  await synced(world, shop);
  expect(store.most).toBe(1);
});

async function leaseUntil({ bridge }: World, { connection: { id } }: Connected): Promise<number> {
  const { rows } = (await bridge.pool.query(`select due_at from jobs where kind = 'sync' and key = $1 and lease is not null`, [id])) as unknown as {
    rows: { due_at: string }[];
  };
  return Date.parse(rows[0]?.due_at ?? '');
}

/** True once the store has been held for longer than one lease. */
async function renewedSince({ bridge }: World, { connection: { id } }: Connected): Promise<boolean> {
  const text = `select from jobs where kind = 'sync' and key = $1 and lease is not null and due_at > made_at + interval '20 seconds'`;
  const { rowCount } = await bridge.pool.query(text, [id]);
  return rowCount === 1;
}

longTest('stores that hang delay no other', async () => {
  await using resources = new AsyncDisposableStack();
  const hanging = await Promise.all([2, 3, 4].map((n) => startChangingStore(`127.0.0.${n}`)));
  for (const store of hanging) resources.use(store).fail('hangs');
  const healthy = resources.use(await startChangingStore());
  healthy.put(...orders(20));
  await using world = await newWorld({ ...reading, role: 'receiver' });
  const { databaseUrl, redis, service, bridge } = world;
  for (const store of hanging) await connect(world, store);
  const shop = await connect(world, healthy);
  await using _worker = await Bridge.start({ databaseUrl, redisUrl: redis.url, complianceUrl: service.url, role: 'worker', ...reading });

  await until(async () => (await recordedCount(world)) === 20, { what: 'the orders of the healthy one' });
  await synced(world, shop);
  // Each is being called, and has a minute to answer.
  await until(() => hanging.every(({ asked }) => asked.length === 1), { what: 'the others to be called' });
  expect(await storePauses(bridge.pool)).toEqual([]);
});

longTest('a store that fails is paused alone, says why, and is read to the end in smaller pages when it answers again', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld(reading);
  store.put(...orders(45));
  store.fail(500);
  const shop = await connect(world, store);
  await until(async () => (await readState(world, shop)).last !== null, { what: 'a failure' });
  const failed = await readState(world, shop);
  expect(failed.last).toMatchObject({ kind: 'changes', error: 'storefront.unreachable: the store answered 500' });
  expect(failed.readAt).toBeNull();
  expect(failed.watermark).toBeNull();

  store.fail(null);
  await until(async () => (await recordedCount(world)) === 45, { what: '45 records' });
  const { last } = await synced(world, shop);
  expect(last?.error).toBeNull();
  expect(store.asked.filter((path) => path.includes('size=20')).length).toBeGreaterThanOrEqual(3);
});

longTest('what a key shows that came to point at another site is not recorded, and a person is asked', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld({ ...reading, storefronts: namedStorefronts });
  const { pool } = world.bridge;
  store.name = 'https://corner.example';
  store.put(order('1'));
  const shop = await connect(world, store, { platform: 'woocommerce', store: null });
  await world.bridge.settled(shop, '1', 'recorded');
  store.name = 'https://copy.example';
  store.put(order('2', 20));
  await synced(world, shop);
  expect(store.asked.filter((path) => path === '/name')).toHaveLength(1);

  // A reading that is under way writes the whole of it once more.
  const askedAgain = async () => {
    await pool.query(`update store_syncs set windows = jsonb_set(windows, '{name,at}', $1)`, [JSON.stringify(ago(61))]);
    return store.asked.filter((path) => path === '/name').length > 1;
  };
  await until(askedAgain, { what: 'the name to be asked again' });
  store.put(order('3', 0));
  const quarantined = { host: 'copy.example', ownership: 'quarantined' };
  await until(async () => (await hostsOf(world, shop)).some(({ host }) => host === 'copy.example'), { what: 'the host to be asked about' });
  expect(await hostsOf(world, shop)).toContainEqual(expect.objectContaining(quarantined));
  expect(await world.bridge.order(shop, '3')).toBeNull();

  await moved(world.bridge, shop, 'copy.example');
  await world.bridge.settled(shop, '3', 'recorded');
});

async function hostsOf({ bridge }: World, { connection: { id } }: Connected) {
  return (await bridge.app.core.connections.find(id))?.hosts ?? [];
}

test('a stop does not wait for a page, and loses nothing', async () => {
  await using store = await startChangingStore();
  await using world = await newWorld({ ...reading, role: 'receiver' });
  const { databaseUrl, redis, service } = world;
  const worker = () => Bridge.start({ databaseUrl, redisUrl: redis.url, complianceUrl: service.url, role: 'worker', ...reading });
  store.put(...orders(105));
  const held = store.hold();
  const shop = await connect(world, store);
  const first = await worker();
  await held.begun;

  const began = performance.now();
  await first[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect((await readState(world, shop)).last).toBeNull();
  expect(await storePauses(world.bridge.pool)).toEqual([]);
  held.letGo();
  await using _second = await worker();
  await until(async () => (await recordedCount(world)) === 105, { what: '105 records' });
});

test('only the job that began to read a store last writes how far it came, and none does once it is read anew', async () => {
  await using world = await newWorld({ role: 'receiver' });
  const { pool } = world.bridge;
  const { connection } = await world.bridge.connect({ access: { url: 'https://store.example' } });
  const [first, second] = [randomUUID(), randomUUID()];
  const begun = await beginReading(pool, connection.id, first);
  const syncRun = nextSyncRun(begun, { periodMs: 1_000, lagMs: 0, recordFrom: connection.recordFrom, now: Date.now() });
  if (syncRun === null) throw new Error('nothing is due');
  const kept = withSyncRun(begun, syncRun);
  expect(await createReadingLedger(pool, first).save(kept, 0)).toBe(true);

  expect((await beginReading(pool, connection.id, second)).syncRuns.changes).toEqual(syncRun);
  expect(await createReadingLedger(pool, first).save(begun, 0)).toBe(false);
  expect(await createReadingLedger(pool, second).save(kept, 2)).toBe(true);
  expect(await readAnew(pool, connection.id)).toBe(true);
  expect(await createReadingLedger(pool, second).save(kept, 0)).toBe(false);
  expect(await readAnew(pool, connection.id)).toBe(false);

  const read = await beginReading(pool, connection.id, first);
  expect(read.syncRuns).toEqual({});
  expect((await storeReadStates(pool)).get(connection.id)).toMatchObject({ missed: 2, isLeased: false });
});

test('a store whose progress can’t be read keeps no other waiting', async () => {
  await using broken = await startChangingStore('127.0.0.2');
  await using store = await startChangingStore();
  await using world = await newWorld({ ...reading, role: 'receiver' });
  const { databaseUrl, redis, service, bridge } = world;
  const { connection } = await connect(world, broken);
  await bridge.pool.query(`insert into store_syncs (connection_id, wanted) values ($1, '[{"since": 7}]')`, [connection.id]);
  store.put(...orders(3));
  const shop = await connect(world, store);

  await using _worker = await Bridge.start({ databaseUrl, redisUrl: redis.url, complianceUrl: service.url, role: 'worker', ...reading });
  await bridge.settled(shop, '2', 'recorded');
  expect(broken.asked).toEqual([]);
});
