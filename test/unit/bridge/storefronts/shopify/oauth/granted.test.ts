import { expect, test } from 'vitest';
import { passingTokens } from '../../../../../../src/bridge/store-api/store-means.ts';
import type { AccessToken, StoreAnswer, StoreMeans, StoreRequest } from '../../../../../../src/bridge/storefronts/contract.ts';
import { refreshGrant } from '../../../../../../src/bridge/storefronts/shopify/oauth/ask-token.ts';
import { GrantEnded } from '../../../../../../src/bridge/storefronts/shopify/oauth/token-refusal.ts';
import { shopify } from '../../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { NoStoreAnswer } from '../../../../../../src/bridge/storefronts/store-failure.ts';

const { appGrant, api } = shopify;
if (appGrant === undefined || api?.renewGrant === undefined || api.identify === undefined) throw new Error('Shopify has a grant');
const { identify, renewGrant } = api;

const app = { clientId: 'client-id', clientSecret: 'shpss_secret' };
const access = { url: 'https://corner.myshopify.com', app: 'corner' };
const before: AccessToken = { token: 'shpat_1', expiresAt: '1970-01-01T00:00:00.000Z', refreshToken: 'shprt_1' };
const pair = { access_token: 'shpat_2', scope: 'read_orders,write_products', expires_in: 3600, refresh_token: 'shprt_2', refresh_token_expires_in: 7_776_000 };
const tokens: AccessToken = {
  token: 'shpat_2',
  expiresAt: '1970-01-01T01:00:00.000Z',
  refreshToken: 'shprt_2',
};
const ended = { status: 401, body: { error: 'invalid_request', error_description: 'shprt_1 is not good' } };

/** What answers are given, one after another, and what was requested for them. */
function shop(...answers: (StoreAnswer | Error)[]) {
  const asked: StoreRequest[] = [];
  const fetchJson: StoreMeans['fetchJson'] = async (request) => {
    asked.push(request);
    const answer = answers.shift() ?? { status: 500, body: null };
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, means: { fetchJson, now: 0, app } };
}
const sent = (asked: readonly StoreRequest[]) => asked.map(({ body }) => (body as Record<string, string>)['refresh_token']);
const failed = (answer: StoreAnswer, known: AccessToken | null = before) => refreshGrant(access, known, shop(answer).means).catch((thrown: unknown) => thrown);

test('a code becomes a pair of tokens with their ends, and what was granted', async () => {
  const { asked, means } = shop({ status: 200, body: pair });

  expect(await appGrant.exchange({ url: access.url, code: 'c', app }, means)).toEqual({ ok: true, token: tokens, scopes: ['read_orders', 'write_products'] });
  expect(asked).toEqual([
    {
      url: 'https://corner.myshopify.com/admin/oauth/access_token',
      method: 'POST',
      body: { client_id: 'client-id', client_secret: 'shpss_secret', code: 'c', expiring: '1' },
      signal: expect.any(AbortSignal),
    },
  ]);
});

test('an app whose tokens do not expire is let in, too', async () => {
  const forever = shop({ status: 200, body: { access_token: 'shpat_2' } });

  expect(await appGrant.exchange({ url: access.url, code: 'c', app }, forever.means)).toEqual({
    ok: true,
    token: { token: 'shpat_2', expiresAt: null },
    scopes: [],
  });
});

