import { expect, test } from 'vitest';
import { rotateAppSecret } from '../../../src/operations/apps/apps.ts';
import type { AppWorld } from '../../support/connect/app-merchant.ts';
import { approved, begunRequests, exchanges, INSTALL, newBrowser, openAttempts, SHOP, seen, signedBack, waysOf } from '../../support/connect/grant-attempts.ts';
import { BY } from '../../support/samples/by.ts';
import { signedQuery } from '../../support/servers/shopify-admin/signed-query.ts';
import { addApp } from '../../support/worlds/app-shop.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const UNCHECKED = [400, 'This answer can’t be checked'];
const NEW_WAY = [303, expect.stringMatching(/^\/connect\/[\w-]{43}$/)];

const seconds = (from: number) => String(Math.floor(Date.now() / 1000) + from);
const hmacIn = (back: string) => new URL(back, 'http://any').searchParams.get('hmac') ?? '';

/** What may have become of the way back, each of which the app did not sign now, for this store. */
function forgeries(back: string, secret: string): [string, string][] {
  const hmac = hmacIn(back);
  const [, query = ''] = back.split('?');
  const signed = (changes: Record<string, string | null>) => signedBack(back, changes, secret);
  const twice = ['hmac', 'shop', 'timestamp', 'code', 'state', 'host'].flatMap((name): [string, string][] => [
    [`${name} twice, before`, back.replace('?', `?${name}=x&`)],
    [`${name} twice, behind`, `${back}&${name}=x`],
    [`${name} twice, the same`, `${back}&${name}=${encodeURIComponent(new URLSearchParams(query).get(name) ?? '')}`],
  ]);
  return [
    ['no hmac', back.replace(/&?hmac=[^&]*/, '')],
    ['an empty hmac', back.replace(hmac, '')],
    [
      'another hmac',
      back.replace(
        hmac,
        hmac.replace(/./g, (digit) => (digit === '0' ? '1' : '0')),
      ),
    ],
    ['a short hmac', back.replace(hmac, hmac.slice(0, -2))],
    ['a long hmac', back.replace(hmac, `${hmac}00`)],
    ['an hmac in upper case', back.replace(hmac, hmac.toUpperCase())],
    ['an hmac in base64', back.replace(hmac, encodeURIComponent(Buffer.from(hmac, 'hex').toString('base64')))],
    ['one more parameter', `${back}&more=x`],
    ['one parameter less', back.replace(/&?host=[^&]*/, '')],
    ['another code', back.replace(/code=[^&]*/, `code=${'f'.repeat(32)}`)],
    ['another shop, the rest kept', back.replace(SHOP, 'other.myshopify.com')],
    ['another shop, signed', signed({ shop: 'other.myshopify.com' })],
    ['no shop, signed', signed({ shop: null })],
    ['no code, signed', signed({ code: null })],
    ['an empty code, signed', signed({ code: '' })],
    ['no timestamp, signed', signed({ timestamp: null })],
    ['two minutes old, signed', signed({ timestamp: seconds(-120) })],
    ['of two minutes hence, signed', signed({ timestamp: seconds(120) })],
    ['in milliseconds, signed', signed({ timestamp: String(Date.now()) })],
    ['signed with nothing', signedBack(back, {}, '')],
    ['signed with the client id', signedBack(back, {}, 'client-of-corner')],
    ...twice,
  ];
}

test('a way back that the app did not sign now, for this store, is not believed, and uses nothing up', async () => {
  await using at = await openAttempts(world);
  await at.shopify.shop('other');
  const { browser, back, state } = await approved(at);

  for (const [what, forged] of forgeries(back, at.atShopify.secret)) {
    const answer = await newBrowser(at, browser.cookie).get(forged);
    // Named twice, it is no state.
    const expected = /^state twice/.test(what) ? [400, 'This approval can’t be used'] : UNCHECKED;
    expect([what, forged === back, ...seen(answer)]).toEqual([what, false, ...expected]);
    expect(answer.text.includes(state)).toBe(false);
  }
  const shops = [...at.shopify.shops.values()];
  expect([shops.map(exchanges), await waysOf(at)]).toEqual([[0, 0], []]);
  expect(seen(await browser.get(back))).toEqual(NEW_WAY);
});

