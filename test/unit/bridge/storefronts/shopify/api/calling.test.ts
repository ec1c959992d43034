import { expect, test } from 'vitest';
import { passingTokens } from '../../../../../../src/bridge/store-api/store-means.ts';
import type { StoreMeans } from '../../../../../../src/bridge/storefronts/contract.ts';
import { api, checkAccess, identify, storeName } from '../../../../../../src/bridge/storefronts/shopify/api/api.ts';
import { changedSince, ordersById } from '../../../../../../src/bridge/storefronts/shopify/api/read-orders.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson, startStoreApi } from '../../../../../support/servers/store-api.ts';
import { unlimited } from './throttling.ts';

const means = (more: Partial<StoreMeans> = {}): StoreMeans => ({ fetchJson, now: Date.now(), ...more });
const first = { since: '2026-01-01T00:00:00Z', after: null, size: 250 };

function answering(...answers: { status: number; body: unknown }[]): StoreMeans['fetchJson'] {
  return async () => answers.shift() ?? { status: 500, body: null };
}

const access = { url: 'https://corner.myshopify.com', accessToken: 'shpat_secret' };
const says = (status: number, body: unknown = null) => changedSince(access, first, means({ fetchJson: answering({ status, body }) })).catch(String);

test('the shop says who it is', async () => {
  await using shop = await ShopifyAdmin.start({ domain: 'Corner.myshopify.com' });

  expect(await identify(shop.access, means())).toBe('77');
  expect(await storeName(shop.access, means())).toBe('corner.myshopify.com');
  expect(await checkAccess(shop.access, means())).toEqual([]);
});

test.each([
  [401, 'storefront.refused', 'token is refused'],
  [402, 'storefront.refused', 'bill'],
  [403, 'storefront.refused', 'read_orders'],
  [404, 'storefront.refused', '.myshopify.com'],
  [423, 'storefront.refused', 'locked'],
  [301, 'storefront.unreachable', 'redirects'],
  [400, 'storefront.unreachable', 'later'],
  [429, 'storefront.unreachable', 'throttles'],
  [430, 'storefront.unreachable', 'attack'],
  [503, 'storefront.unreachable', 'later'],
])('a shop that answers %i is %s, in words', async (status, code, words) => {
  expect(await says(status)).toMatch(new RegExp(`${code}: the shop answered ${status}: .*${words}`));
});