test.each<{ what: string; answer: StoreAnswer | Error; again: boolean; words: RegExp; problem?: string }>([
  {
    what: 'a code that was used',
    answer: { status: 400, body: { error: 'invalid_request' } },
    again: false,
    words: /used already, or is too old.*install link/,
  },
  {
    what: 'a wrong client',
    answer: { status: 400, body: { error: 'invalid_client' } },
    again: false,
    words: /^The app is not set up right on our side.*The person who runs this service must mend that/,
    problem: 'app.refused',
  },
  { what: 'an address without a shop', answer: { status: 404, body: null }, again: false, words: /^No shop answers at this address/ },
  { what: 'an address that leads elsewhere', answer: { status: 302, body: null }, again: true, words: /^No shop answers at this address/ },
  { what: 'a frozen shop', answer: { status: 402, body: null }, again: false, words: /402: the shop is frozen/, problem: 'shop.frozen' },
  { what: 'a locked shop', answer: { status: 423, body: null }, again: false, words: /423: the shop is locked/, problem: 'shop.locked' },
  { what: 'a shop that throttles', answer: { status: 429, body: null }, again: true, words: /429: it throttles/ },
  { what: 'a shop that fails', answer: { status: 503, body: null }, again: true, words: /503: it is called again later/ },
  { what: 'an answer without a token', answer: { status: 200, body: {} }, again: true, words: /no access token/ },
  { what: 'no answer', answer: new NoStoreAnswer('slow', 'no answer'), again: true, words: /gave no answer/ },
])('$what is said in both languages, and whether it may work later', async ({ answer, again, words, problem }) => {
  const became = await appGrant.exchange({ url: access.url, code: 'c', app }, shop(answer).means);

  expect(became).toMatchObject({ ok: false, again, said: { en: expect.stringMatching(words), bg: expect.stringMatching(/[а-я]/) } });
  expect(JSON.stringify(became)).not.toMatch(/Dev Dashboard|orderbridge/);
  expect(became).toMatchObject({ problem: problem === undefined ? null : { code: problem } });
});

test('a defect is no answer of the shop', async () => {
  await expect(appGrant.exchange({ url: access.url, code: 'c', app }, shop(new TypeError('a defect')).means)).rejects.toThrow('a defect');
});

test('a grant is refreshed by its refresh token, which stays beside its successor', async () => {
  const { asked, means } = shop({ status: 200, body: pair });

  expect(await refreshGrant(access, before, means)).toEqual({ ...tokens, earlierToken: 'shprt_1' });
  expect(asked[0]?.body).toEqual({ client_id: 'client-id', client_secret: 'shpss_secret', refresh_token: 'shprt_1', grant_type: 'refresh_token' });
});

test('a refresh token that is refused may have been replaced by a request that came late: its predecessor is tried', async () => {
  const known = { ...before, earlierToken: 'shprt_0' };
  const mended = shop(ended, { status: 200, body: pair });
  const dead = shop(ended, ended);

  expect(await refreshGrant(access, known, mended.means)).toEqual({ ...tokens, earlierToken: 'shprt_0' });
  expect(sent(mended.asked)).toEqual(['shprt_1', 'shprt_0']);
  await expect(refreshGrant(access, known, dead.means)).rejects.toBeInstanceOf(GrantEnded);
  const down = shop({ status: 500, body: null });
  await expect(refreshGrant(access, known, down.means)).rejects.toThrow(/^storefront.unreachable/);
  expect(sent(down.asked)).toEqual(['shprt_1']);
});

test.each([
  [401, { error: 'invalid_request' }],
  [401, { error: 'invalid_grant' }],
  [400, { error: 'invalid_request' }],
  [400, { error: 'invalid_grant', error_description: 'shprt_1' }],
])('%i %j is the end of a grant: the merchant must approve again', async (status, body) => {
  const thrown = await failed({ status, body });

  expect(thrown).toBeInstanceOf(GrantEnded);
  expect(String(thrown)).toMatch(/storefront.refused: .*90 days; the merchant must approve the app again$/);
  expect(String(thrown)).not.toContain('shprt_1');
});

