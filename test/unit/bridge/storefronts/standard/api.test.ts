import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OrderNews } from '../../../../../src/bridge/order/facts/facts.ts';
import type { MissingOfOrder, StoreMeans } from '../../../../../src/bridge/storefronts/contract.ts';
import { normalize } from '../../../../../src/bridge/storefronts/standard/normalize.ts';
import { api } from '../../../../../src/bridge/storefronts/standard/read-orders.ts';
import { OwnShop } from '../../../../support/servers/own-shop.ts';
import { fetchJson } from '../../../../support/servers/store-api.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const NOW = Date.parse('2026-11-22T12:00:00Z');
const SINCE = '2026-11-20T00:00:00.000Z';

let shop: OwnShop;
beforeEach(async () => {
  shop = await OwnShop.start(secret);
});
afterEach(() => shop[Symbol.asyncDispose]());

const access = () => ({ url: shop.url });
const means = (given: Partial<StoreMeans> = {}): StoreMeans => ({ fetchJson, now: Date.now(), secret, ...given });
const at = (minute: number) => `2026-11-21T10:${String(minute).padStart(2, '0')}:00.000Z`;

function orderOf(id: string, given: Record<string, unknown> = {}) {
  return {
    ...{
      id,
      number: `#${id}`,
      status: 'paid',
      createdAt: '2026-11-21T08:00:00Z',
      updatedAt: at(0),
      paidAt: '2026-11-21T08:05:00Z',
      currency: 'EUR',
      total: '24.00',
    },
    lines: [{ id: 'a', name: 'Mug', quantity: 2, amount: '24.00', vatRate: '20' }],
    payment: { method: 'stripe', transactionId: 'pi_1' },
    customer: { email: 'buyer@example.com' },
    refunds: [],
    ...given,
  };
}

const changedSince = (query: { since?: string; after?: string | null; size?: number } = {}, given: Partial<StoreMeans> = {}) =>
  api.changedSince?.(access(), { since: SINCE, after: null, size: 100, ...query }, means(given));
const ordersById = (...ids: string[]) =>
  api.ordersById?.(
    access(),
    ids.map((orderId) => ({ orderId, placedAt: null })),
    means(),
  );
const complete = (missing: Partial<MissingOfOrder> = {}) => api.complete(access(), { orderId: '1', refundIds: [], deleted: false, ...missing }, means());