/** Another app whose makers know the state of ours, as the merchant’s browser shows it. */
async function withOther(at: AppWorld) {
  const secret = 'shpss_of_another';
  at.shopify.app({ clientId: 'client-of-another', secret });
  await addApp(at.it.bridge, { id: 'another', secrets: [{ secret, until: null }] });
  return { secret };
}

test('what another app of this server signs is of that app: not the way back of ours, nor an install of it', async () => {
  await using at = await openAttempts(world);
  const { secret } = await withOther(at);
  const { browser, back } = await approved(at);

  for (const more of [{}, { app: 'another' }]) expect(seen(await newBrowser(at, browser.cookie).get(signedBack(back, more, secret)))).toEqual(UNCHECKED);
  const signed = signedQuery({ shop: SHOP, timestamp: seconds(0) }, secret);
  const { location } = await newBrowser(at).get(`/shopify/install?${signed}`);
  expect(new URL(location ?? '').searchParams.get('client_id')).toBe('client-of-another');
  for (const named of [`app=corner&${signed}`, signedQuery({ app: 'corner', shop: SHOP, timestamp: seconds(0) }, secret)])
    expect(seen(await newBrowser(at).get(`/shopify/install?${named}`))).toEqual([400, 'This link can’t be checked']);
  expect(exchanges(at.shop)).toBe(0);
  expect(seen(await browser.get(back))).toEqual(NEW_WAY);
});

test('a replaced secret signs until its time is over; tokens are asked for with the new one', async () => {
  await using at = await openAttempts(world);
  const { apps } = at.it.bridge.app.core;
  const named = { platform: 'shopify', id: 'corner' };
  const [first, second] = [await approved(at), await approved(at)];

  await rotateAppSecret({ apps }, { ...named, secret: 'shpss_of_tomorrow', revokeNow: false }, { by: BY });
  at.atShopify.secret = 'shpss_of_tomorrow';
  expect(seen(await first.browser.get(first.back))).toEqual(NEW_WAY);
  await apps.changeSecrets('corner', (live) => live.map((one) => (one.until === null ? one : { ...one, until: new Date(Date.now() - 1).toISOString() })), {
    by: BY,
  });
  expect(seen(await second.browser.get(second.back))).toEqual(UNCHECKED);
  expect(seen(await newBrowser(at).get(`/shopify/install?${signedQuery({ shop: SHOP, timestamp: seconds(0) }, 'shpss_of_corner')}`))).toEqual([
    400,
    'This link can’t be checked',
  ]);
  expect(exchanges(at.shop)).toBe(1);
  expect(seen(await second.browser.get(signedBack(second.back, {}, 'shpss_of_tomorrow')))).toEqual(NEW_WAY);
});

test('an install that Shopify did not sign now is no install; without a word of a signature it is a link', async () => {
  await using at = await openAttempts(world);
  const { secret } = at.atShopify;
  const now = signedQuery({ shop: SHOP, host: 'YWRtaW4', timestamp: seconds(0) }, secret).toString();
  const [tooOld, unchecked] = ['This link is too old', 'This link can’t be checked'];
  for (const [query, title] of [
    [signedQuery({ shop: SHOP, timestamp: seconds(-120) }, secret), tooOld],
    [signedQuery({ shop: SHOP, timestamp: seconds(120) }, secret), tooOld],
    [signedQuery({ shop: SHOP }, secret), unchecked],
    [signedQuery({ shop: 'corner.example', timestamp: seconds(0) }, secret), unchecked],
    [signedQuery({ timestamp: seconds(0) }, secret), unchecked],
    [now.replace(SHOP, 'other.myshopify.com'), unchecked],
    [`${now}&more=x`, unchecked],
    [now.replace(/hmac=.*/, 'hmac=x'), unchecked],
    [`${now}&shop=${SHOP}`, unchecked],
  ] as const) {
    expect([String(query), ...seen(await newBrowser(at).get(`/shopify/install?${query}`))]).toEqual([String(query), 400, title]);
  }
  expect(await begunRequests(at)).toEqual([]);
  for (const good of [`/shopify/install?${now}`, INSTALL])
    expect(seen(await newBrowser(at).get(good))).toEqual([303, expect.stringMatching(/^https:\/\/corner\.myshopify\.com\/admin\/oauth\/authorize\?/)]);
});
