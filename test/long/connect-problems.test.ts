import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wordsIn } from '../../src/connect/messages/messages.ts';
import { grantProblems, shopifyProblems } from '../support/connect/shopify-problems.ts';
import { inviteMerchant, reachable } from '../support/connect/store-merchant.ts';
import { breaches, openAs, overflow, type Way } from '../support/console/look-at.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type RawServer, startHttpServer } from '../support/servers/raw-server.ts';
import { startSelfSigned } from '../support/servers/self-signed.ts';
import { startWooServer, type WooHost, type WooServer } from '../support/servers/woo/start-woo-server.ts';
import { cannotView, type WooAnswer } from '../support/servers/woo/woo-answer.ts';
import { closures } from '../support/servers/woo/woo-site.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const en = wordsIn('en');
const bg = wordsIn('bg');

const world = useSharedWorlds();
const words = { en, bg } as const;
let it: World;
let strict: World;
let store: WooServer;
let cut: RawServer;
let selfSigned: { url: string } & AsyncDisposable;
beforeAll(async () => {
  it = await world({ config: await reachable() });
  strict = await world({ config: { ...(await reachable()), allowPrivateAddresses: false } });
  store = await startWooServer({ now: Date.now });
  cut = await startHttpServer((response) => response.destroy());
  selfSigned = await startSelfSigned();
});
afterAll(async () => {
  for (const one of [it, strict, store, cut, selfSigned]) await one?.[Symbol.asyncDispose]();
});

type Code = keyof typeof en.store.problem;
type Case = { code: Code; address?(): Promise<string> | string; host?: Partial<WooHost>; isStrict?: true };

const instead = (answer: WooAnswer): Partial<WooHost> => ({ intercept: () => answer });
const atApi = (answer: WooAnswer): Partial<WooHost> => ({ intercept: ({ path }) => (path.includes('wp-json') ? answer : undefined) });
const leads = (location: string): WooAnswer => ({ status: 302, headers: { location }, body: '' });

/** What a merchant does or has, by what it is called. */
const cases: readonly Case[] = [
  { code: 'address.invalid', address: () => 'my shop' },
  { code: 'address.private', isStrict: true },
  { code: 'address.unknown', address: () => 'store.invalid' },
  { code: 'https.missing', host: instead(leads('http://shop.example/')) },
  { code: 'certificate', address: () => selfSigned.url },
  { code: 'unreachable', address: async () => `https://127.0.0.1:${await freePort()}` },
  { code: 'slow', host: { intercept: () => new Promise(() => undefined) } },
  { code: 'cut-off', address: () => cut.url },
  { code: 'redirects.loop', host: instead(leads('/')) },
  { code: 'redirects.api', host: atApi(leads('https://www.shop.example/wp-json/')) },
  { code: 'locked', host: instead(closures.locked) },
  { code: 'firewall', host: atApi(closures.firewall) },
  { code: 'challenge', host: instead(closures.challenge) },
  { code: 'maintenance', host: instead(closures.maintenance) },
  { code: 'broken', host: instead(closures.broken) },
  { code: 'site.other', host: instead({ status: 200, body: '<h1>A site of another kind</h1>' }) },
  { code: 'shop.missing', host: { namespaces: ['wp/v2'] } },
  { code: 'shop.old', host: { namespaces: ['wp/v2', 'wc/v2'] } },
  { code: 'rest.closed', host: atApi(closures.closed) },
  { code: 'rest.html', host: atApi({ status: 200, body: '<h1>Soon</h1>' }) },
];

/** Of other platforms: connect-shopify.test.ts shows them; and of grants. */
const elsewhere: ReadonlySet<string> = new Set([...shopifyProblems, ...grantProblems]);

const keyCases = [
  { code: 'keys.refused', key: 'ck_write', secret: 'cs_typo' },
  { code: 'keys.unseen', key: 'ck_write', secret: 'cs_write', host: instead(cannotView(401)) },
  { code: 'keys.user', key: 'ck_customer', secret: 'cs_customer' },
] as const;

const plainHost: Partial<WooHost> = { hasLink: true, permalinks: 'pretty', namespaces: ['wp/v2', 'wc/v3'], intercept: () => undefined };

async function seen(page: Page, code: Code, lang: 'en' | 'bg'): Promise<string[]> {
  const alert = page.locator('.banner[role=alert]');
  const text = (await alert.count()) === 0 ? await page.innerText('body') : await alert.innerText();
  const said = words[lang].store.problem[code].what;
  const wrong = text.includes(said) ? [] : [`${code} in ${lang}: ${text.slice(0, 200)}`];
  await page.setViewportSize({ width: 360, height: 900 });
  const tooWide = await overflow(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  return [...wrong, ...(tooWide > 0 ? [`${code}: ${tooWide} px too wide`] : [])];
}

/** What the page says is the server's, with script and without. */
const ways: readonly Pick<Way, 'lang' | 'script'>[] = [
  { lang: 'bg', script: true },
  { lang: 'en', script: false },
  { lang: 'en', script: true },
  { lang: 'bg', script: false },
];

test.each(ways)('each problem of a store is said in words: %j', async ({ lang, script }) => {
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width: 1280, theme: 'light', script, lang });
  const { page } = opened;
  const wrong: string[] = [];
  // Half a minute of waiting shows no more without script.
  for (const [n, { code, address, host, isStrict }] of cases.filter((one) => script || one.code !== 'slow').entries()) {
    Object.assign(store.host, plainHost, host);
    const server = isStrict ? strict : it;
    const merchant = await inviteMerchant(server, lang);
    await page.goto(`${server.bridge.app.url}${merchant.base}/store`);
    await page.locator('#address-woocommerce').fill((await address?.()) ?? store.url);
    await page.locator('form:has(#address-woocommerce) button').click();
    wrong.push(...(await seen(page, code, lang)));
    if (n === 0 && script) wrong.push(...(await breaches(page)));
  }
  expect(wrong).toEqual([]);
  expect([...cases, ...keyCases].map(({ code }) => code)).toEqual(Object.keys(en.store.problem).filter((code) => !elsewhere.has(code)));
});

test.each(ways)('each problem of a key is said in words: %j', async ({ lang, script }) => {
  Object.assign(store.host, plainHost);
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width: 1280, theme: 'light', script, lang });
  const { page } = opened;
  const merchant = await inviteMerchant(it, lang);
  await merchant.post('/store', { kind: 'address', platform: 'woocommerce', address: store.url });
  const wrong: string[] = [];
  for (const { code, key, secret, ...more } of keyCases) {
    Object.assign(store.host, plainHost, 'host' in more ? more.host : {});
    await page.goto(`${it.bridge.app.url}${merchant.base}/store/keys`);
    await page.locator('input[name="consumerKey"]').fill(key);
    await page.locator('input[name="consumerSecret"]').fill(secret);
    await page.getByRole('button', { name: words[lang].store.keys.verb }).click();
    wrong.push(...(await seen(page, code, lang)));
  }
  expect([...wrong, ...(script ? await breaches(page) : [])]).toEqual([]);
});
