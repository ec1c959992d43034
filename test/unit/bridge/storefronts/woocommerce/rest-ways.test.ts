import { describe, expect, test } from 'vitest';
import type { StoreRequest } from '../../../../../src/bridge/storefronts/contract.ts';
import { homeIn, identify, learn, restOf } from '../../../../../src/bridge/storefronts/woocommerce/rest.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';

type Reader = Awaited<ReturnType<typeof startWooReader>>;

/** The ids of its orders, as they are read with this key. */
async function orders(it: Reader, key?: 'write' | 'read' | 'customer'): Promise<unknown> {
  return await restOf(it.access(key), it.means()).get('orders?_fields=id');
}

/** How many requests something takes. */
async function requests(it: Reader, what: () => Promise<unknown>): Promise<number> {
  const before = it.store.asked.length;
  await what();
  return it.store.asked.length - before;
}

test('a home URL of many slashes is read at once', () => {
  const home = `https://shop.example${'/'.repeat(200_000)}bg`;

  expect(homeIn({ home: `${home}//` })).toBe(home);
});

describe('a store is called', () => {
  test('over https with the key in the header, by one request', async () => {
    await using it = await startWooReader({ https: true });
    const { id } = it.store.floor.buy();

    expect(await orders(it)).toEqual([{ id }]);
    expect(it.store.asked).toEqual([{ method: 'GET', path: '/wp-json/wc/v3/orders?_fields=id', authorization: expect.stringMatching(/^Basic /) }]);
  });

  test('with the key in the query where its web server takes the header away, from then on at once', async () => {
    await using it = await startWooReader({ https: true, stripsAuthorization: true });
    const { id } = it.store.floor.buy();

    expect(await requests(it, async () => expect(await orders(it)).toEqual([{ id }]))).toBe(2);
    expect(await requests(it, () => orders(it))).toBe(1);
  });

  test('over http by a signature of its home URL’s host and port, whatever address is called, from then on at once', async () => {
    await using it = await startWooReader({ tls: false, home: 'https://shop.example:8443' });
    const { id } = it.store.floor.buy();

    expect(await requests(it, async () => expect(await orders(it)).toEqual([{ id }]))).toBe(3);
    expect(await requests(it, () => orders(it))).toBe(1);
    expect(it.store.asked.at(-1)?.authorization).toBeNull();
  });

  test('over http by a signature in a folder of its site, too', async () => {
    await using it = await startWooReader({ tls: false, home: 'http://shop.example/corner/' });
    const { id } = it.store.floor.buy();

    expect(await orders(it)).toEqual([{ id }]);
  });

  test('over http by a signature that holds for a query of any letters', async () => {
    await using it = await startWooReader({ tls: false });
    const { id } = it.store.floor.buy();

    expect(await restOf(it.access(), it.means()).get("orders?_fields=id&search=it's (all) Мария's!*")).toEqual([{ id }]);
  });

  test('over http by a signature of the called address, if the store does not say where its home is', async () => {
    await using it = await startWooReader({ tls: false });
    it.store.host.intercept = ({ path }) => (path.endsWith('/?_fields=home') ? { status: 403, body: 'Forbidden' } : undefined);
    const { id } = it.store.floor.buy();

    expect(await orders(it)).toEqual([{ id }]);
  });

  test.each([{ tls: true }, { tls: false, home: 'https://shop.example:8443' }])('with index permalinks below index.php (%j)', async (host) => {
    await using it = await startWooReader({ ...host, permalinks: 'index' });
    const { id } = it.store.floor.buy();

    expect(await orders(it)).toEqual([{ id }]);
    expect(await requests(it, () => orders(it))).toBe(1);
    expect(it.store.asked.at(-1)?.path).toMatch(/^\/index\.php\/wp-json\/wc\/v3\/orders/);
  });

  test.each([
    { tls: true, webServer: 'nginx' },
    { tls: true, webServer: 'apache' },
    { tls: false, webServer: 'nginx', home: 'https://shop.example:8443' },
  ] as const)('with plain permalinks by a parameter, in an address that WooCommerce takes for its API (%j)', async (host) => {
    await using it = await startWooReader({ ...host, permalinks: 'plain' });
    const { id } = it.store.floor.buy();

    expect(await orders(it)).toEqual([{ id }]);
    expect(await requests(it, () => orders(it))).toBe(1);
    expect(it.store.asked.at(-1)?.path).toMatch(/^\/\?rest_route=.*wp-json\/wc\//);
    expect(await identify(it.access(), it.means())).toBe(it.store.host.storeId);
  });

  test('with plain permalinks and the key in the query, where both are needed', async () => {
    await using it = await startWooReader({ https: true, stripsAuthorization: true, permalinks: 'plain' });
    const { id } = it.store.floor.buy();

    expect(await restOf(it.access(), it.means()).find(`orders/${id}`)).toMatchObject({ found: true, body: { id } });
  });

  test('by another way when its permalinks or its web server changed', async () => {
    await using it = await startWooReader({ https: true, permalinks: 'plain', stripsAuthorization: true });
    const { id } = it.store.floor.buy();
    await orders(it);
    Object.assign(it.store.host, { permalinks: 'pretty', stripsAuthorization: false });
    expect(await orders(it)).toEqual([{ id }]);
    it.store.host.permalinks = 'index';

    expect(await orders(it)).toEqual([{ id }]);
  });

  test('anew with a fresh signature each time: none is used twice', async () => {
    await using it = await startWooReader({ tls: false });
    const urls: string[] = [];
    const means = it.means();
    const seen = (request: StoreRequest) => {
      urls.push(request.url);
      return request;
    };
    const rest = restOf(it.access(), { ...means, fetchJson: (request) => means.fetchJson(seen(request)) });
    await rest.get('orders');
    await rest.get('orders');

    expect(new Set(urls).size).toBe(urls.length);
  });
});

describe('a key', () => {
  const NOT_KEYS = /answered 401: its REST key is refused; make one with read rights/;

  test.each([
    ['with a wrong secret is refused at once', { consumerSecret: 'cs_wrong' }, 1],
    ['that is unknown may also be one that was taken away, so it is sent twice', { consumerKey: 'ck_wrong' }, 2],
  ])('%s', async (_name, wrong, wanted) => {
    await using it = await startWooReader({ https: true });
    const rest = restOf({ ...it.access(), ...wrong }, it.means());

    expect(await requests(it, () => expect(rest.get('orders')).rejects.toThrow(NOT_KEYS))).toBe(wanted);
  });

  test.each([{ consumerSecret: 'cs_wrong' }, { consumerKey: 'ck_wrong' }])('that is wrong over http is refused in the same words (%j)', async (wrong) => {
    await using it = await startWooReader({ tls: false });

    await expect(restOf({ ...it.access(), ...wrong }, it.means()).get('orders')).rejects.toThrow(NOT_KEYS);
  });

  test('that the store does not look at over http is not blamed alone', async () => {
    await using it = await startWooReader({ tls: false });
    it.store.host.intercept = ({ path }) => (path.includes('wc/v3') ? { status: 401, body: { code: 'woocommerce_rest_cannot_view' } } : undefined);

    await expect(orders(it)).rejects.toThrow(/refused or not looked at, because it is called over http:\/\/; give its https:\/\/ address/);
  });

  test('of a user who may not see orders says so', async () => {
    await using it = await startWooReader();

    await expect(orders(it, 'customer')).rejects.toThrow(/answered 403: .*the user of the key may not see orders; make one of a shop manager/);
  });
});

describe('what is no WooCommerce', () => {
  const refusals = { location: 'https://www.shop.example/wp-json/wc/v3/orders?consumer_secret=cs_write' };

  test.each([
    ['a redirect', { status: 301, body: '', headers: refusals }, /answered 301: its address redirects to https:\/\/www\.shop\.example; give the final one/],
    ['a redirect to nowhere', { status: 302, body: '', headers: { location: 'http://[' } }, /answered 302: its address redirects; give the final one/],
    ['a web page for everything', { status: 200, body: '<html>' }, /answer is not WooCommerce’s \(the body\)/],
    ['a web page that is not found', { status: 404, body: '<html>' }, /answered 404: no WooCommerce REST API at this address/],
    ['a firewall', { status: 403, body: '<html>' }, /answered 403: a firewall, a password or a security plugin is before its REST API/],
    ['a host with a password', { status: 401, body: '<html>' }, /answered 401: a firewall, a password/],
    ['an outage', { status: 503, body: '<html>' }, /answered 503: it is called again later/],
    ['a host that is asked too often', { status: 429, body: '', headers: { 'retry-after': '30' } }, /answered 429: it is called again later/],
    ['a wrong parameter', { status: 400, body: { code: 'rest_invalid_param' } }, /answered 400: it does not take the request \(rest_invalid_param\)/],
    ['a request that it does not like', { status: 400, body: '' }, /answered 400: it does not take the request \(for no reason that it names\)/],
  ])('%s is a failure in words without the key', async (_name, answer, words) => {
    await using it = await startWooReader({ https: true });
    it.store.host.intercept = () => answer;
    const failed = restOf(it.access(), it.means())
      .find('orders/7')
      .then(({ found }) => (found ? restOf(it.access(), it.means()).get('x') : null));
    const message = await failed.then(String, (thrown: Error) => thrown.message);

    if (answer.status !== 200) expect(message).toMatch(words);
    expect(message).not.toContain('cs_write');
  });

  test('plain permalinks with an API that is switched off are named', async () => {
    await using it = await startWooReader({ permalinks: 'plain' });
    it.store.host.intercept = ({ path }) => (path.startsWith('/?') ? { status: 200, body: '<html>' } : undefined);

    await expect(orders(it)).rejects.toThrow(/answered 301: its permalinks are “Plain”; choose any but “Plain” under Settings → Permalinks/);
  });
});

test('what is learned of stores is bounded: the first one is forgotten', async () => {
  await using it = await startWooReader({ https: true, stripsAuthorization: true });
  await orders(it);
  for (let n = 0; n < 1_000; n += 1) learn(`https://${n}.example`, { way: { path: 'pretty', auth: 'basic' } });

  expect(await requests(it, () => orders(it))).toBe(2);
});
