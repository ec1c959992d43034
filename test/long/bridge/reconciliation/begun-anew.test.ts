import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createStoreCallLedger } from '../../../../src/bridge/ledger/sync/store-calls.ts';
import { storeReadStates } from '../../../../src/bridge/ledger/sync/sync-store.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { storeHost } from '../../../../src/bridge/storefronts/store-host.ts';
import { listConnections } from '../../../../src/operations/connections/list-connections.ts';
import { reconnectStore } from '../../../../src/operations/connections/reconnect-store.ts';
import { readNow } from '../../../../src/operations/reconciliation/ask-store.ts';
import { BY } from '../../../support/samples/by.ts';
import { startChangingStore } from '../../../support/servers/changing-store.ts';
import { OwnShop } from '../../../support/servers/own-shop.ts';
import { fetchJson } from '../../../support/servers/store-api.ts';
import { Bridge, orderOf } from '../../../support/worlds/bridge.ts';
import { readStorefronts } from '../../../support/worlds/changing-store-api.ts';
import { readIn } from '../../../support/worlds/read-in.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useWorlds } from '../../../support/worlds/world.ts';

const newWorld = useWorlds();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** An own shop with four orders, two on a page, whose second page answers so. */
async function ownShop(status: number) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const shop = await OwnShop.start(secret);
  shop.pageSize = 2;
  for (const minutes of [40, 39, 38, 37]) shop.save({ ...orderOf(`o${minutes}`, { createdAt: ago(45), paidAt: ago(45) }), updatedAt: ago(minutes) });
  shop.instead = (path) => (path.includes('after=') ? { status } : null);
  return { shop, secret };
}

test('a place that an own shop no longer takes does not stop its reading: it is begun anew, a person is warned, and all is recorded', async () => {
  const { shop, secret } = await ownShop(400);
  await using _ = shop;
  await using world = await newWorld({ config: { reconcileSeconds: 1 } });
  const { bridge } = world;
  const connected = await bridge.connect({ secret, access: { url: shop.url } });
  const warnings = async () => (await listConnections(bridge.app.core, 'https://bridge.example')).flatMap((one) => one.warnings);

  await until(async () => (await warnings()).some((words) => /begun anew \d+ times in a row without coming to what changed after/.test(words)), {
    what: 'a warning',
  });
  // What was listed before is recorded meanwhile.
  for (const id of ['o40', 'o39']) await bridge.settled(connected, id, 'recorded');
  shop.instead = null;

  for (const id of ['o38', 'o37']) await bridge.settled(connected, id, 'recorded');
  await until(async () => (await storeReadStates(bridge.pool)).get(connected.connection.id)?.warning === null, {
    what: 'the warning to go',
  });
});

test.each(['read', 'reconnect'] as const)('`%s` begins what is being read anew at once, and says it', async (how) => {
  const { shop, secret } = await ownShop(503);
  await using _ = shop;
  await using world = await newWorld({ config: { reconcileSeconds: 3_600 } });
  const { bridge } = world;
  const { pool, connections } = bridge.app.core;
  const { connection } = await bridge.connect({ secret, access: { url: shop.url } });
  await readNow({ pool, connections, storefronts }, { named: connection.id, by: BY });
  const error = async () => (await storeReadStates(pool)).get(connection.id)?.last?.error ?? null;
  await until(async () => (await error()) !== null, { what: 'its second page to fail' });

  const before = await connections.find(connection.id);
  if (before === null) throw new Error('the connection is gone');
  const compliance = { destination: async () => before.destinationId };
  const nothing = { name: null, secret: null, credentials: null, settings: null, recordFrom: null };
  const begun = {
    read: async () => (await readNow({ pool, connections, storefronts }, { named: connection.id, by: BY })).isAnew,
    reconnect: async () => {
      const deps = { pool, connections, compliance, fetchJson, trustedHttpHosts: [], notify: () => undefined, by: BY };
      return (await reconnectStore(deps, before, { ...nothing, access: { url: shop.url }, url: shop.url })).isReadAnew;
    },
  };
  const asked = shop.asked.length;
  expect(await begun[how]()).toBe(true);
  const first = (path: string) => path.includes('changed_since=') && !path.includes('after=');
  await until(() => shop.asked.slice(asked).some(first), { what: 'its first page to be requested' });
});

test('after a start a store is read within the period that is set now, and one that asked for a pause is left alone', async () => {
  await using store = await startChangingStore('127.0.0.2');
  await using paused = await startChangingStore('127.0.0.3');
  await using world = await newWorld({ role: 'receiver' });
  const { bridge, databaseUrl, redis, service } = world;
  const shops = [await bridge.connect({ name: 'one', access: { url: store.url } }), await bridge.connect({ name: 'other', access: { url: paused.url } })];
  const later = 660_000;
  for (const { connection } of shops) {
    const windows = JSON.stringify({ changesDue: new Date(Date.now() + later).toISOString(), months: ago(1) });
    const text = 'insert into store_syncs (connection_id, watermark, windows, read_at) values ($1, $2, $3, $2)';
    await bridge.pool.query(text, [connection.id, ago(1), windows]);
    await readIn(bridge.pool, connection.id, later);
  }
  const asks = { host: storeHost(paused.url) ?? '', connectionId: null, code: 'storefront.unreachable', detail: 'the store answered 429' } as const;
  await createStoreCallLedger(bridge.pool).pause(asks, () => 660_000);

  const reading = { storefronts: readStorefronts, config: { reconcileSeconds: 2 } };
  await using _worker = await Bridge.start({ databaseUrl, redisUrl: redis.url, complianceUrl: service.url, role: 'worker', ...reading });

  await until(() => store.asked.length > 0, { what: 'the store to be read' });
  const [, other] = shops;
  const pausedError = async () => (await storeReadStates(bridge.pool)).get(other?.connection.id ?? '')?.last?.error ?? null;
  await until(async () => (await pausedError()) !== null, { what: 'the other to be looked at' });
  expect(paused.asked).toEqual([]);
});
