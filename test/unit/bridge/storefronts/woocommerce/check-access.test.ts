import { describe, expect, test } from 'vitest';
import { checkAccess } from '../../../../../src/bridge/storefronts/woocommerce/api.ts';
import { storeName } from '../../../../../src/bridge/storefronts/woocommerce/rest.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';

describe('an access', () => {
  test('that works has nothing wrong with it, and trying it makes no webhook', async () => {
    await using it = await startWooReader();

    expect(await checkAccess(it.access(), it.means())).toEqual([]);
    expect(it.store.webhooks.all.size).toBe(0);
  });

  test.each([
    { name: 'that may only read', key: 'read', words: /^The REST key may only read.*make one with Read\/Write rights/ },
    { name: 'over http', host: { tls: false }, words: /^The store is called over http:\/\/.*give its https:\/\/ address/ },
    { name: 'of a user who may not see orders', key: 'customer', words: /^The store answered 403: .*the user of the key may not see orders/ },
    { name: 'whose header is taken away', host: { https: true, stripsAuthorization: true }, words: /header away.*have the host pass the header on\.$/ },
  ] as const)('$name is said to be so', async ({ words, ...given }) => {
    await using it = await startWooReader('host' in given ? given.host : {});

    expect(await checkAccess(it.access('key' in given ? given.key : 'write'), it.means())).toEqual([expect.stringMatching(words)]);
  });

  test.each([
    ['a wrong path', { status: 404, body: '<html>' }, /^The store answered 404: no WooCommerce REST API at this address.*\.$/],
    ['another address', { status: 301, body: '', headers: { location: 'https://www.shop.example/' } }, /redirects to https:\/\/www\.shop\.example;/],
    ['pages of a shop', { status: 200, body: '<html>' }, /^The store’s answer is not WooCommerce’s/],
  ])('to %s is said to be so', async (_name, answer, words) => {
    await using it = await startWooReader();
    it.store.host.intercept = () => answer;

    expect(await checkAccess(it.access(), it.means())).toEqual([expect.stringMatching(words)]);
  });

  test('by a key of which a part is missing is said to be so', async () => {
    await using it = await startWooReader();
    const { consumerSecret: _missing, ...access } = it.access();

    expect(await checkAccess({ ...access, url: it.store.url }, it.means())).toEqual([expect.stringMatching(/^The connection has no consumerSecret; give/)]);
  });

  test('to a store that gives no answer is said to be so; a defect is thrown', async () => {
    await using it = await startWooReader();
    const access = it.access();
    await it.store[Symbol.asyncDispose]();

    expect(await checkAccess(access, it.means())).toEqual([expect.stringMatching(/gave no answer/)]);
    const broken = { ...it.means(), fetchJson: () => Promise.reject(new TypeError('a defect')) };
    await expect(checkAccess(access, broken)).rejects.toThrow('a defect');
  });

  test('that can’t be tried for writing is not said to be only for reading', async () => {
    await using it = await startWooReader();
    it.store.host.intercept = ({ method }) => (method === 'POST' ? { status: 503, body: '' } : undefined);

    expect(await checkAccess(it.access(), it.means())).toEqual([]);
  });
});

describe('the name of a store', () => {
  test('is its home URL without a slash, as webhooks have it', async () => {
    await using it = await startWooReader({ home: 'https://shop.example/corner/' });

    expect(await storeName(it.access(), it.means())).toBe('https://shop.example/corner');
  });

  test.each(['pretty', 'plain'] as const)('comes from the API’s own page, if the key may not see the system status (%s permalinks)', async (permalinks) => {
    await using it = await startWooReader({ permalinks, home: 'https://shop.example' });
    const way = permalinks === 'plain' ? 'x=wp-json/wc/' : '/wp-json/wc/';
    it.store.host.intercept = ({ path }) => (path.includes('system_status') && path.includes(way) ? { status: 403, body: {} } : undefined);

    expect(await storeName(it.access(), it.means())).toBe('https://shop.example');
  });

  test.each([
    { status: 403, body: '' },
    { status: 200, body: { home: 'javascript:alert(1)' } },
    { status: 200, body: { home: 'https://%' } },
  ])('is none, if neither says it (%j): then the first answer is the failure', async (index) => {
    await using it = await startWooReader();
    it.store.host.intercept = ({ path }) =>
      path.includes('system_status') ? { status: 403, body: { code: 'woocommerce_rest_cannot_view' } } : { headers: {}, ...index };

    await expect(storeName(it.access(), it.means())).rejects.toThrow(/answered 403: its REST key is refused/);
  });
});
