import { request } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AppWorld } from '../../support/connect/app-merchant.ts';
import { approved, begunRequests, exchanges, newBrowser, openAttempts, SHOP, seen, signedBack } from '../../support/connect/grant-attempts.ts';
import type { Answer } from '../../support/console/entering-browser.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const CONSENT = /^https:\/\/([a-z0-9][a-z0-9-]{0,62}\.myshopify\.com)\/admin\/oauth\/authorize\?/;

/** Of what is typed, and anyone who wants to lead a merchant elsewhere. */
const FRAGMENTS = [
  ...['corner', 'Corner', 'a', '-', '_', '.', '..', '1', 'myshopify.com', '.myshopify.com', '.MyShopify.com', 'admin.shopify.com/store/', 'evil.example'],
  ...['/', '//', '\\', '\\\\', '/\\', '@', ':', ':443', ':pass@', '?', '#', '&', '=', ';', ',', '%2e', '%2F', '%00', '%0d%0a', '%E0%A4%A'],
  ...['\n', '\r\n', '\t', '\0', ' ', '\u00a0', '\u200b', '\u202e', '\ufeff', '。', '．', 'ｃorner', 'соrner', 'ß', 'İ', 'K', '\ud800'],
  ...['"><script>alert(1)</script>', "'", '<b>', '&quot;', '`'],
  ...['https://', 'http://', 'HTTPS:', 'javascript:', 'data:text/html,', 'ftp://', '[::1]', '127.0.0.1', 'localhost', 'xn--'],
];
const FOREIGN = [
  ...['corner.myshopify.com.evil.example', 'evil.example/corner.myshopify.com', 'corner.myshopify.com@evil.example', 'evil.example?corner.myshopify.com'],
  ...['evil.example#corner.myshopify.com', 'evil.example\\corner.myshopify.com', '//evil.example', '\\\\evil.example', 'https://evil.example'],
  ...['corner.myshopify.com:8443', 'corner.myshopify.com\nevil.example', 'corner.myshopify.com\r\nlocation: https://evil.example', 'соrner.myshopify.com'],
  ...['corner.myshopify.com。evil.example', 'corner%2emyshopify.com', 'evilmyshopify.com', 'a.corner.myshopify.com', 'corner.myshopify.com.', '.myshopify.com'],
  ...['javascript:alert(1)//.myshopify.com', '@corner.myshopify.com', ':@corner.myshopify.com', 'user:pass@corner.myshopify.com', '[::1].myshopify.com'],
];
const typed = fc.oneof(
  { weight: 3, arbitrary: fc.array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...FOREIGN), fc.nat(40), fc.constantFrom(...FRAGMENTS))
      .map(([text, at, one]) => text.slice(0, at) + one + text.slice(at)),
  },
);
const samples = (seed: number, numRuns: number) => [...FOREIGN, ...fc.sample(typed, { seed, numRuns })];

