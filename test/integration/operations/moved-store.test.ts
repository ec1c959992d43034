import { expect, test } from 'vitest';
import type { FetchJson } from '../../../src/bridge/storefronts/contract.ts';
import { movedStore } from '../../../src/operations/connections/decide-host.ts';
import { BY } from '../../support/samples/by.ts';
import { fetchJson } from '../../support/servers/store-api.ts';
import { startWooServer, type WooServer } from '../../support/servers/woo/start-woo-server.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const OLD = 'https://shop.example/boutique';
const NEW = 'https://new.example/boutique';
const KNOWN = '11111111-2222-4333-8444-555555555555';

/** Who answers at an address: the store, or nobody, who leads on to its new one. */
type Hosts = Readonly<Record<string, 'store' | 'moved'>>;

/** The stand-in by the names that it has on the internet. */
function named(store: WooServer, hosts: Hosts): { asked: string[]; fetch: FetchJson } {
  const asked: string[] = [];
  const fetch: FetchJson = async (request) => {
    const { origin, pathname, search, hostname } = new URL(request.url);
    asked.push(origin);
    if (hosts[hostname] !== 'store') return { status: 301, body: null, location: `https://new.example${pathname}${search}` };
    return fetchJson({ ...request, url: `${store.url}${pathname.replace('/boutique', '')}${search}` });
  };
  return { asked, fetch };
}

async function moves(it: World, hosts: Hosts, { identity = KNOWN, storeId = KNOWN } = {}) {
  const store = await startWooServer({ now: Date.now, storeId });
  const { consumerKey, consumerSecret } = store.access();
  const connected = await it.bridge.connect({
    platform: 'woocommerce',
    name: 'Corner',
    store: 'https://shop.example',
    access: { url: OLD, consumerKey, consumerSecret },
  });
  const { id } = connected.connection;
  await it.bridge.pool.query('update bridge.connections set store_identity = $2 where id = $1', [id, identity]);
  const { asked, fetch } = named(store, hosts);
  const { pool, connections } = it.bridge.app.core;
  const move = () => movedStore({ pool, connections, fetchJson: fetch, trustedHttpHosts: [], notify: () => undefined, by: BY }, { id, host: 'new.example' });
  return { store, asked, move, access: async () => (await connections.find(id))?.access };
}

test('--moved calls the API at the new host with the old key, once the old address no longer answers', async () => {
  await using it = await world();
  const { store, asked, move, access } = await moves(it, { 'new.example': 'store' });
  await using _closed = store;
  const before = await access();

  expect(await move()).toMatchObject({ host: 'new.example', api: { url: NEW, works: true } });
  expect(await access()).toEqual({ ...before, url: NEW });
  expect(new Set(asked)).toEqual(new Set(['https://shop.example', 'https://new.example']));
  expect(await move()).toMatchObject({ api: null });
});

test('a new host that answers at its www alone is found there', async () => {
  await using it = await world();
  const { store, move, access } = await moves(it, { 'www.new.example': 'store' });
  await using _closed = store;

  expect(await move()).toMatchObject({ api: { url: 'https://www.new.example/boutique', works: true } });
  expect(await access()).toMatchObject({ url: 'https://www.new.example/boutique' });
});

test.each<{ where: string; hosts: Hosts; ids?: { storeId: string }; api: object | null }>([
  { where: 'the old address still answers: a store may have two', hosts: { 'shop.example': 'store', 'new.example': 'store' }, api: null },
  { where: 'neither answers', hosts: {}, api: { url: OLD, works: false } },
  { where: 'what answers at the new host is another store', hosts: { 'new.example': 'store' }, ids: { storeId: 'another' }, api: { url: OLD, works: false } },
])('--moved leaves the address of the API as it is where $where', async ({ hosts, ids, api }) => {
  await using it = await world();
  const { store, move, access } = await moves(it, hosts, ids);
  await using _closed = store;

  expect((await move()).api).toEqual(api);
  expect(await access()).toMatchObject({ url: OLD });
});
