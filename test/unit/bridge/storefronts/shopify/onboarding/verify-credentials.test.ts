import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../../../src/bridge/order/facts/failure.ts';
import { passingTokens } from '../../../../../../src/bridge/store-api/store-means.ts';
import type { StoreMeans } from '../../../../../../src/bridge/storefronts/contract.ts';
import { guide, onboarding, verifyCredentials } from '../../../../../../src/bridge/storefronts/shopify/onboarding/onboarding.ts';
import { shopify } from '../../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { NoStoreAnswer } from '../../../../../../src/bridge/storefronts/store-failure.ts';
import { type Opened, storeMeans, useShopify } from '../../../../../support/connect/at-shopify.ts';
import type { Json } from '../../../../../support/servers/shopify-admin/json.ts';
import { denials } from '../../../../../support/servers/shopify-admin/serve-shop.ts';

const { opened, urlOf, pairOf, access } = useShopify();
const BUYER = { email: 'ana@cups.example', first_name: 'Ana', last_name: 'Bell', phone: '+359888123456' };

describe('keys', () => {
  test('of an own app, and of one that an administration made, work', async () => {
    const { shop } = await opened();
    shop.buy({ buyer: BUYER });
    const { token: accessToken, clientId, clientSecret } = shop.state;
    const good = { ok: true, mayWrite: true, version: null, notes: [] };

    expect(await verifyCredentials({ url: urlOf(shop), clientId, clientSecret }, storeMeans())).toEqual(good);
    expect(await verifyCredentials({ url: urlOf(shop), accessToken, clientSecret }, storeMeans())).toEqual(good);
    expect(await verifyCredentials({ url: urlOf(shop), accessToken }, { ...storeMeans(), secret: 'its secret' })).toEqual(good);
    // Without the secret nobody could tell whose the webhooks are.
    expect(await verifyCredentials({ url: urlOf(shop), accessToken }, storeMeans())).toEqual({ ...good, mayWrite: false });
    expect(shop.webhooks).toEqual([]);
  });

  test('that see no buyer work, and that is noted', async () => {
    const { shop } = await opened({}, { hidesBuyers: true });
    shop.buy({ buyer: BUYER });

    expect(await verifyCredentials(access(shop, shop.state.token), storeMeans())).toMatchObject({ ok: true, notes: [{ code: 'buyers.hidden' }] });
  });

  test('of an app that lacks the scope, or the access to protected customer data, do not work', async () => {
    const { app, shop } = await opened({ kind: 'public', customerData: 0 });
    const { access_token } = await pairOf({ app, shop });
    shop.state.scopes = ['read_products'];

    expect(await verifyCredentials(access(shop, shop.state.token), storeMeans())).toEqual({
      ok: false,
      problem: { code: 'scope.missing', data: { needed: 'read_orders' } },
    });
    expect(await verifyCredentials(access(shop, access_token), storeMeans())).toEqual({ ok: false, problem: { code: 'data.denied' } });
    shop.state.scopes = ['write_orders'];
    expect(await verifyCredentials(access(shop, shop.state.token), storeMeans())).toMatchObject({ ok: true });
  });

  test('that are wrong, or of another shop, do not work', async () => {
    const [{ shop }, other] = [await opened(), await opened()];
    shop.state.clientSecret = 'another';

    expect(await verifyCredentials(access(shop, 'shpat_wrong'), storeMeans())).toEqual({ ok: false, problem: { code: 'keys.refused' } });
    expect(await verifyCredentials({ url: urlOf(shop), clientId: shop.state.clientId, clientSecret: 'wrong' }, storeMeans())).toEqual({
      ok: false,
      problem: { code: 'keys.refused' },
    });
    // A shop that was renamed is still found by its old name.
    const domain = other.shop.state.domain;
    const before = urlOf(other.shop);
    other.shop.state.domain = 'renamed.myshopify.com';
    expect(await verifyCredentials({ url: before, accessToken: other.shop.state.token }, storeMeans())).toEqual({
      ok: false,
      problem: { code: 'redirects.api', data: { to: 'https://renamed.myshopify.com' } },
    });
    expect(domain).not.toBe('renamed.myshopify.com');
  });

  test.each([
    ['frozen', 'shop.frozen'],
    ['forbidden', 'scope.missing'],
    ['gone', 'site.other'],
    ['locked', 'shop.locked'],
    ['throttled', 'throttled'],
    ['security', 'throttled'],
    ['broken', 'broken'],
  ] as const)('at a shop that is %s are not tried further: %s', async (denial, code) => {
    const { shop } = await opened();
    shop.state.intercept = () => denials[denial];

    expect(await verifyCredentials(access(shop, shop.state.token), storeMeans())).toMatchObject({ ok: false, problem: { code } });
  });

  test.each([
    [new NoStoreAnswer('certificate', 'no'), 'certificate'],
    [new Failure('storefront.unreachable', 'no'), 'unreachable'],
    [new Failure('storefront.refused', 'no'), 'keys.refused'],
  ])('%s is said as %s; a defect is thrown', async (failure, code) => {
    const failing = (thrown: Error) =>
      verifyCredentials({ url: 'https://corner.myshopify.com', accessToken: 'x' }, { now: 0, fetchJson: () => Promise.reject(thrown) });

    expect(await failing(failure)).toEqual({ ok: false, problem: { code } });
    await expect(failing(new TypeError('a defect'))).rejects.toThrow('a defect');
  });
});