/** The only places outside of ours to which anything leads; null: it leads nowhere. Throws if it leads elsewhere. */
function shopOf({ location, text, headers }: Answer, callback: string): string | null {
  for (const [, href = ''] of text.matchAll(/(?:href|action|src)="([^"]*)"/g)) {
    if (!/^(\/(?![/\\])|#|mailto:)/.test(href)) throw new Error(`the page leads to ${href}`);
  }
  if (/<script>|<b>/i.test(text)) throw new Error('the page has what was given as markup');
  if (headers.get('refresh') !== null || /http-equiv="refresh"/i.test(text)) throw new Error('the page leads on by itself');
  if (location === null) return null;
  const [, host = null] = CONSENT.exec(location) ?? [];
  const url = new URL(location);
  if (host === null || url.host !== host || url.searchParams.get('redirect_uri') !== callback) throw new Error(`it leads to ${location}`);
  return host;
}

const callbackOf = ({ it }: AppWorld) => `${it.bridge.app.url}/shopify/callback`;

test('whatever is given as a shop, an install leads to the consent page of the shop that it names, or nowhere', async () => {
  await using at = await openAttempts(world);
  const led = new Set<string>();
  for (const shop of samples(16, 300)) {
    const answer = await newBrowser(at).get(`/shopify/install?${new URLSearchParams({ app: 'corner', shop })}`);
    const host = shopOf(answer, callbackOf(at));
    expect([shop, answer.status < 500]).toEqual([shop, true]);
    if (host === null) continue;
    led.add(host);
    // The name stands in what was given, whole, as a name or as a host.
    const [name = ''] = host.split('.');
    expect([shop, new RegExp(`(^|[/\\s@])${name}($|\\s|\\.myshopify\\.com($|[\\s/?#\\\\:]))`, 'iu').test(shop.normalize('NFKC'))]).toEqual([shop, true]);
  }
  expect(led.size).toBeGreaterThan(2);
  for (const shop of FOREIGN) {
    const answer = await newBrowser(at).get(`/shopify/install?${new URLSearchParams({ app: 'corner', shop })}`);
    expect([shop, ...seen(answer).slice(0, 1)]).toEqual([shop, 422]);
  }
});

test('a name that is typed leads to a page of ours alone', async () => {
  await using at = await openAttempts(world);
  const found = new Set<string>();
  for (const name of [...samples(17, 250), 'corner', SHOP, ` https://${SHOP}/admin `, 'https://admin.shopify.com/store/corner/orders']) {
    const answer = await newBrowser(at).get(`/shopify/install?${new URLSearchParams({ app: 'corner', name })}`);
    expect([name, shopOf(answer, callbackOf(at)), answer.status < 500]).toEqual([name, null, true]);
    for (const [, href = ''] of answer.text.matchAll(/href="(\/shopify\/install\?[^"]*shop=[^"]*)"/g)) found.add(href.replaceAll('&amp;', '&'));
  }
  expect([...found]).toEqual([`/shopify/install?${new URLSearchParams({ app: 'corner', shop: SHOP })}`]);
});

test('a way back that names another shop leads nowhere, and no other shop is asked for tokens, though the app signed it', async () => {
  await using at = await openAttempts(world);
  const a = await at.shopify.shop('a');
  const { browser, back } = await approved(at);
  for (const shop of [...samples(18, 250), 'a.myshopify.com', 'corner']) {
    if (shop.toLowerCase() === SHOP) continue;
    const answer = await newBrowser(at, browser.cookie).get(signedBack(back, { shop: shop.toWellFormed() }, at.atShopify.secret));
    expect([shop, answer.status, shopOf(answer, callbackOf(at))]).toEqual([shop, 400, null]);
  }
  expect([exchanges(at.shop), exchanges(a)]).toEqual([0, 0]);
  expect((await browser.get(signedBack(back, { shop: 'CORNER.myshopify.com' }, at.atShopify.secret))).location).toMatch(/^\/connect\/[\w-]{43}$/);
});

type Asking = { method?: string; path: string; cookie?: string };

/** The status of a request whose path is sent as it is, and what it may be asked by. */
function statusOf({ it }: AppWorld, { method = 'GET', path, cookie = '' }: Asking): Promise<[number, string | undefined]> {
  const { hostname, port } = new URL(it.bridge.app.url);
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers: { cookie } }, (response) => {
      response.resume();
      resolve([response.statusCode ?? 0, response.headers.allow]);
    })
      .on('error', reject)
      .end();
  });
}

test('only GET is answered: what looks at an address before a person does changes nothing', async () => {
  await using at = await openAttempts(world);
  const { browser, back } = await approved(at);
  const { cookie } = browser;
  for (const method of ['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
    for (const path of [back, `/shopify/install?app=corner&shop=${SHOP}`])
      expect([method, path, ...(await statusOf(at, { method, path, cookie }))]).toEqual([method, path, 405, 'GET']);
  }
  expect([exchanges(at.shop), await begunRequests(at)]).toEqual([0, [{ isUsed: false }]]);
  expect((await browser.get(back)).location).toMatch(/^\/connect\//);
});

test('a platform whose merchants approve no app has none of these addresses', async () => {
  await using at = await openAttempts(world);
  const names = [
    'woocommerce',
    'standard',
    'toString',
    '__proto__',
    'constructor',
    'hasOwnProperty',
    'Shopify',
    'shopify%2F',
    'shopify%00',
    '%E0%A4%A',
    'x'.repeat(4_000),
  ];
  for (const name of names) {
    for (const path of [`/${name}/install?app=corner&shop=${SHOP}`, `/${name}/callback?code=x&state=y`])
      expect([path, (await statusOf(at, { path }))[0]]).toEqual([path, 404]);
  }
});
