import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoreMeans } from '../../../../../src/bridge/storefronts/contract.ts';
import { api } from '../../../../../src/bridge/storefronts/standard/read-orders.ts';
import { OwnShop } from '../../../../support/servers/own-shop.ts';
import { fetchJson } from '../../../../support/servers/store-api.ts';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

let shop: OwnShop;
beforeEach(async () => {
  shop = await OwnShop.start(secret);
  shop.save(order);
});
afterEach(() => shop[Symbol.asyncDispose]());

const order = {
  ...{ id: '1', number: '#1', status: 'cancelled', createdAt: '2026-11-21T08:00:00Z', updatedAt: '2026-11-21T10:00:00Z', currency: 'EUR', total: '24.00' },
  lines: [{ id: 'a', name: 'Mug', amount: '24.00', vatRate: '20' }],
};
const access = () => ({ url: shop.url });
const means = (given: Partial<StoreMeans> = {}): StoreMeans => ({ fetchJson, now: Date.now(), secret, ...given });
const query = { since: '2026-11-20T00:00:00.000Z', after: null, size: 100 };
const changedSince = (given: Partial<StoreMeans> = {}) => api.changedSince?.(access(), query, means(given));

describe('the signature of a request', () => {
  test('is refused by a shop with another secret, in words', async () => {
    const other = `whsec_${randomBytes(32).toString('base64')}`;

    await expect(changedSince({ secret: other })).rejects.toThrow(/storefront.refused: .*answered 401: .*secret/);
  });

  test('covers path and query, an endpoint’s own parameters included', async () => {
    const found = await api.ordersById?.({ url: `${shop.url}?shop=caf%C3%A9&x=a+b#top` }, [{ orderId: '1', placedAt: null }], means());

    expect(found?.news).toHaveLength(1);
    expect(shop.asked).toEqual(['/orderbridge/orders?shop=caf%C3%A9&x=a+b&ids=1']);
  });

  test('needs a secret and an address', async () => {
    await expect(changedSince({ secret: '' })).rejects.toThrow(/storefront.refused: the connection has no secret/);
    await expect(api.changedSince?.(access(), query, { fetchJson, now: Date.now() })).rejects.toThrow(/has no secret/);
    await expect(api.changedSince?.({ url: 'shop' }, query, means())).rejects.toThrow(/storefront.refused: .*not a URL/);
    expect(shop.asked).toEqual([]);
  });
});

describe('trying the access', () => {
  const checkAccess = (given: Partial<StoreMeans> = {}) => api.checkAccess?.(access(), means(given));

  test('finds nothing wrong with a shop that checks our signature', async () => {
    expect(await checkAccess()).toEqual([]);
    expect(shop.asked).toHaveLength(2);
  });

  test('warns of a shop that shows its orders to anybody', async () => {
    shop.checks = false;

    expect(await checkAccess()).toEqual([expect.stringContaining('without a signature: anybody can read its orders')]);
  });

  test.each([
    [
      'its address redirects',
      { status: 301, headers: { location: 'https://www.shop.example/orders?token=x' } },
      'redirects to https://www.shop.example/orders;',
    ],
    ['it redirects nowhere', { status: 302 }, 'answered 302: it redirects;'],
    ['nothing is there', { status: 404 }, 'nothing at this address'],
    ['it is broken', { status: 500 }, 'called again later'],
    ['it answers a page', { status: 200, body: 'Welcome' }, 'not as docs/own-shop.md says (the body: '],
    ['it answers something else', { status: 200, body: { orders: [{ id: 7 }] } }, '(orders.0.id: '],
    ['it lists an order without a time', { status: 200, body: { orders: [{ id: '7' }], next: null } }, 'lists the order 7 without'],
  ])('says in words that %s', async (_what, answer, words) => {
    shop.instead = () => answer;

    expect(await checkAccess()).toEqual([expect.stringContaining(words)]);
  });

  test('a wait that the shop asks for is handed on', async () => {
    const slow = { status: 429, body: null, retryAfterMs: 7_000 };

    await expect(changedSince({ fetchJson: async () => slow })).rejects.toMatchObject({ code: 'storefront.unreachable', retryAfterMs: 7_000 });
  });

  test('a defect is thrown', async () => {
    const broken = () => Promise.reject(new TypeError('a defect'));

    await expect(checkAccess({ fetchJson: broken })).rejects.toThrow('a defect');
  });
});
