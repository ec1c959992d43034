import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storefrontOf, storefronts } from '../../src/bridge/storefronts/registry.ts';
import { startChangingStore } from '../support/servers/changing-store.ts';
import { OwnShop } from '../support/servers/own-shop.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { ShopifyAdmin } from '../support/servers/shopify-admin/shopify-admin.ts';
import { startWooServer, type WooServer } from '../support/servers/woo/start-woo-server.ts';
import { Bridge, type Connected, orderOf } from '../support/worlds/bridge.ts';
import { namedStorefronts } from '../support/worlds/changing-store-api.ts';
import { HOUR_MS, idleAddress, requestsPerHour } from '../support/worlds/idle-store.ts';

const DAYS = 2;
/** One daily reading, and what comes before and after it. */
const HOURS = 26;
const MOST = 12;

let postgres: TestPostgres;
let bridge: Bridge;
beforeAll(async () => {
  postgres = await startPostgres();
  bridge = await Bridge.start({ databaseUrl: await postgres.createDatabase(), role: 'receiver' });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

test('a store in which nothing changes costs at most 12 requests an hour', async () => {
  await using store = await startChangingStore();
  const connected = await bridge.connect({ platform: 'woocommerce', access: { url: store.url } });
  store.put({ ...orderOf('1'), id: '1', updatedAt: new Date(Date.now() - HOUR_MS).toISOString() });
  store.name = 'corner';
  const clock = { now: Date.now() };

  const [first = 0, ...others] = await requestsPerHour({ bridge, connected, storefronts: namedStorefronts, clock, asked: () => store.asked.length }, DAYS * 24);
  expect(others).toHaveLength(DAYS * 24 - 1);
  expect(Math.max(...others)).toBeLessThanOrEqual(MOST);
  // Every quarter of an hour it was looked at all the same.
  expect(Math.min(...others)).toBeGreaterThanOrEqual(3);
  expect(first).toBeLessThanOrEqual(MOST);
});

/** A WooCommerce store that was bought from an hour ago, and its webhooks. */
async function wooStore(key: 'read' | 'write', clock: { now: number }) {
  const at = { now: clock.now - HOUR_MS };
  const store = await startWooServer({ now: () => at.now });
  store.floor.buy();
  const connected = await bridge.connect({ platform: 'woocommerce', access: store.access(key) });
  return { store, connected };
}

function subscribe({ webhooks }: WooServer, connected: Connected): void {
  const { topics, alsoTopics = [] } = storefrontOf(storefronts, 'woocommerce');
  for (const topic of [...topics, ...alsoTopics]) webhooks.add({ topic, delivery_url: idleAddress(connected) });
}

test('an idle WooCommerce store costs at most 12, the hour of the daily reading and its webhooks included', async () => {
  const clock = { now: Date.now() };
  const { store, connected } = await wooStore('write', clock);
  await using _store = store;
  subscribe(store, connected);

  const hours = await requestsPerHour({ bridge, connected, storefronts, clock, asked: () => store.asked.length }, HOURS);
  expect(hours).toHaveLength(HOURS);
  expect(Math.max(...hours)).toBeLessThanOrEqual(MOST);
  expect(Math.min(...hours.slice(1))).toBeGreaterThanOrEqual(9);
});

test('so does one whose webhooks are gone, and whose key may only read', async () => {
  const clock = { now: Date.now() };
  const { store, connected } = await wooStore('read', clock);
  await using _store = store;

  const hours = await requestsPerHour({ bridge, connected, storefronts, clock, asked: () => store.asked.length }, HOURS);
  expect(Math.max(...hours)).toBeLessThanOrEqual(MOST);
  expect(store.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('an idle Shopify store costs at most 12, its tokens included', async () => {
  const clock = { now: Date.now() };
  await using shop = await ShopifyAdmin.start();
  shop.state.now = () => clock.now;
  shop.buy({ lines: [{ price: 6000n, quantity: 2, discount: 0n, rate: '20' }] }).pay();
  const connected = await bridge.connect({ platform: 'shopify', access: shop.clientAccess });

  const hours = await requestsPerHour({ bridge, connected, storefronts, clock, asked: () => shop.asked.length }, HOURS);
  expect(Math.max(...hours)).toBeLessThanOrEqual(MOST);
  expect(Math.min(...hours.slice(1))).toBeGreaterThanOrEqual(4);
});

test('an idle shop of one’s own costs at most 12', async () => {
  const clock = { now: Date.now() };
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  await using shop = await OwnShop.start(secret);
  // Its clock is the real one.
  shop.checks = false;
  shop.save({ ...orderOf('1'), updatedAt: new Date(clock.now - HOUR_MS).toISOString() });
  const connected = await bridge.connect({ secret, access: { url: shop.url } });

  const hours = await requestsPerHour({ bridge, connected, storefronts, clock, asked: () => shop.asked.length }, HOURS);
  expect(Math.max(...hours)).toBeLessThanOrEqual(MOST);
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(3);
});
