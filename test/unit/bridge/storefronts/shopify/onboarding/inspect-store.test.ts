import { expect, test } from 'vitest';
import { inspectStore } from '../../../../../../src/bridge/storefronts/shopify/onboarding/inspect-store.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson } from '../../../../../support/servers/store-api.ts';
import { unlimited } from '../api/throttling.ts';

const DAY_MS = 86_400_000;
const means = () => ({ fetchJson, now: Date.now() });
const daysAgo = (days: number) => Date.now() - days * DAY_MS;
const asked = (more: { since?: number; most?: number; longestMs?: number } = {}) => ({
  ...{ since: new Date(more.since ?? daysAgo(60)).toISOString(), most: more.most ?? 200 },
  ...(more.longestMs === undefined ? {} : { longestMs: more.longestMs }),
});

test('a shop says its name and currency, and its orders the rates and payment methods', async () => {
  await using shop = await ShopifyAdmin.start({ ...unlimited, name: 'Cups', currency: 'EUR', taxesIncluded: false });
  shop.buy({ createdAt: daysAgo(3), lines: [{ price: 1000n, quantity: 1, discount: 0n, rate: '9' }] }).pay('cash_on_delivery');
  shop.buy({ createdAt: daysAgo(1) }).pay();

  const { orders, ...said } = await inspectStore(shop.access, means(), asked());
  expect(said).toEqual({
    store: { name: 'Cups', currency: 'EUR', decimals: null, pricesIncludeTax: false, roundAtSubtotal: null, version: null },
    rates: [
      { rate: '20', name: 'ДДС', country: '' },
      { rate: '9', name: 'ДДС', country: '' },
    ],
    gateways: [
      { id: 'shopify_payments', title: 'Shopify payments', enabled: true },
      { id: 'cash_on_delivery', title: 'Cash on delivery', enabled: true },
    ],
    statuses: [],
  });
  expect(orders.map(({ snapshot }) => snapshot?.payment)).toEqual(['paid', 'paid']);
});

test('orders are the newest first, since then, and no more than that', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const sold = [90, 50, 31, 29, 20, 5].map((days) => shop.buy({ createdAt: daysAgo(days) }).pay());
  const ids = (orders: readonly { orderId: string }[]) => orders.map(({ orderId }) => sold.findIndex(({ id }) => id === orderId));

  expect(ids((await inspectStore(shop.access, means(), asked())).orders)).toEqual([5, 4, 3, 2, 1]);
  expect(ids((await inspectStore(shop.access, means(), asked({ since: daysAgo(30) }))).orders)).toEqual([5, 4, 3]);
  expect(ids((await inspectStore(shop.access, means(), asked({ most: 2 }))).orders)).toEqual([5, 4]);
  shop.state.scopes.push('read_all_orders');
  expect(ids((await inspectStore(shop.access, means(), asked({ since: daysAgo(100) }))).orders)).toEqual([5, 4, 3, 2, 1, 0]);
});

test('a shop with many orders is listed by pages, and read until the time is over', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  for (let count = 0; count < 230; count += 1) shop.buy({ createdAt: daysAgo(40) + count * 60_000 });
  const listings = () => shop.asked.filter(({ query }) => query.includes('query seen')).length;

  expect((await inspectStore(shop.access, means(), asked({ longestMs: 0 }))).orders).toHaveLength(10);
  expect(listings()).toBeGreaterThan(1);
  const all = await inspectStore(shop.access, means(), asked({ longestMs: 60_000 }));
  expect(new Set(all.orders.map(({ orderId }) => orderId)).size).toBe(200);
});

test('half of the shop’s points are left to others', async () => {
  await using shop = await ShopifyAdmin.start({ bucket: { maximumAvailable: 1000, currentlyAvailable: 1000, restoreRate: 4000 } });
  for (let count = 0; count < 30; count += 1) shop.buy();
  let least = 1000;
  shop.state.intercept = () => {
    least = Math.min(least, shop.state.bucket.currentlyAvailable);
    return undefined;
  };

  expect((await inspectStore(shop.access, means(), asked())).orders).toHaveLength(30);
  // What a query costs is known after its first answer.
  expect(least).toBeGreaterThanOrEqual(400);
});

test('a shop without orders says what it knows; hidden buyers cost nothing else; a payment without a gateway is none', async () => {
  await using empty = await ShopifyAdmin.start(unlimited);
  await using shop = await ShopifyAdmin.start({ ...unlimited, hidesBuyers: true });
  const order = shop.buy({ buyer: { email: 'a@b.example', first_name: 'A', last_name: 'B', phone: '1' } }).pay();
  for (const payment of order.stored.transactions) payment['gateway'] = null;

  expect(await inspectStore(empty.access, means(), asked())).toMatchObject({ store: { name: 'Corner' }, rates: [], gateways: [], orders: [] });
  const read = await inspectStore(shop.access, means(), asked());
  expect(read.gateways).toEqual([]);
  expect(read.orders[0]?.customer).toBeUndefined();
  expect(read.orders[0]?.snapshot?.payment).toBe('paid');
});

test('an order that can’t be read has no snapshot; keys that are refused are thrown', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const order = shop.buy();
  order.stored.body['currency'] = 'Euro';

  expect((await inspectStore(shop.access, means(), asked())).orders).toEqual([{ orderId: order.id }]);
  await expect(inspectStore({ ...shop.access, accessToken: 'wrong' }, means(), asked())).rejects.toThrow(/storefront.refused/);
});
