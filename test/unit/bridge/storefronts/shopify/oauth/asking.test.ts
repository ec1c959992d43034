import { fc, test as property } from '@fast-check/vitest';
import { AuthScopes } from '@shopify/shopify-api';
import { expect, test } from 'vitest';
import { hmac } from '../../../../../../src/bridge/storefronts/hmac.ts';
import { codeBody, credentialsBody, refreshBody } from '../../../../../../src/bridge/storefronts/shopify/oauth/ask-token.ts';
import { signedText } from '../../../../../../src/bridge/storefronts/shopify/oauth/grant-query.ts';
import { scopesIn } from '../../../../../../src/bridge/storefronts/shopify/scopes.ts';
import { shopify } from '../../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { app, browser, CALLBACK, HOST, officialLibrary } from './official-library.ts';

const grant = shopify.appGrant;
if (grant === undefined) throw new Error('Shopify has a grant');

const SHOP = 'corner.myshopify.com';
const what = fc.constantFrom('orders', 'all_orders', 'products', 'customers', 'returns');
const scope = fc.tuple(fc.constantFrom('read', 'write', 'unauthenticated_read', 'unauthenticated_write'), what).map(([may, of]) => `${may}_${of}`);
const secret = fc.string({ unit: fc.constantFrom(...'abcdefABCDEF0189_-'), minLength: 1, maxLength: 60 });

property.prop([fc.uniqueArray(scope, { minLength: 1, maxLength: 6 })])('the address of the consent page is that of the official library', async (all) => {
  // The library leaves out what a right to write implies; it is not asked for here either.
  const scopes = new AuthScopes(all).toArray();
  const { library } = officialLibrary(scopes);
  const asked = new Request(`https://${HOST}/shopify/install?shop=${SHOP}`, { headers: browser });
  const answer: Response = await library.auth.begin({ shop: SHOP, callbackPath: CALLBACK, isOnline: false, rawRequest: asked });
  const theirs = new URL(answer.headers.get('location') ?? '');
  const state = theirs.searchParams.get('state') ?? '';

  const ours = grant.consentUrl({ url: `https://${SHOP}`, clientId: app.clientId, scopes, redirectUrl: `https://${HOST}${CALLBACK}`, state });
  expect(ours).toBe(theirs.href);
});

property.prop([secret])('what is posted for a token is what the official library posts', async (given) => {
  const { library, posted } = officialLibrary(['read_orders']);
  const url = `https://${SHOP}/admin/oauth/access_token`;

  await library.auth.refreshToken({ shop: SHOP, refreshToken: given });
  expect(posted()).toEqual({ url, body: refreshBody(app, given) });
  await library.auth.clientCredentials({ shop: SHOP });
  expect(posted()).toEqual({ url, body: credentialsBody(app) });
});

test('so is what is posted for a code, which its own way back from the consent page ends in', async () => {
  const { library, posted } = officialLibrary(['read_orders']);
  const begun: Response = await library.auth.begin({
    shop: SHOP,
    callbackPath: CALLBACK,
    isOnline: false,
    rawRequest: new Request(`https://${HOST}/shopify/install`, { headers: browser }),
  });
  const cookie = begun.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
  const values = { code: 'the code', shop: SHOP, state, timestamp: String(Math.trunc(Date.now() / 1000)) };
  const query = new URLSearchParams({ ...values, hmac: hmac(app.clientSecret, [signedText(new Map(Object.entries(values)))]).toString('hex') });

  await library.auth.callback({ expiring: true, rawRequest: new Request(`https://${HOST}${CALLBACK}?${query}`, { headers: { ...browser, cookie } }) });
  expect(posted()).toEqual({ url: `https://${SHOP}/admin/oauth/access_token`, body: codeBody(app, 'the code') });
  expect(grant.readQuery(query.toString(), [app.clientSecret], Date.now())).toEqual({ ok: true, url: `https://${SHOP}`, code: 'the code', state });
});

property.prop([fc.uniqueArray(scope, { maxLength: 6 }), fc.uniqueArray(scope, { maxLength: 6 })])(
  'a scope is lacking where the official library says so: who may write may read',
  (asked, granted) => {
    const theirs = new AuthScopes(granted);
    expect(grant.lacking(asked, granted)).toEqual(asked.filter((one) => !theirs.has(one)));
  },
);

test('scopes are read as an answer names them', () => {
  expect(scopesIn('read_orders, write_products,,')).toEqual(['read_orders', 'write_products']);
  expect(scopesIn('')).toEqual([]);
});
