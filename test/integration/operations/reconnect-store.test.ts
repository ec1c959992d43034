import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { changeSettings } from '../../../src/operations/connections/change-settings.ts';
import { connectStore } from '../../../src/operations/connections/connect-store.ts';
import { type Changes, reconnectStore } from '../../../src/operations/connections/reconnect-store.ts';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { BY } from '../../support/samples/by.ts';
import { fetchJson, startStoreApi } from '../../support/servers/store-api.ts';
import type { Connected } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { wooAnswer } from '../../support/worlds/cli-stores.ts';
import { hosts, known, order, quarantined, send, stores } from '../../support/worlds/copied-site.ts';
import { until } from '../../support/worlds/settled.ts';
import { edited, recorded, totals, type World } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const nothing: Changes = { name: null, secret: null, access: null, url: null, credentials: null, settings: null, recordFrom: null };

type Changing = Partial<Changes> & { meanwhile?: () => Promise<unknown> };

async function change({ bridge, service }: World, { connection }: Connected, { meanwhile, ...changes }: Changing) {
  const { pool, connections, destinations } = bridge.app.core;
  const compliance = {
    destination: async (given: Changes['credentials']) => {
      await meanwhile?.();
      return destinations.ensure(service.url, given ?? { apiKey: 'key', apiSecret: 'secret' });
    },
  };
  const before = await connections.find(connection.id);
  if (before === null) throw new Error('the connection is gone');
  return reconnectStore({ pool, connections, compliance, fetchJson, trustedHttpHosts: [], notify: () => undefined, by: BY }, before, {
    ...nothing,
    ...changes,
  });
}

test('a record that was made with the old compliance key is deleted with it, and the next one is made with the new', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');

  const { connection } = await change(it, connected, { credentials: { apiKey: 'another key', apiSecret: 'secret' } });
  const received = async () => (await it.bridge.app.core.cache.get(connection.id))?.destinationId === connection.destinationId;
  await until(received, { what: 'the submitter to hear of it' });
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

test('a host is the store’s if the store there is proven to be the same by its own id; else its webhooks are quarantined', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'woocommerce' });
  const { connections } = it.bridge.app.core;
  await connections.pinStore(connected.connection.id, 'https://shop.example');
  let storeId = 'one';
  await using store = await startStoreApi((path) => wooAnswer(path, storeId));
  const access = { url: store.url, consumerKey: 'ck', consumerSecret: 'cs' };
  const result = async (changes: Partial<Changes>) => {
    const { otherStore, quarantinedHost } = await change(it, connected, changes);
    const { storeIdentity, hosts } = (await connections.find(connected.connection.id)) ?? {};
    return { otherStore, quarantinedHost, storeIdentity, hosts: hosts?.map(({ host, ownership }) => `${host} ${ownership}`) };
  };

  const first = await result({ access, url: store.url });
  storeId = 'two';
  const other = await result({ access, url: store.url });
  storeId = 'one';
  const again = await result({ access, url: store.url });

  expect(first).toEqual({ otherStore: false, quarantinedHost: '127.0.0.1', storeIdentity: 'one', hosts: [] });
  expect(other).toEqual({ otherStore: true, quarantinedHost: '127.0.0.1', storeIdentity: 'one', hosts: [] });
  expect(again).toEqual({ otherStore: false, quarantinedHost: null, storeIdentity: 'one', hosts: ['127.0.0.1 ours'] });
});

