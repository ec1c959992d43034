import { expect, test } from 'vitest';
import { ordersById } from '../../../../../../src/bridge/storefronts/shopify/api/read-orders.ts';
import { Clock } from '../../../../../support/servers/shopify-admin/clock.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson } from '../../../../../support/servers/store-api.ts';
import { unlimited } from './throttling.ts';

function shopWithClock() {
  const clock = new Clock('2026-11-10T08:00:00Z');
  return { clock, start: () => ShopifyAdmin.start({ now: clock.now, ...unlimited }) };
}

test('an order is read whole, over all pages of its lines, refunds and payments', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const lines = Array.from({ length: 130 }, () => ({ price: 100n, quantity: 2, discount: 0n, rate: '20' }));
  const order = shop.buy({ lines }).pay();
  for (let at = 0; at < 14; at += 1) order.happens((it) => it.refundPieces(at, 1));
  order.happens((it) => it.cancel({ refund: true, shipping: true }));
  clock.pass(5_000);

  const { news, gone, unknown } = await ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson, now: clock.now() });
  const [read] = news;
  expect({ gone, unknown }).toEqual({ gone: [], unknown: [] });
  expect(read?.refunds).toHaveLength(15);
  expect(read?.transactions).toHaveLength(16);
  expect(read?.snapshot).toMatchObject({ kept: '0.00', lifecycle: 'cancelled', readAt: new Date(clock.now()).toISOString() });
  expect(read?.refunds?.at(-1)?.lines).toHaveLength(131);
});

test('a state that may not be the last of its second is not taken for the state of the moment of reading', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const order = shop.buy().pay();

  const { news } = await ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson, now: clock.now() + 1_999 });
  expect(news[0]?.snapshot?.readAt).toBeUndefined();
});

test('an order that changes while its pages are read is read again; one that does not rest is unknown', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const lines = Array.from({ length: 12 }, () => ({ price: 100n, quantity: 1, discount: 0n, rate: '20' }));
  const order = shop.buy({ lines }).pay();
  let changes = 1;
  const restless: typeof fetchJson = async (request) => {
    const answer = await fetchJson(request);
    if (changes > 0 && JSON.stringify(request.body).includes('query orders')) {
      changes -= 1;
      clock.pass(1000);
      order.touch();
    }
    return answer;
  };
  const read = () => ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson: restless, now: clock.now() });

  expect((await read()).news[0]?.snapshot?.lines).toHaveLength(13);
  changes = 100;
  expect(await read()).toEqual({ news: [], gone: [], unknown: [order.id] });
});

test.each([
  [
    'refunds',
    (body: Record<string, unknown>) => ({ ...body, refunds: Array.from({ length: 150 }, (_, nth) => ({ id: 9_000 + nth, created_at: body['created_at'] })) }),
  ],
  ['an amount that is none', (body: Record<string, unknown>) => ({ ...body, presentment_currency: null, currency: 'euro' })],
])('an order with too many %s is unknown, and keeps no other from being read', async (_what, changed) => {
  const { start } = shopWithClock();
  await using shop = await start();
  const [odd, usual] = [shop.buy().pay(), shop.buy().pay()];
  Object.assign(odd.stored.body, changed(odd.stored.body));

  const sought = [odd, usual].map(({ id }) => ({ orderId: id, placedAt: null }));
  const found = await ordersById(shop.access, sought, { fetchJson, now: shop.state.now() });
  expect({ read: found.news.map(({ orderId }) => orderId), unknown: found.unknown }).toEqual({ read: [usual.id], unknown: [odd.id] });
});

test('shipping of many lines is read over all pages', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const order = shop.buy().pay();
  const line = { title: 'Courier', price: '1.00', tax_lines: [], discount_allocations: [], is_removed: true };
  Object.assign(order.stored.body, { shipping_lines: Array.from({ length: 9 }, (_, nth) => ({ ...line, id: 500 + nth, is_removed: nth > 3 })) });

  const { news } = await ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson, now: clock.now() });
  expect(news[0]?.snapshot?.lines.filter(({ kind }) => kind === 'shipping').length).toBeGreaterThanOrEqual(4);
});

test('an order with a refund that can’t be read, or that changes as its refunds are read, is unknown', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const lines = Array.from({ length: 12 }, () => ({ price: 100n, quantity: 2, discount: 0n, rate: '20' }));
  const order = shop
    .buy({ lines })
    .pay()
    .happens((it) => it.cancel({ refund: true, shipping: true }));
  const read = (fetch = fetchJson) => ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson: fetch, now: clock.now() });
  const changing =
    (when: string): typeof fetchJson =>
    (request) => {
      if (JSON.stringify(request.body).includes(when)) {
        clock.pass(1000);
        order.touch();
      }
      return fetchJson(request);
    };

  expect((await read()).news).toHaveLength(1);
  expect(await read(changing('query refunds'))).toEqual({ news: [], gone: [], unknown: [order.id] });
  expect(await read(changing('... on Refund { order { updatedAt } page'))).toEqual({ news: [], gone: [], unknown: [order.id] });
  Object.assign(order.stored.body, {
    refunds: [{ id: 9, created_at: order.stored.body['created_at'], refund_line_items: [{ line_item_id: 1, quantity: -1, subtotal: 0, total_tax: 0 }] }],
  });
  expect(await read()).toEqual({ news: [], gone: [], unknown: [order.id] });
});

test('a shop that fails while the pages of an order are read has failed', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const order = shop.buy({ lines: Array.from({ length: 12 }, () => ({ price: 100n, quantity: 1, discount: 0n, rate: '20' })) });
  const failing: typeof fetchJson = async (request) => (JSON.stringify(request.body).includes('query rest') ? { status: 503, body: null } : fetchJson(request));

  await expect(ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson: failing, now: clock.now() })).rejects.toThrow(/answered 503/);
});

test('a refund without a time of its own, or with a duty that is gone, is read', async () => {
  const { clock, start } = shopWithClock();
  await using shop = await start();
  const order = shop
    .buy()
    .pay()
    .happens((it) => it.refundPieces(0, 1));
  const withDuties =
    (duties: unknown): typeof fetchJson =>
    async (request) => {
      const answer = await fetchJson(request);
      const text = JSON.stringify(answer.body).replaceAll(
        /"createdAt":"[^"]*","processedAt":"([^"]*)","order"/g,
        '"createdAt":null,"processedAt":"$1","order"',
      );
      return { ...answer, body: JSON.parse(text.replaceAll('"duties":[],"refundLineItems"', `"duties":${JSON.stringify(duties)},"refundLineItems"`)) };
    };
  const read = (duties: unknown) => ordersById(shop.access, [{ orderId: order.id, placedAt: null }], { fetchJson: withDuties(duties), now: clock.now() });

  for (const duties of [null, [{ originalDuty: null, amountSet: { shopMoney: { amount: '1.00' } } }]]) {
    expect((await read(duties)).news[0]?.refunds).toMatchObject([{ at: '2026-11-10T08:00:00.000Z', lines: [{ quantity: '1', amount: '60.00' }] }]);
  }
});