describe('what changed in an own shop', () => {
  test('comes a page after the other, the oldest change first, since a moment that counts', async () => {
    for (const id of ['1', '2', '3', '4']) shop.save(orderOf(id, { updatedAt: at(10 - Number(id)) }));
    shop.save(orderOf('old', { updatedAt: '2026-11-19T23:59:59.999Z' }));
    shop.save(orderOf('edge', { updatedAt: SINCE }));

    const first = await changedSince({ size: 3 });
    const last = await changedSince({ size: 3, after: first?.next ?? '' });

    expect([first, last].map((page) => page?.summaries.map(({ orderId }) => orderId))).toEqual([
      ['edge', '4', '3'],
      ['2', '1'],
    ]);
    expect(last?.next).toBeNull();
    expect(shop.asked[0]).toBe('/orderbridge/orders?changed_since=2026-11-20T00%3A00%3A00.000Z&limit=3');
  });

  test('has of each order what the webhook’s snapshot has', async () => {
    const refunds = [{ id: 'r1', at: '2026-11-21T09:00:00Z', amount: '4.00' }];
    shop.save(orderOf('1', { refunds, updatedAt: '2026-11-21T12:00:00+02:00' }));

    expect((await changedSince())?.summaries).toEqual([
      {
        ...{ orderId: '1', number: '#1', updatedAt: '2026-11-21T10:00:00.000Z', status: 'paid', lifecycle: 'live', payment: 'paid', test: false },
        ...{ currency: 'EUR', total: '24.00', soldAt: '2026-11-21T08:05:00.000Z', createdAt: '2026-11-21T08:00:00.000Z', kept: '20.00', refundIds: ['r1'] },
      },
    ]);
  });

  test('says nothing of refunds where the shop sends each by itself, and takes the time of an unpaid order from its placing', async () => {
    const { refunds: _apart, paidAt: _unpaid, ...pending } = orderOf('1', { status: 'pending' });
    shop.save(pending);

    expect((await changedSince())?.summaries).toMatchObject([{ payment: 'unpaid', soldAt: '2026-11-21T08:00:00.000Z', kept: null, refundIds: null }]);
  });

  test('lists a deleted order as thrown away', async () => {
    shop.remove('1', at(5));

    expect((await changedSince())?.summaries).toMatchObject([
      { orderId: '1', number: '1', status: 'deleted', lifecycle: 'trashed', payment: 'unpaid', updatedAt: at(5) },
    ]);
  });

  test('an order that can’t be read is listed with what can, and takes no other with it', async () => {
    shop.save(orderOf('1', { lines: 'none' }));
    shop.save(orderOf('2', { status: 7, total: 24, currency: 'euro', number: 3, createdAt: 'yesterday', updatedAt: at(1) }));
    shop.save(orderOf('3', { updatedAt: at(2) }));

    expect((await changedSince())?.summaries).toMatchObject([
      { orderId: '1', number: '#1', status: 'paid', payment: 'paid', total: '24.00', currency: 'EUR', soldAt: '2026-11-21T08:00:00.000Z' },
      { orderId: '2', number: '2', status: 'unreadable', payment: 'unpaid', total: '0.00', soldAt: at(1) },
      { orderId: '3' },
    ]);
  });

  test('an order without a time of change stops the list, with words that name it', async () => {
    shop.instead = () => ({ status: 200, body: { orders: [{ id: '7', deleted: true }], next: null } });

    await expect(changedSince()).rejects.toThrow(/storefront.unreachable: .*order 7 .*updatedAt: must be an ISO 8601/);
  });

  test('a list that goes on at the same place is not walked for ever', async () => {
    shop.instead = () => ({ status: 200, body: { orders: [orderOf('1')], next: 'x' } });

    await expect(changedSince({ after: 'x' })).rejects.toThrow(/storefront.unreachable: .*next page without end/);
  });

  test('nor is one whose pages have no orders any more, and go on', async () => {
    shop.instead = () => ({ status: 200, body: { orders: [], next: 'y' } });

    await expect(changedSince({ after: 'x' })).rejects.toThrow(/storefront.unreachable: .*next page .* after one without orders/);
  });

  test('at most 100 orders are requested at once', async () => {
    await changedSince({ size: 250 });

    expect(shop.asked[0]).toMatch(/&limit=100$/);
  });
});