describe('a grant', () => {
  const means = ({ app }: Opened, { access_token: token, refresh_token: refreshToken }: Json): StoreMeans => ({
    ...storeMeans(),
    tokens: passingTokens({ token: String(token), expiresAt: null, refreshToken: String(refreshToken) }),
    app: { clientId: app.clientId, clientSecret: app.secret },
  });

  test('lets the app in, which may make webhooks: its secret signs them', async () => {
    const of = await opened();
    const granted = { url: urlOf(of.shop), app: 'corner' };
    const pair = await pairOf(of);

    expect(await verifyCredentials(granted, means(of, pair))).toEqual({ ok: true, mayWrite: true, version: null, notes: [] });
    const { app: _, ...gone } = means(of, pair);
    expect(await verifyCredentials(granted, gone)).toEqual({ ok: true, mayWrite: false, version: null, notes: [] });
  });

  test('that is over is said so, for there are no keys to copy again', async () => {
    const of = await opened();
    const granted = { url: urlOf(of.shop), app: 'corner' };
    const pair = await pairOf(of);

    of.shop.grants.uninstall(of.app.clientId);
    expect(await verifyCredentials(granted, means(of, pair))).toEqual({ ok: false, problem: { code: 'grant.ended' } });
  });

  test('of a token that has no end, which a public app may not use, is to be given again: no scope is missing', async () => {
    const { app, shop } = await opened();
    const body = { errors: '[API] Non-expiring access tokens are no longer accepted for the Admin API.' };
    shop.state.intercept = ({ path }) => (path.endsWith('/graphql.json') ? { status: 403, body: JSON.stringify(body) } : undefined);
    const pair = { access_token: shop.state.token, refresh_token: '' };

    expect(await verifyCredentials({ url: urlOf(shop), app: 'corner' }, means({ app, shop }, pair))).toEqual({ ok: false, problem: { code: 'grant.ended' } });
  });

  test('whose new token is refused, too, is over', async () => {
    const of = await opened();
    const granted = { url: urlOf(of.shop), app: 'corner' };
    const pair = await pairOf(of);

    of.shop.state.intercept = ({ path }) => (path.endsWith('/graphql.json') ? { status: 401, body: '' } : undefined);
    expect(await verifyCredentials(granted, means(of, pair))).toEqual({ ok: false, problem: { code: 'grant.ended' } });
    of.shop.state.intercept = ({ path }) => (path.endsWith('/graphql.json') ? { status: 402, body: '' } : undefined);
    expect(await verifyCredentials(granted, means(of, pair))).toEqual({ ok: false, problem: { code: 'shop.frozen' } });
  });
});

test('the secret of the webhooks is the app’s', () => {
  expect(onboarding.secretIn?.({ url: '', clientSecret: 'shpss_1' })).toBe('shpss_1');
  expect(onboarding.secretIn?.({ url: '', accessToken: 'shpat_1' })).toBeNull();
});

test('the guide names every part that is typed, in both languages, and the topics of the store’s own form', () => {
  for (const { parts } of guide.ways) for (const part of parts) expect(guide.keyParts[part]).toMatchObject({ en: expect.any(String), bg: expect.any(String) });
  expect(guide.ways.map(({ parts }) => parts)).toEqual([
    ['clientId', 'clientSecret'],
    ['accessToken', 'clientSecret'],
  ]);
  const steps = guide.webhooks({ address: 'https://here.example/w', topics: shopify.topics });
  expect(steps.map(({ en }) => en).join('\n')).toContain('once for each of 6 events');
  expect(steps.map(({ bg }) => bg).join('\n')).toContain('Адрес (URL): https://here.example/w');
  expect(steps[1]?.en).toBe(
    'Event: Order payment; Order update; Order cancellation; Order deletion; Refund create; Order transaction create: one of them in each.',
  );
});