describe('a host whose webhooks are quarantined', () => {
  async function quarantinedAt(it: World, url: string) {
    const connected = await known(it);
    const access = { url, consumerKey: 'ck', consumerSecret: 'cs' };
    await change(it, connected, { access, url });
    await send(it.bridge, connected, [url, order(5001, '12.00')]);
    await quarantined(it.bridge, 1);
    return { connected, access };
  }

  test('is the store’s once the store proves it, and what was quarantined goes on', async () => {
    await using it = await world();
    await using store = await startStoreApi((path) => wooAnswer(path, 'one'));
    const { connected, access } = await quarantinedAt(it, store.url);

    expect((await change(it, connected, { access, url: store.url })).quarantinedHost).toBeNull();

    await it.bridge.settled(connected, '5001', 'recorded');
    expect(await stores(it.bridge)).toEqual([]);
    expect(await hosts(it.bridge, connected)).toContainEqual({ host: '127.0.0.1', ownership: 'ours', dismissed: 0 });
  });

  test('is the store’s when the store is connected again at it, and what was quarantined goes on', async () => {
    await using it = await world();
    await using store = await startStoreApi((path) => wooAnswer(path, 'one'));
    const { connected, access } = await quarantinedAt(it, store.url);
    const { pool, connections } = it.bridge.app.core;
    const { id, platform, name, shopId, destinationId } = connected.connection;
    await connections.close(id);

    const compliance = { destination: async () => destinationId };
    const given = { platform, name, shopId, access, secret: 'another secret', ownShop: false, hosts: ['127.0.0.1'], claim: null, store: null };
    const again = await connectStore(
      { pool, connections, compliance, fetchJson, trustedHttpHosts: [], notify: () => undefined, by: BY },
      { ...given, settings: null, recordFrom: null, credentials: null },
    );

    expect(again).toMatchObject({ connection: { id }, earlier: { is: 'same' } });
    await it.bridge.settled(connected, '5001', 'recorded');
    expect(await stores(it.bridge)).toEqual([]);
  });
});

test('a start that is moved to an earlier moment has the store read from then on, as no webhook told of what is in it alone', async () => {
  await using it = await world();
  const access = { url: 'https://shop.example/orders' };
  const { core } = it.bridge.app;
  const connected = await it.bridge.connect({ access, settings: { recordFrom: '2026-11-20T00:00:00Z' } });
  const { id, destinationId, platform } = connected.connection;
  const settings = { recordFrom: '2026-02-01T00:00:00+02:00' };

  await change(it, connected, { recordFrom: '2026-05-01T00:00:00.000Z' });
  await change(it, connected, { recordFrom: '2026-08-01T00:00:00.000Z' });
  await changeSettings({ ...core, notify: () => undefined }, { id, by: BY, settings });
  await changeSettings({ ...core, notify: () => undefined }, { id, by: BY, settings });
  const deps = { ...core, compliance: { destination: async () => destinationId }, fetchJson, trustedHttpHosts: [], notify: () => undefined, by: BY };
  const given = { ownShop: true, hosts: [], claim: null, store: null, credentials: null, identity: 'one', settings: null };
  const other = { ...given, platform, name: 'other', shopId: randomUUID(), access, secret: 'whsec_x', recordFrom: '2026-03-01T00:00:00.000Z' };
  // Whoever dies after it is connected has had it read.
  const none = createPool({ url: 'postgres://nowhere.invalid/none', schema: LEDGER_SCHEMA, max: 1, onError: () => undefined });
  const { connection: added } = await connectStore({ ...deps, pool: none }, other);

  expect(await wantedOf(it, id)).toEqual(['2026-05-01T00:00:00.000Z', '2026-01-31T22:00:00.000Z']);
  expect(await wantedOf(it, added.id)).toEqual(['2026-03-01T00:00:00.000Z']);
});

test('a start that a backfill moves while a store is connected again stays there', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { recordFrom: '2026-11-15T00:00:00Z' } });
  const { connections } = it.bridge.app.core;
  const moved = '2026-11-01T00:00:00.000Z';
  const meanwhile = () => connections.moveRecordFrom(connected.connection.id, moved);

  const { connection } = await change(it, connected, { settings: {}, credentials: { apiKey: 'key', apiSecret: 'secret' }, meanwhile });

  expect(connection.recordFrom).toBe(moved);
});