describe('whole orders of an own shop', () => {
  test('are the news that a webhook with the same order gives, digest and all', async () => {
    const order = orderOf('1', { refunds: [{ id: 'r1', at: '2026-11-21T09:00:00Z', amount: '4.00' }] });
    shop.save(order);
    const sent = normalize({ topic: '', deliveryId: null, store: null }, { type: 'order.paid', data: { order } });

    const read = await ordersById('1');
    expect(read).toMatchObject({ news: [sent.kind === 'order' ? sent.news : null], gone: [], unknown: [] });
    // It is the state of the moment in which it was read, whatever a webhook of the same second says.
    expect(read?.news[0]?.snapshot).toHaveProperty('readAt');
  });

  test('only the shop’s own word says that one is gone; what is not listed, or can’t be read, is not known', async () => {
    shop.save(orderOf('1'));
    shop.remove('2', at(1));
    shop.save(orderOf('4', { lines: [], total: 'free' }));

    expect(await ordersById('1', '2', '3', '4', 'a,b')).toMatchObject({ news: [{ orderId: '1' }], gone: ['2'], unknown: ['3', '4', 'a,b'] });
  });

  test('one that is dated days ahead would win over every later state, and is not read', async () => {
    shop.save(orderOf('1', { updatedAt: '2027-01-01T00:00:00Z' }));
    const found = await api.ordersById?.(access(), [{ orderId: '1', placedAt: null }], means({ now: NOW, fetchJson: unsigned }));

    expect(found).toEqual({ news: [], gone: [], unknown: ['1'] });
  });

  test('orders that were not asked for are left out', async () => {
    shop.instead = () => ({ status: 200, body: { orders: [orderOf('1'), orderOf('9')], next: null } });

    expect(await ordersById('1')).toMatchObject({ news: [{ orderId: '1' }], gone: [], unknown: [] });
  });

  test('a hundred with long ids are asked for in addresses that servers take, and pages of the answer are followed', async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `${'ж'.repeat(20)}${n}`);
    for (const id of ids) shop.save(orderOf(id));
    shop.pageSize = 7;
    const found = await ordersById(...ids);

    expect(found?.news.map(({ orderId }) => orderId).sort()).toEqual(ids.toSorted());
    expect(Math.max(...shop.asked.map((path) => path.length))).toBeLessThan(5_000);
    expect(shop.asked.length).toBeGreaterThan(100 / 7);
  });

  test('an answer whose pages never end is given up', async () => {
    shop.instead = () => ({ status: 200, body: { orders: [], next: 'more' } });

    await expect(ordersById('1', '2')).rejects.toThrow(/next page without end/);
    expect(shop.asked).toHaveLength(2);
  });
});

describe('an order that was reported as gone', () => {
  test('is back if the shop has it', async () => {
    shop.save(orderOf('1'));

    expect(await complete({ deleted: true })).toMatchObject({ orderId: '1', restored: true, snapshot: { status: 'paid' } });
  });

  test('is gone if the shop says so, which is no news twice', async () => {
    shop.remove('1', at(1));

    const news: OrderNews[] = [await complete({ deleted: true }), await complete({ order: true })];
    expect(news).toEqual([{ orderId: '1' }, { orderId: '1', deleted: true }]);
  });

  test('is read as it is now if it only changed', async () => {
    shop.save(orderOf('1'));

    const news = await complete({ order: true });
    expect(news).toMatchObject({ orderId: '1', snapshot: { status: 'paid' } });
    expect(news).not.toHaveProperty('restored');
  });

  test('is asked for again later if the shop says neither', async () => {
    await expect(complete({ deleted: true })).rejects.toThrow(/storefront.unreachable: .*does not list the order 1/);
  });
});

/** The shop's clock is the machine's: a request of another time is answered as if it were not checked. */
const unsigned: StoreMeans['fetchJson'] = async (request) => {
  shop.checks = false;
  return fetchJson(request);
};

describe('an order that the shop lists twice', () => {
  const answered = async (...orders: unknown[]) => {
    shop.instead = () => ({ status: 200, body: { orders, next: null } });
    return ordersById('1');
  };
  const [older, newer] = [orderOf('1', { updatedAt: at(1), total: '12.00' }), orderOf('1', { updatedAt: at(2) })];
  const gone = { id: '1', deleted: true };

  test.each([
    ['first', [newer, older]],
    ['last', [older, newer]],
  ])('is as its later state says, which comes %s', async (_, orders) => {
    expect((await answered(...orders))?.news.map(({ snapshot }) => snapshot?.updatedAt)).toEqual([at(2)]);
  });

  test.each([
    ['first', [gone, newer]],
    ['last', [newer, gone]],
    ['with its time', [{ ...gone, updatedAt: at(3) }, newer]],
  ])('is gone for good if one of them says so: %s', async (_, orders) => {
    expect(await answered(...orders)).toMatchObject({ news: [], gone: ['1'] });
  });

  test('is back if it changed after it was gone; one without a time is the older one', async () => {
    expect((await answered(newer, { ...gone, updatedAt: at(1) }))?.news).toHaveLength(1);
    expect((await answered(newer, { id: '1' }))?.news).toHaveLength(1);
  });
});
