import { expect, test } from 'vitest';
import { api, showsSince } from '../../../../../../src/bridge/storefronts/shopify/api/api.ts';
import { changedSince, complete, ordersById } from '../../../../../../src/bridge/storefronts/shopify/api/read-orders.ts';
import type { OrderSummary } from '../../../../../../src/bridge/storefronts/store-reader.ts';
import { Clock } from '../../../../../support/servers/shopify-admin/clock.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson } from '../../../../../support/servers/store-api.ts';
import { unlimited } from './throttling.ts';

const LONG_AGO = '2026-01-01T00:00:00.000Z';
const day = 24 * 3_600_000;

function shopWithClock() {
  const clock = new Clock('2026-11-10T08:00:00Z');
  return { clock, start: () => ShopifyAdmin.start({ now: clock.now, ...unlimited }) };
}

async function listAll(shop: ShopifyAdmin, since: string, size: number): Promise<{ summaries: OrderSummary[]; pages: number }> {
  const summaries: OrderSummary[] = [];
  let pages = 0;
  for (let after: string | null = null, isFirst = true; isFirst || after !== null; isFirst = false) {
    const page = await changedSince(shop.access, { since, after, size }, { fetchJson, now: shop.state.now() });
    summaries.push(...page.summaries);
    after = page.next;
    pages += 1;
  }
  return { summaries, pages };
}

test('orders are listed by time of change, oldest first, in pages; what changes meanwhile is met again', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const orders = Array.from({ length: 7 }, () => {
    clock.pass(1000);
    return shop.buy().pay();
  });
  clock.pass(60_000);
  const first = await changedSince(shop.access, { since: LONG_AGO, after: null, size: 3 }, { fetchJson, now: clock.now() });
  orders[0]?.happens((it) => it.refundPieces(0, 1));
  const second = await changedSince(shop.access, { since: LONG_AGO, after: first.next, size: 10 }, { fetchJson, now: clock.now() });

  expect(first.summaries.map(({ orderId }) => orderId)).toEqual(orders.slice(0, 3).map(({ id }) => id));
  expect(second.summaries.map(({ orderId }) => orderId)).toEqual([...orders.slice(3), ...orders.slice(0, 1)].map(({ id }) => id));
  expect(second.summaries.at(-1)).toMatchObject({ status: 'partially_refunded', kept: '4.90', refundIds: [expect.any(String)] });
  expect(second.next).toBeNull();
});

test('what changed in the very second of the watermark is listed, what changed before is not', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  shop.buy().pay();
  clock.pass(1000);
  const order = shop.buy().pay();

  const { summaries } = await listAll(shop, new Date(clock.now()).toISOString(), 10);
  expect(summaries.map(({ orderId }) => orderId)).toEqual([order.id]);
});

test('many orders of one second are told apart over pages', async () => {
  const { start } = shopWithClock();
  await using shop = await start();
  const ids = Array.from({ length: 25 }, () => shop.buy().pay().id);

  const { summaries, pages } = await listAll(shop, LONG_AGO, 10);
  expect(summaries.map(({ orderId }) => orderId)).toEqual(ids);
  expect(pages).toBe(3);
});

test('before pages end, at 25,000 orders, a new window begins where the old one came', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  for (let count = 0; count < 4; count += 1) {
    shop.buy().pay();
    clock.pass(1000);
  }
  const deep = JSON.stringify({ since: LONG_AGO, cursor: null, count: 19_999 });
  const page = await changedSince(shop.access, { since: LONG_AGO, after: deep, size: 2 }, { fetchJson, now: clock.now() });

  expect(JSON.parse(page.next ?? '')).toEqual({ since: page.summaries[1]?.updatedAt.replace('.000', ''), cursor: null, count: 0 });
  const rest = await changedSince(shop.access, { since: LONG_AGO, after: page.next, size: 9 }, { fetchJson, now: clock.now() });
  expect(rest.summaries.map(({ number }) => number)).toEqual(['#1002', '#1003', '#1004']);
});

test('so many changes within one second are followed by the cursor', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  for (let count = 0; count < 4; count += 1) shop.buy();
  const since = new Date(clock.now()).toISOString();
  const page = await changedSince(shop.access, { since, after: JSON.stringify({ since, cursor: null, count: 20_000 }), size: 2 }, { fetchJson, now: 0 });

  expect(JSON.parse(page.next ?? '')).toMatchObject({ since, cursor: expect.any(String), count: 20_002 });
});

