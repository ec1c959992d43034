import { expect, test } from 'vitest';
import { z } from 'zod';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import type { StoreAccess } from '../../../../src/bridge/storefronts/contract.ts';
import { adminClient } from '../../../../src/bridge/storefronts/shopify/api/admin-client.ts';
import { refreshGrant } from '../../../../src/bridge/storefronts/shopify/oauth/ask-token.ts';
import { problemOf } from '../../../../src/bridge/storefronts/shopify/onboarding/problem-of.ts';
import { refusalOf } from '../../../../src/bridge/storefronts/shopify/status-words.ts';
import { askOrders } from '../../../../src/bridge/storefronts/standard/ask-orders.ts';
import { refusalIn, type StoreDenial } from '../../../../src/bridge/storefronts/store-failure.ts';
import { restFailure } from '../../../../src/bridge/storefronts/woocommerce/rest.ts';

const denial = (thrown: unknown) => (thrown instanceof Failure ? refusalIn(thrown)?.denial : thrown);

test.each<[number, StoreDenial | null | undefined]>([
  [401, 'key'],
  [402, 'frozen'],
  [403, 'key'],
  [404, null],
  [423, 'locked'],
  [429, undefined],
  [430, undefined],
  [503, undefined],
])('of a Shopify store that answers %i it is known who can mend it: %s', (status, expected) => {
  expect(denial(refusalOf(status, { byApp: true }))).toBe(expected);
});

test('a token of the wrong kind is the merchant’s to mend, who approves again', () => {
  expect(denial(refusalOf(403, { body: { errors: 'Non-expiring access tokens are not accepted' } }))).toBe('key');
});

const app = { clientId: 'id', clientSecret: 'secret' };
const access = { url: 'https://corner.myshopify.com', app: 'corner' };
const before = { token: 'shpat_1', expiresAt: null, refreshToken: 'shprt_1' };
const refreshed = (status: number, body: unknown, known: typeof app | null = app) =>
  refreshGrant(access, before, { fetchJson: async () => ({ status, body }), now: 0, ...(known === null ? {} : { app: known }) }).catch(
    (thrown: unknown) => thrown,
  );

test.each<[number, object | null, StoreDenial | null | undefined]>([
  [400, { error: 'invalid_grant' }, 'key'],
  [401, { error: 'invalid_request' }, 'key'],
  [401, null, 'key'],
  [400, { error: 'invalid_client' }, 'app'],
  [401, { error: 'invalid_client' }, 'app'],
  [400, { error: 'unauthorized_client' }, 'app'],
  [400, { error: 'application_cannot_be_found' }, 'app'],
  [402, null, 'frozen'],
  [404, null, null],
  [423, null, 'locked'],
  [503, null, undefined],
  [200, {}, undefined],
])('a grant that is refused with %i %j: %s', async (status, body, expected) => {
  expect(denial(await refreshed(status, body))).toBe(expected);
});

test('an app that is not known here any more is not the merchant’s, and their pages say so', async () => {
  const thrown = await refreshed(200, {}, null);
  expect(denial(thrown)).toBe('app');
  expect(thrown instanceof Failure ? problemOf(thrown, { byApp: true }) : thrown).toEqual({ code: 'app.refused' });
});

const denied = { data: null, errors: [{ path: ['orders'], extensions: { code: 'ACCESS_DENIED' } }] };

test.each<[string, StoreAccess, StoreDenial | null]>([
  ['an app that merchants approve is the operator’s, since approving it again mends nothing', access, null],
  ['keys of their own is the merchant’s', { url: access.url, accessToken: 'shpat_1' }, 'key'],
])('orders that are denied to %s', async (_what, by, expected) => {
  const tokens = { token: async () => 'shpat_1' };
  const means = { fetchJson: async () => ({ status: 200, body: denied }), now: 0, tokens };
  const thrown = await adminClient(by, means)
    .ask({ query: '{ orders }', data: z.unknown() })
    .catch((failure: unknown) => failure);

  expect(denial(thrown)).toBe(expected);
  // Their page says what it is, no matter who mends it.
  expect(thrown instanceof Failure ? problemOf(thrown, { byApp: true }) : thrown).toEqual({ code: 'data.denied' });
});

const woo = { url: 'https://cups.example', key: 'ck', secret: 'cs' };
const answered = (status: number, body: unknown) =>
  restFailure(woo, { sent: 'https://cups.example/wp-json/', way: { path: 'pretty', auth: 'basic' }, answer: { status, body } });

test.each<[number, unknown, StoreDenial | undefined]>([
  [401, { code: 'woocommerce_rest_cannot_view' }, 'key'],
  [403, { code: 'woocommerce_rest_cannot_view' }, 'key'],
  [401, null, 'blocked'],
  [403, '<h1>Forbidden</h1>', 'blocked'],
  [404, null, undefined],
  [503, null, undefined],
])('of a WooCommerce store that answers %i %j, what is before it is told from its key: %s', (status, body, expected) => {
  expect(denial(answered(status, body))).toBe(expected);
});

test.each<[number, StoreDenial | undefined]>([
  [401, 'key'],
  [403, 'key'],
  [404, undefined],
  [503, undefined],
])('of a shop of one’s own that answers %i: %s', async (status, expected) => {
  const means = { fetchJson: async () => ({ status, body: null }), now: 0, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
  const thrown = await askOrders({ url: 'https://own.example/orders' }, { ids: '1' }, means).catch((failure: unknown) => failure);
  expect(denial(thrown)).toBe(expected);
});

test('a refusal of which nothing more is known is nobody’s but the operator’s', () => {
  expect(refusalIn(new Failure('storefront.refused', 'the address is http://'))).toEqual({
    words: 'storefront.refused: the address is http://',
    denial: null,
  });
  expect(refusalIn(new Failure('storefront.unreachable', 'no answer'))).toBeNull();
});
