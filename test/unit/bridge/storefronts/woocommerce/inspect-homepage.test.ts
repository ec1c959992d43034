import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../../src/bridge/order/facts/failure.ts';
import type { StoreAnswer, StoreMeans, StoreRequest } from '../../../../../src/bridge/storefronts/contract.ts';
import { type NoAnswerWhy, NoStoreAnswer } from '../../../../../src/bridge/storefronts/store-failure.ts';
import { inspectHomepage } from '../../../../../src/bridge/storefronts/woocommerce/inspect-homepage.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';
import { closures } from '../../../../support/servers/woo/woo-site.ts';

const index = { name: 'Corner &amp; Co', home: 'https://shop.example/', namespaces: ['wp/v2', 'wc/v3'] };

type Answers = Readonly<Record<string, StoreAnswer | Error>>;

/** Stores at these addresses, each with its method where several are asked; any other is a page of a shop. */
function web(answers: Answers): StoreMeans & { asked: string[] } {
  const asked: string[] = [];
  const fetchJson = ({ url, method = 'GET' }: StoreRequest): Promise<StoreAnswer> => {
    asked.push(`${method} ${url}`);
    const found = answers[`${method} ${url}`] ?? answers[url.split('?')[0] ?? ''] ?? { status: 200, body: null };
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  return { fetchJson, now: 0, asked };
}

const shop: Answers = { 'https://shop.example/wp-json/': { status: 200, body: index } };

describe('a store is found', () => {
  test.each(['pretty', 'index', 'plain'] as const)('with %s permalinks, by what its page says of itself', async (permalinks) => {
    await using it = await startWooReader({ permalinks });

    const looked = await inspectHomepage(it.store.url, it.means());

    const { url } = it.store;
    expect(looked).toMatchObject({ ok: true, url, home: url, name: 'Corner', permalinks, canHandOver: permalinks !== 'plain' });
    expect(looked.ok && looked.notes.map(({ code }) => code)).toEqual(['http', ...(permalinks === 'plain' ? ['permalinks.plain'] : [])]);
  });

  test.each(['pretty', 'index', 'plain'] as const)('with %s permalinks, where the page says nothing', async (permalinks) => {
    await using it = await startWooReader({ permalinks, hasLink: false });

    expect(await inspectHomepage(it.store.url, it.means())).toMatchObject({ ok: true, url: it.store.url, permalinks });
  });

  test.each([
    'shop.example',
    ' https://shop.example/wp-admin/plugins.php?x=1#y ',
    'http://shop.example',
    '//shop.example/wp-login.php',
    'shop.example/index.php/cart',
  ])('by %j, over https', async (typed) => {
    const means = web(shop);

    expect(await inspectHomepage(typed, means)).toEqual({
      ...{ ok: true, url: 'https://shop.example', home: 'https://shop.example', name: 'Corner & Co', permalinks: 'pretty', canHandOver: true, notes: [] },
    });
    expect(means.asked[0]).toBe('HEAD https://shop.example/');
  });

  test('in a folder, at its own name, or below the page that was typed', async () => {
    const link = '<http://shop.example/corner/wp-json/>; rel="https://api.w.org/", <https://shop.example/>; rel=shortlink';
    const answers = { ...shop, 'https://shop.example/corner/wp-json/': { status: 200, body: { ...index, name: null } } };

    expect(
      await inspectHomepage('shop.example/corner/product/9', web({ ...answers, 'https://shop.example/corner/product/9': { status: 200, body: null, link } })),
    ).toMatchObject({
      ...{ ok: true, url: 'https://shop.example/corner', name: null },
    });
    expect(await inspectHomepage('shop.example/corner/', web(answers))).toMatchObject({ url: 'https://shop.example/corner' });
    expect(await inspectHomepage('shop.example/other/', web(answers))).toMatchObject({ url: 'https://shop.example' });
  });

  test('where its address leads; what WordPress says of another host is called there', async () => {
    const to = (location: string): StoreAnswer => ({ status: 301, body: null, location });
    const www = { 'https://www.shop.example/wp-json/': { status: 200, body: { namespaces: ['wc/v3'] } } };
    const moved = { ...www, 'https://shop.example/': to('https://www.shop.example/') };
    const link = '<https://www.shop.example/wp-json/>; rel="https://api.w.org/"';
    const notes = [{ code: 'redirected', data: { to: 'https://www.shop.example' } }];

    expect(await inspectHomepage('shop.example', web(moved))).toMatchObject({ url: 'https://www.shop.example', home: 'https://www.shop.example', notes });
    expect(await inspectHomepage('shop.example', web({ ...www, 'https://shop.example/': { status: 200, body: null, link } }))).toMatchObject({ notes });
  });
});

describe('handing over', () => {
  test.each([
    ['a firewall that refuses addresses in addresses', { status: 403, body: null }],
    ['a guard that wants to see a browser', { status: 401, body: null, isChallenge: true as const }],
    ['a host that hangs up', new NoStoreAnswer('cut-off', 'reset')],
  ])('is not offered behind %s', async (_name, answer) => {
    const looked = await inspectHomepage('shop.example', web({ ...shop, 'https://shop.example/wc-auth/v1/authorize': answer }));

    expect(looked).toMatchObject({ ok: true, canHandOver: false, notes: [{ code: 'handover.blocked' }] });
  });

  test('that fails by a defect is a defect', async () => {
    await expect(inspectHomepage('shop.example', web({ ...shop, 'https://shop.example/wc-auth/v1/authorize': new TypeError('a defect') }))).rejects.toThrow(
      'a defect',
    );
  });
});

describe('what is wrong is said by a code', () => {
  test.each(['', 'my shop', 'me@shop.example', 'shop', 'ftp://shop.example', 'https://', 'javascript:alert(1)'])('%j is no address', async (typed) => {
    const means = web({});

    expect(await inspectHomepage(typed, means)).toEqual({ ok: false, problem: { code: 'address.invalid' } });
    expect(means.asked).toEqual([]);
  });

  test.each<[NoAnswerWhy, string]>([
    ['private', 'address.private'],
    ['unknown-host', 'address.unknown'],
    ['refused', 'unreachable'],
    ['slow', 'slow'],
    ['certificate', 'certificate'],
    ['cut-off', 'cut-off'],
  ])('no answer because it is %s: %s', async (why, code) => {
    expect(await inspectHomepage('shop.example', web({ 'https://shop.example/': new NoStoreAnswer(why, 'why') }))).toEqual({ ok: false, problem: { code } });
  });

  test('http alone is called only where nobody is on the way', async () => {
    const noTls = new NoStoreAnswer('no-tls', 'no');
    const insecure = new Failure('storefront.refused', 'in the clear');

    expect(await inspectHomepage('shop.example', web({ 'https://shop.example/': noTls, 'http://shop.example/': insecure }))).toMatchObject({
      problem: { code: 'https.missing' },
    });
    expect(
      await inspectHomepage('http://shop.example', web({ 'https://shop.example/': new NoStoreAnswer('refused', 'no'), 'http://shop.example/': noTls })),
    ).toMatchObject({
      problem: { code: 'https.missing' },
    });
    expect(
      await inspectHomepage(
        'shop.example',
        web({ 'https://shop.example/': { status: 302, body: null, location: 'http://shop.example/' }, 'http://shop.example/': insecure }),
      ),
    ).toMatchObject({
      problem: { code: 'https.missing' },
    });
    expect(await inspectHomepage('shop.example', web({ 'https://shop.example/': new Failure('storefront.unreachable', 'no') }))).toMatchObject({
      problem: { code: 'unreachable' },
    });
  });

  test.each([
    ['round in circles', 'https://shop.example/'],
    ['nowhere', 'https://%'],
  ])('an address that leads %s', async (_name, location) => {
    expect(await inspectHomepage('shop.example', web({ 'https://shop.example/': { status: 302, body: null, location } }))).toMatchObject({
      problem: { code: 'redirects.loop' },
    });
  });

  test('an address that leads on and on', async () => {
    const means: StoreMeans = { now: 0, fetchJson: ({ url }) => Promise.resolve({ status: 302, body: null, location: `${url}x/` }) };

    expect(await inspectHomepage('shop.example', means)).toMatchObject({ problem: { code: 'redirects.loop' } });
  });

  test.each(Object.entries(closures))('a store that is %s', async (name, answer) => {
    await using it = await startWooReader({
      hasLink: name === 'firewall',
      intercept: ({ path }) => (path === '/' && name === 'firewall' ? undefined : answer),
    });
    const codes: Record<string, string> = { closed: 'rest.closed' };

    expect(await inspectHomepage(it.store.url, it.means())).toMatchObject({ ok: false, problem: { code: codes[name] ?? name } });
  });

  test.each([
    [{ status: 429, body: null }, { code: 'firewall' }],
    [{ status: 406, body: null }, { code: 'firewall' }],
    [{ status: 500, body: null, retryAfterMs: 600_000 }, { code: 'maintenance' }],
    [
      { status: 502, body: null },
      { code: 'broken', data: { status: '502' } },
    ],
    [
      { status: 301, body: null, location: 'http://10.0.0.1/wp-json/' },
      { code: 'redirects.api', data: { to: 'http://10.0.0.1' } },
    ],
    [{ status: 301, body: null, location: 'https://%' }, { code: 'site.other' }],
    [{ status: 404, body: null }, { code: 'site.other' }],
    [{ status: 200, body: { name: 'no WordPress' } }, { code: 'site.other' }],
  ])('an API that answers %j', async (answer, problem) => {
    const paths = ['/wp-json/', '/index.php/wp-json/', '/'].map((path) => [`GET https://shop.example${path}`, answer]);
    const plain = ['GET https://shop.example/?rest_route=/&_fields=name,home,namespaces', answer];
    const fields = paths.map(([path, each]) => [`${String(path)}?_fields=name,home,namespaces`, each]);

    expect(await inspectHomepage('shop.example', web(Object.fromEntries([...fields, plain])))).toEqual({ ok: false, problem });
  });

  test('a site of WordPress whose API answers with a page; one without a shop, or with an old one', async () => {
    await using it = await startWooReader();
    it.store.host.intercept = ({ path }) => (path.includes('wp-json') ? { status: 200, body: '<html>Soon</html>' } : undefined);
    expect(await inspectHomepage(it.store.url, it.means())).toMatchObject({ problem: { code: 'rest.html' } });
    it.store.host.intercept = () => undefined;
    it.store.host.namespaces = ['wp/v2'];
    expect(await inspectHomepage(it.store.url, it.means())).toMatchObject({ problem: { code: 'shop.missing' } });
    it.store.host.namespaces = ['wp/v2', 'wc/v2'];
    expect(await inspectHomepage(it.store.url, it.means())).toMatchObject({ problem: { code: 'shop.old', data: { needed: '5.8' } } });
  });

  test.each(['<https://%>; rel="https://api.w.org/"', '<https://shop.example/api>; rel="https://api.w.org/"', '<x>; rel=next'])(
    'a header that names no API is passed over: %s',
    async (link) => {
      expect(await inspectHomepage('shop.example', web({ ...shop, 'https://shop.example/': { status: 200, body: null, link } }))).toMatchObject({ ok: true });
    },
  );
});