test.each([
  ['an HTML page', null, 'storefront.unreachable: the answer is not Shopify’s'],
  ['another shape', { data: { orders: { nodes: [{ id: 'x' }], pageInfo: {} } } }, 'storefront.unreachable: the shop’s answer is not as the Admin API'],
  [
    'an error of its own',
    { errors: [{ message: 'shpat_secret', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
    /could not answer the query \(INTERNAL_SERVER_ERROR\)/,
  ],
  ['an error without a code', { errors: [{ message: 'shpat_secret' }] }, 'could not answer the query;'],
  [
    'what is denied',
    { data: null, errors: [{ message: 'no', path: ['orders'], extensions: { code: 'ACCESS_DENIED' } }] },
    'storefront.refused: the shop denies access',
  ],
  ['a denied buyer, and nothing else', { data: null, errors: [{ path: ['orders', 'email'], extensions: { code: 'ACCESS_DENIED' } }] }, 'storefront.refused'],
])('a 200 with %s', async (_what, body, words) => {
  const said = await says(200, body);
  expect(said).toMatch(words);
  expect(said).not.toContain('shpat_secret');
});

test('fields of the buyer that are hidden from the app are missing, and nothing else', async () => {
  await using shop = await ShopifyAdmin.start({ hidesBuyers: true, ...unlimited });
  const order = shop.buy().pay();

  const { news } = await ordersById(shop.access, [{ orderId: order.id, placedAt: null }], means());
  expect(news[0]).toMatchObject({ orderId: order.id, snapshot: { status: 'paid' } });
  expect(news[0]?.customer).toBeUndefined();
});

test('a query that would cost too much is sent for fewer orders', async () => {
  await using shop = await ShopifyAdmin.start();
  for (let count = 0; count < 90; count += 1) shop.buy();
  const sizes = async () => {
    const { summaries, next } = await changedSince(shop.access, first, means());
    return { size: summaries.length, isMore: next !== null };
  };
  const page = await sizes();

  expect(page.isMore).toBe(true);
  expect(page.size).toBeGreaterThan(20);
  const before = shop.asked.length;
  expect((await sizes()).size).toBeGreaterThanOrEqual(page.size);
  expect(shop.asked.slice(before)).toHaveLength(1);
});

test('a field that the shop’s API no longer has is named to a person, as a refusal and not as a failure that passes', async () => {
  const error = { message: 'secret words', extensions: { code: 'undefinedField', typeName: 'OrderTransaction', fieldName: 'authorizationCode' } };
  const refused = changedSince(access, first, means({ fetchJson: answering({ status: 200, body: { errors: [error] } }) }));

  await expect(refused).rejects.toMatchObject({
    code: 'storefront.refused',
    denial: null,
    message: expect.stringMatching(/undefinedField OrderTransaction\.authorizationCode\).*upgrade/),
  });
  expect(await refused.catch(String)).not.toContain('secret');
  const unnamed = answering({ status: 200, body: { errors: [{ extensions: { code: 'argumentNotAccepted', typeName: 7, fieldName: 'no name' } }] } });
  await expect(changedSince(access, first, means({ fetchJson: unnamed }))).rejects.toThrow('(argumentNotAccepted)');
});

test('a query for one order that costs too much is reported', async () => {
  const tooDear = { status: 200, body: { errors: [{ extensions: { code: 'MAX_COST_EXCEEDED' } }] } };
  const all = Array.from({ length: 12 }, () => tooDear);

  await expect(changedSince({ ...access, url: 'https://dear.myshopify.com' }, { ...first, size: 1 }, means({ fetchJson: answering(...all) }))).rejects.toThrow(
    /costs too much/,
  );
});

test('an app’s id and secret make a token, which is used until it is refused, and made anew then', async () => {
  await using shop = await ShopifyAdmin.start();
  const tokens = passingTokens();
  const made = () => shop.asked.filter(({ path }) => path.includes('oauth')).length;

  await identify(shop.clientAccess, means({ tokens }));
  await identify(shop.clientAccess, means({ tokens }));
  expect(made()).toBe(1);
  shop.revoke();
  await identify(shop.clientAccess, means({ tokens }));
  expect(made()).toBe(2);
  shop.buy();
  await ordersById(shop.clientAccess, [{ orderId: '1', placedAt: null }], means());
  expect(made()).toBe(3);
});

test('a token that a shop refuses although it was just made is not made again and again', async () => {
  await using shop = await ShopifyAdmin.start({ tokenSeconds: 0.001 });

  await expect(identify(shop.clientAccess, means())).rejects.toThrow(/storefront.refused: the shop answered 401/);
  expect(shop.asked.filter(({ path }) => path.includes('oauth'))).toHaveLength(2);
});

test('credentials that the shop refuses are said, without them', async () => {
  await using shop = await ShopifyAdmin.start();
  const wrong = { ...shop.clientAccess, clientSecret: 'shpss_wrong' };
  const [words = '', ...more] = await checkAccess(wrong, means());

  expect(more).toEqual([]);
  expect(words).toMatch(/^the shop answered 400 to the app’s client id and secret; check them/);
  expect(words).not.toContain('shpss_wrong');
  expect(await checkAccess({ ...shop.access, accessToken: 'shpat_wrong' }, means())).toEqual([expect.not.stringContaining('shpat_wrong')]);
  await expect(identify({ url: shop.url, clientId: 'x' }, means())).rejects.toThrow(/storefront.refused: the connection has no clientSecret/);
});

test.each([
  [503, null, 'storefront.unreachable: the shop answered 503'],
  [200, { scope: 'read_orders' }, 'storefront.unreachable: the shop’s answer has no access token'],
])('an answer %i without a token', async (status, body, words) => {
  const client = { url: access.url, clientId: 'id', clientSecret: 'secret' };
  await expect(identify(client, means({ fetchJson: answering({ status, body }) }))).rejects.toThrow(words);
});

test('a token may come with what renews it, or without an end', async () => {
  const kept: unknown[] = [];
  const tokens: StoreMeans['tokens'] = {
    async token(make) {
      kept.push(await make(null));
      return 'shpat_1';
    },
  };
  const client = { url: access.url, clientId: 'id', clientSecret: 'secret' };
  const answer = (body: object) =>
    identify(client, means({ tokens, now: 0, fetchJson: answering({ status: 200, body }, { status: 500, body: null }) })).catch(() => null);
  await answer({ access_token: 'a', expires_in: 3600, refresh_token: 'r' });
  await answer({ access_token: 'b' });

  expect(kept).toEqual([
    { token: 'a', expiresAt: '1970-01-01T01:00:00.000Z', refreshToken: 'r' },
    { token: 'b', expiresAt: null },
  ]);
});

test('what the app lacks is said', async () => {
  await using shop = await ShopifyAdmin.start({ scopes: ['read_products'] });

  expect(await checkAccess(shop.access, means())).toEqual([expect.stringContaining('lacks the scope read_orders')]);
  shop.state.scopes.push('write_orders');
  expect(await checkAccess(shop.access, means())).toEqual([]);
  await expect(checkAccess(shop.access, means({ fetchJson: () => Promise.reject(new TypeError('a defect')) }))).rejects.toThrow('a defect');
});

test('an address that is not a shop’s', async () => {
  await using other = await startStoreApi(() => ({ status: 200, body: { hello: 'world' } }));

  expect(await checkAccess({ url: other.url, accessToken: 'shpat_secret' }, means())).toEqual([expect.stringContaining('.myshopify.com')]);
});

test('either a token or an app’s id and secret is given', () => {
  expect(api.credentialSets).toEqual([['accessToken'], ['clientId', 'clientSecret']]);
  expect(Object.keys(api.credentials)).toEqual(api.credentialSets?.flat());
});
