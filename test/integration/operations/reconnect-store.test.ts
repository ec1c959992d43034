import { expect, test } from 'vitest';
import { type Changes, reconnectStore } from '../../../src/operations/connections/reconnect-store.ts';
import { fetchJson, startStoreApi } from '../../support/servers/store-api.ts';
import type { Connected } from '../../support/worlds/bridge.ts';
import { wooAnswer } from '../../support/worlds/cli-stores.ts';
import { until } from '../../support/worlds/settled.ts';
import { edited, recorded, totals, useWorlds, type World } from '../../support/worlds/world.ts';

const world = useWorlds();
const nothing: Changes = { name: null, secret: null, access: null, url: null, credentials: null, settings: null, recordFrom: null };

async function change({ bridge, service }: World, { connection }: Connected, changes: Partial<Changes>) {
  const { pool, connections, destinations } = bridge.app.core;
  const compliance = {
    destination: async (given: Changes['credentials']) => destinations.ensure(service.url, given ?? { apiKey: 'key', apiSecret: 'secret' }),
  };
  const before = await connections.find(connection.id);
  if (before === null) throw new Error('the connection is gone');
  return reconnectStore({ pool, connections, compliance, fetchJson, wake: async () => undefined }, before, { ...nothing, ...changes });
}

test('a record that was made with the old compliance key is deleted with it, and the next one is made with the new', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');

  const { connection } = await change(it, connected, { credentials: { apiKey: 'another key', apiSecret: 'secret' } });
  const heard = async () => (await it.bridge.app.core.cache.get(connection.id))?.destinationId === connection.destinationId;
  await until(heard, { what: 'the submitter to hear of it' });
  await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

  await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
  const keys = (method: 'DELETE' | 'POST') => it.service.requests(method).map(({ headers }) => headers['x-api-key']);
  expect(keys('DELETE')).toEqual(['key']);
  expect(keys('POST')).toEqual(['key', 'another key']);
});

test('a new secret of the same compliance key replaces the old one', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();

  const { connection } = await change(it, connected, { credentials: { apiKey: 'key', apiSecret: 'another secret' } });

  expect(connection.destinationId).toBe(connected.connection.destinationId);
  expect(await it.bridge.app.core.destinations.find(connection.destinationId)).toMatchObject({ credentials: { apiSecret: 'another secret' } });
});

test('a host is the store’s if the store there is proven to be the same by its own id; else its webhooks are held', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'woocommerce' });
  const { connections } = it.bridge.app.core;
  await connections.pinStore(connected.connection.id, 'https://shop.example');
  let storeId = 'one';
  await using store = await startStoreApi((path) => wooAnswer(path, storeId));
  const access = { url: store.url, consumerKey: 'ck', consumerSecret: 'cs' };
  const result = async (changes: Partial<Changes>) => {
    const { otherStore, heldHost } = await change(it, connected, changes);
    const { storeIdentity, hosts } = (await connections.find(connected.connection.id)) ?? {};
    return { otherStore, heldHost, storeIdentity, hosts: hosts?.map(({ host, verdict }) => `${host} ${verdict}`) };
  };

  const first = await result({ access, url: store.url });
  storeId = 'two';
  const other = await result({ access, url: store.url });
  storeId = 'one';
  const again = await result({ access, url: store.url });

  expect(first).toEqual({ otherStore: false, heldHost: '127.0.0.1', storeIdentity: 'one', hosts: [] });
  expect(other).toEqual({ otherStore: true, heldHost: '127.0.0.1', storeIdentity: 'one', hosts: [] });
  expect(again).toEqual({ otherStore: false, heldHost: null, storeIdentity: 'one', hosts: ['127.0.0.1 ours'] });
});

test('an address that only says where the store is changes no host, and what a person said stays', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'woocommerce' });
  const { connections } = it.bridge.app.core;

  expect((await change(it, connected, { url: 'https://new.example' })).heldHost).toBeNull();
  await connections.pinStore(connected.connection.id, 'https://shop.example');
  expect((await change(it, connected, { url: 'https://www.shop.example/bg' })).heldHost).toBeNull();
  expect((await change(it, connected, { url: 'https://new.example' })).heldHost).toBe('new.example');
  expect((await connections.find(connected.connection.id))?.hosts).toEqual([]);
});

test('a warning that no webhook names the address ends with an address that one can name', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'shopify', store: 'corner.myshopify.com' });
  const warnings = async () => Object.keys((await it.bridge.app.core.connections.find(connected.connection.id))?.warnings ?? {});

  await change(it, connected, { url: 'https://corner.example' });
  expect(await warnings()).toEqual(['store-url']);
  await change(it, connected, { url: 'https://corner.myshopify.com' });
  expect(await warnings()).toEqual([]);
});