test.each<[StoreAnswer, RegExp]>([
  [{ status: 400, body: { error: 'invalid_client' } }, /^Failure: storefront.refused: .*client id and secret/],
  [{ status: 401, body: { error: 'something_else' } }, /^Failure: storefront.refused: the shop answered 401: .*uninstalled.*approve the app again/],
  [{ status: 401, body: null }, /^Failure: storefront.refused: the shop answered 401/],
  [{ status: 400, body: '<h1>Bad Request</h1>' }, /^Failure: storefront.unreachable: the shop answered 400: it is called again later/],
  [{ status: 402, body: null }, /storefront.refused: .*frozen/],
  [{ status: 403, body: null }, /storefront.refused: .*may not use the Admin API/],
  [{ status: 404, body: null }, /storefront.refused: .*no shop is at this address/],
  [{ status: 423, body: null }, /storefront.refused: .*locked/],
  [{ status: 429, body: null }, /storefront.unreachable: .*throttles/],
  [{ status: 430, body: null }, /storefront.unreachable: .*attack.*support of Shopify/],
  [{ status: 302, body: null }, /storefront.unreachable: .*redirects/],
  [{ status: 500, body: null }, /storefront.unreachable: .*later/],
  [{ status: 200, body: { access_token: 'shpat_2', expires_in: 3600 } }, /storefront.unreachable: .*no access token/],
])('a refresh that is answered %j can be asked for again', async (answer, words) => {
  const thrown = await failed(answer);

  expect(thrown).not.toBeInstanceOf(GrantEnded);
  expect(String(thrown)).toMatch(words);
});

test('without a token, without what renews it, or without the app, nothing is sent', async () => {
  const { asked, means } = shop();

  await expect(refreshGrant(access, null, means)).rejects.toThrow(/storefront.refused: there is no token that can be read/);
  await expect(refreshGrant(access, { token: 'shpat_1', expiresAt: null }, means)).rejects.toThrow(/storefront.refused: .*can’t be renewed/);
  await expect(refreshGrant(access, before, { fetchJson: means.fetchJson, now: 0 })).rejects.toThrow(/storefront.refused: the app that the merchant approved/);
  expect(asked).toEqual([]);
});

const self = (scopes: readonly string[]) => ({
  status: 200,
  body: {
    data: {
      shop: { id: 'gid://shopify/Shop/7', myshopifyDomain: 'Corner.myshopify.com' },
      currentAppInstallation: { accessScopes: scopes.map((handle) => ({ handle })) },
    },
  },
});

test('what was just granted is used, and refreshed if the shop refuses it', async () => {
  const { asked, means } = shop({ status: 401, body: null }, { status: 200, body: pair }, self(['read_orders']));
  const granted = passingTokens({ ...before, expiresAt: null });

  expect(await appGrant.whoIs(access, { ...means, tokens: granted })).toEqual({
    ...{ ok: true, identity: '7', store: 'corner.myshopify.com', scopes: ['read_orders'] },
  });
  expect(asked.map(({ headers }) => headers?.['x-shopify-access-token'])).toEqual(['shpat_1', undefined, 'shpat_2']);
});

test.each<[StoreAnswer, RegExp]>([
  [{ status: 401, body: null }, /401: .*uninstalled or its access withdrawn; the merchant must approve the app again/],
  [{ status: 403, body: { errors: 'Non-expiring access tokens are no longer accepted for this app' } }, /403: a public app may only use tokens that expire/],
  [{ status: 403, body: { errors: [{ message: 'nonexpiring token' }] } }, /403: a public app may only use tokens that expire/],
  [{ status: 403, body: { errors: 'This action requires merchant approval for read_orders scope.' } }, /403: .*grant it the scope read_orders/],
])('what the Admin API answers to an app: %j', async (answer, words) => {
  const { means } = shop(answer, { status: 200, body: pair }, answer);

  await expect(identify(access, { ...means, tokens: passingTokens({ ...before, expiresAt: null }) })).rejects.toThrow(words);
});

test('a grant is renewed though its token is good; what is no grant is left alone', async () => {
  const { asked, means } = shop({ status: 200, body: pair }, { status: 200, body: pair });
  const own = { ...means, now: Date.now(), tokens: passingTokens({ ...before, expiresAt: null }) };

  await renewGrant(access, own, 'shpat_1');
  await renewGrant(access, own, 'shpat_1');
  expect(sent(asked)).toEqual(['shprt_1']);
  await renewGrant({ url: access.url, accessToken: 'shpat_static' }, means, 'shpat_static');
  expect(asked).toHaveLength(1);
  await expect(renewGrant(access, means, 'shpat_1')).rejects.toThrow(/there is no token that can be read/);
});