test('a change that the search index does not have yet is listed later, within the lag that is declared', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  shop.state.lagMs = 5 * 60_000;
  shop.buy().pay();

  expect((await listAll(shop, LONG_AGO, 10)).summaries).toEqual([]);
  clock.pass(5 * 60_000);
  expect((await listAll(shop, LONG_AGO, 10)).summaries).toHaveLength(1);
  expect(api.lagMs).toBeGreaterThan(shop.state.lagMs);
});

test('a cancelled order, one with many refunds, and one without a status', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  shop
    .buy()
    .pay()
    .happens((it) => it.cancel({ refund: true, shipping: true }));
  const many = shop.buy({ lines: [{ price: 100n, quantity: 9, discount: 0n, rate: '20' }] }).pay();
  for (let count = 0; count < 6; count += 1) many.happens((it) => it.refundPieces(0, 1));
  const unpaid = shop.buy();
  unpaid.stored.body['financial_status'] = null;

  const { summaries } = await listAll(shop, LONG_AGO, 10);
  expect(summaries.map(({ status, lifecycle, payment, kept, refundIds }) => ({ status, lifecycle, payment, kept, listed: refundIds?.length }))).toEqual([
    { status: 'refunded, cancelled', lifecycle: 'cancelled', payment: 'paid', kept: '0.00', listed: 1 },
    { status: 'partially_refunded', lifecycle: 'live', payment: 'paid', kept: '7.90', listed: undefined },
    { status: 'pending', lifecycle: 'live', payment: 'unpaid', kept: '0.00', listed: 0 },
  ]);
  const { news } = await ordersById(shop.access, [{ orderId: unpaid.id, placedAt: null }], { fetchJson, now: clock.now() });
  expect(news[0]?.snapshot?.status).toBe('pending');
});

test('what is not shown is gone if it would be shown: young enough, or with the scope read_all_orders', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const [deleted, hidden] = [shop.buy(), shop.buy({ createdAt: clock.now() - 61 * day })];
  shop.remove(deleted);
  const young = { orderId: deleted.id, placedAt: new Date(clock.now() - 58 * day).toISOString() };
  const old = { orderId: hidden.id, placedAt: new Date(clock.now() - 61 * day).toISOString() };
  const read = (access = shop.access) => ordersById(access, [young, old, { orderId: '5', placedAt: null }], { fetchJson, now: clock.now() });

  expect(await read()).toEqual({ news: [], gone: [young.orderId], unknown: [old.orderId, '5'] });
  const asked = shop.asked.length;
  await read();
  expect(shop.asked.slice(asked).filter(({ query }) => query.includes('accessScopes'))).toEqual([]);
  shop.state.scopes.push('read_all_orders');
  shop.state.token = 'shpat_another';
  const all = await read();
  expect({ found: all.news.map(({ orderId }) => orderId), gone: all.gone }).toEqual({ found: [old.orderId], gone: [young.orderId, '5'] });
});

test('orders of the last 60 days are shown, or with the scope read_all_orders all', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const means = { fetchJson, now: clock.now() };

  expect(await showsSince(shop.access, means)).toBe(new Date(clock.now() - 60 * day).toISOString());
  Object.assign(shop.state, { scopes: ['read_orders', 'read_all_orders'], token: 'shpat_everything' });
  expect(await showsSince(shop.access, means)).toBeNull();
});

test('of an order that a webhook called deleted, the shop says whether it is there', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const [there, gone] = [shop.buy().pay(), shop.buy().pay()];
  shop.remove(gone);
  const means = { fetchJson, now: clock.now() };
  const missing = { refundIds: [], deleted: true };

  expect(await complete(shop.access, { orderId: there.id, ...missing }, means)).toMatchObject({ restored: true, snapshot: { status: 'paid' } });
  expect(await complete(shop.access, { orderId: gone.id, ...missing }, means)).toEqual({ orderId: gone.id });
});

test('of an order whose change is not known, the shop says what it is now, or that it is gone', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const [there, gone] = [shop.buy().pay(), shop.buy().pay()];
  shop.remove(gone);
  const missing = { refundIds: [], deleted: false, order: true as const };
  const means = { fetchJson, now: clock.now() };

  expect((await complete(shop.access, { orderId: there.id, ...missing }, means)).restored).toBeUndefined();
  expect(await complete(shop.access, { orderId: gone.id, ...missing }, means)).toEqual({ orderId: gone.id });
  Object.assign(shop.state, { scopes: ['read_orders', 'read_all_orders'], token: 'shpat_all' });
  expect(await complete(shop.access, { orderId: gone.id, ...missing }, means)).toEqual({ orderId: gone.id, deleted: true });
  there.stored.body['currency'] = 'euro';
  await expect(complete(shop.access, { orderId: there.id, ...missing }, means)).rejects.toThrow(/storefront.unreachable: order \d+ can’t be read/);
});