async function wantedOf({ bridge }: World, id: string): Promise<string[]> {
  const since = rowsOf('store_syncs', z.object({ since: z.string() }));
  const text = `select jsonb_array_elements(wanted) ->> 'since' as since from store_syncs where connection_id = $1`;
  return (await readRows(bridge.app.core.pool, since, { text, values: [id] })).map((row) => row.since);
}

describe('a store whose keys come later is read from its start', () => {
  const access = { url: 'https://shop.example/orders' };
  const march = '2026-03-01T00:00:00.000Z';

  test('when it gets them', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: { recordFrom: march } });
    const { id } = connected.connection;
    await change(it, connected, { name: 'renamed' });
    expect(await wantedOf(it, id)).toEqual([]);

    await change(it, connected, { access });
    await change(it, connected, { access: { url: 'https://shop.example/moved' } });

    expect(await wantedOf(it, id)).toEqual([march]);
  });

  test('when it is connected again with them', async () => {
    await using it = await world();
    const { connection } = await it.bridge.connect({ settings: { recordFrom: march } });
    const { id, shopId } = connection;
    const { core } = it.bridge.app;
    await core.connections.close(id);
    const again = { ...connection, secret: 'whsec_x', settings: null, access, ownShop: true, hosts: [], identity: null, claim: null, recordFrom: null };

    expect(await core.connections.create({ ...again, shopId })).toMatchObject({ connection: { id } });

    expect(await wantedOf(it, id)).toEqual([march]);
  });

  test('when its first delivery says that it is an earlier one', async () => {
    await using it = await world();
    const { core } = it.bridge.app;
    const { connection } = await it.bridge.connect({ platform: 'woocommerce', store: 'https://shop.example', settings: { recordFrom: march } });
    await core.connections.close(connection.id);
    const given = {
      ...connection,
      name: 'again',
      secret: 'x',
      store: null,
      settings: null,
      ownShop: false,
      hosts: [],
      identity: null,
      claim: null,
      recordFrom: null,
    };
    const made = await core.connections.create(given);
    if (!('connection' in made)) throw new Error('the shop is taken');
    const { id, recordFrom } = made.connection;
    const keys = { url: 'https://shop.example', consumerKey: 'ck', consumerSecret: 'cs' };
    await change(it, { connection: made.connection, secret: 'x' }, { identity: 'one', access: keys });

    await core.connections.pinStore(id, 'https://shop.example');

    expect(await wantedOf(it, id)).toEqual([recordFrom, march]);
  });
});

test.each([
  ['is cut', '2026-04-10T00:00:00.000Z', '2026-04-10T00:00:00.000Z'],
  ['goes away', '2026-03-20T00:00:00.000Z', '2026-04-01T00:00:00.000Z'],
])('what was paid while a store was disconnected is read of it once that gap %s', async (_how, recordFrom, since) => {
  await using it = await world();
  const { core } = it.bridge.app;
  const connected = await it.bridge.connect({ access: { url: 'https://shop.example/orders' }, settings: { recordFrom: '2026-02-01T00:00:00.000Z' } });
  const { id } = connected.connection;
  const gaps = [
    { from: '2026-03-01T00:00:00.000Z', until: '2026-03-10T00:00:00.000Z' },
    { from: '2026-04-01T00:00:00.000Z', until: '2026-05-01T00:00:00.000Z' },
  ];
  await core.pool.query('update connections set gaps = $2 where id = $1', [id, JSON.stringify(gaps)]);
  const before = await wantedOf(it, id);

  await change(it, connected, { recordFrom });

  expect(await wantedOf(it, id)).toEqual([...before, since]);
});

test('an address that only says where the store is changes no host, and what a person said stays', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'woocommerce' });
  const { connections } = it.bridge.app.core;

  expect((await change(it, connected, { url: 'https://new.example' })).quarantinedHost).toBeNull();
  await connections.pinStore(connected.connection.id, 'https://shop.example');
  expect((await change(it, connected, { url: 'https://www.shop.example/bg' })).quarantinedHost).toBeNull();
  expect((await change(it, connected, { url: 'https://new.example' })).quarantinedHost).toBe('new.example');
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
