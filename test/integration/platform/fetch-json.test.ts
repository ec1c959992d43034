import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFetchJson } from '../../../src/bridge/store-api/fetch-json.ts';
import { parseJson } from '../../../src/bridge/storefronts/read-payload.ts';
import { NoStoreAnswer } from '../../../src/bridge/storefronts/store-failure.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { type Answerer, startHttpServer } from '../../support/servers/raw-server.ts';
import { startSelfSigned } from '../../support/servers/self-signed.ts';

const keys = { authorization: `Basic ${Buffer.from('ck_1:cs_2:x').toString('base64')}` };

function fetcher({ allowPrivateAddresses = true, headersMs = 20_000, totalMs = 20_000 } = {}) {
  return createFetchJson({ allowPrivateAddresses, timeouts: { connectMs: 10_000, headersMs, totalMs }, parse: parseJson });
}

async function serverThat(answer: Answerer) {
  const server = await startHttpServer(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

test('the version in which an API answers is read, whatever the platform calls the header', async () => {
  const server = await serverThat((response) => response.setHeader('x-shopify-api-version', '2027-01').end('{}'));

  expect(await fetcher()({ url: server.url, ...keys })).toEqual({ status: 200, body: {}, apiVersion: '2027-01' });
});

test('a GET with the store’s authorization brings the parsed body, digits kept', async () => {
  const server = await serverThat((response) => response.end('{"id":12345678901234567890}'));

  const answer = await fetcher()({ url: `${server.url}/wp-json/wc/v3/orders/7?page=1`, ...keys });

  expect(answer).toEqual({ status: 200, body: { id: '12345678901234567890' } });
  expect(server.seen[0]).toMatchObject({ method: 'GET', path: '/wp-json/wc/v3/orders/7?page=1' });
  expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ck_1:cs_2:x').toString('base64')}`);
});

test('credentials in the address do not replace those beside it', async () => {
  const server = await serverThat((response) => response.end('{}'));

  await fetcher()({ url: server.url.replace('//', '//other:words@'), ...keys });

  expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ck_1:cs_2:x').toString('base64')}`);
});

test.for([401, 404, 500])('status %i is an answer', async (status) => {
  const server = await serverThat((response) => response.writeHead(status).end('{"code":"x"}'));

  expect(await fetcher()({ url: server.url, ...keys })).toEqual({ status, body: { code: 'x' } });
});

test('a body that is not JSON is null', async () => {
  const server = await serverThat((response) => response.end('<html>'));

  expect(await fetcher()({ url: server.url, ...keys })).toEqual({ status: 200, body: null });
});

test('a redirect is not followed', async () => {
  const server = await serverThat((response) => response.writeHead(302, { location: '/elsewhere' }).end());

  expect(await fetcher()({ url: server.url, ...keys })).toMatchObject({ status: 302 });
  expect(server.seen).toHaveLength(1);
});

describe('no answer is storefront.unreachable', () => {
  test.for([
    ['over 5 MB', (response) => response.end(Buffer.alloc(6_000_000, ' ')), 'over 5 MB'],
    ['packed unasked', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}')), 'compressed answers'],
    ['never begun', () => undefined, "Timeout awaiting 'response'"],
    ['never ended', (response) => response.writeHead(200).write('{'), "Timeout awaiting 'request'"],
    ['cut off', (response) => response.destroy(), 'ECONNRESET|hang up'],
  ] as [string, Answerer, string][])('when it is %s', async ([, answer, words]) => {
    const server = await serverThat(answer);

    const failure = await fetcher({ headersMs: 2_500, totalMs: 5_000 })({ url: server.url, ...keys }).catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({ code: 'storefront.unreachable', message: expect.stringMatching(words), cause: undefined });
  });

  test('when nothing listens; the message has no key', async () => {
    const asking = fetcher()({ url: `http://127.0.0.1:${await freePort()}/?consumer=1`, ...keys });

    await expect(asking).rejects.toThrow(/^storefront.unreachable: 127.0.0.1:\d+ gave no answer: connect ECONNREFUSED/);
    await expect(asking).rejects.not.toThrow(/c[sk]_/);
  });

  test.for(['ftp://shop.example/x', 'file:///etc/passwd', 'no address'])('for %s', async (url) => {
    await expect(fetcher()({ url, ...keys })).rejects.toMatchObject({ code: 'storefront.unreachable' });
  });
});

describe('an address that is not public is never connected to', () => {
  test.for(['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]', 'localhost'])('%s', async (host) => {
    const server = await serverThat((response) => response.end('{}'));
    const url = server.url.replace('127.0.0.1', host);

    await expect(fetcher({ allowPrivateAddresses: false })({ url, ...keys })).rejects.toThrow('not a public address');
    expect(server.connections).toBe(0);
  });

  test('unless private ones are allowed', async () => {
    const server = await serverThat((response) => response.end('{}'));

    expect(await fetcher()({ url: server.url.replace('127.0.0.1', 'localhost'), ...keys })).toMatchObject({ status: 200 });
  });
});

test('how long a store wants to be left alone is part of its answer', async () => {
  const server = await serverThat((response) => response.writeHead(429, { 'retry-after': '90' }).end('{}'));

  expect(await fetcher()({ url: server.url, ...keys })).toEqual({ status: 429, body: {}, retryAfterMs: 90_000 });
});

test('a call is cut off when its caller gives up', async () => {
  const giveUp = new AbortController();
  const server = await serverThat(() => giveUp.abort());

  await expect(fetcher()({ url: server.url, ...keys, signal: giveUp.signal })).rejects.toMatchObject({
    code: 'storefront.unreachable',
    message: expect.stringContaining('did not come in time'),
  });
});

test('finding 11: the keys of a store go over http to private addresses and trusted hosts alone', async () => {
  const server = await serverThat((response) => response.end('{}'));
  const stranger = { url: 'http://store.invalid/wp-json', ...keys };
  const trusting = createFetchJson({
    allowPrivateAddresses: true,
    trustedHttpHosts: ['store.invalid'],
    timeouts: { connectMs: 10_000, headersMs: 20_000, totalMs: 20_000 },
    parse: parseJson,
  });

  await expect(fetcher()(stranger)).rejects.toThrow(/^storefront\.refused: store\.invalid is called over http:.*TRUSTED_HTTP_HOSTS/);
  await expect(trusting(stranger)).rejects.toThrow('storefront.unreachable');
  expect(await fetcher()({ url: server.url, ...keys })).toMatchObject({ status: 200 });
});

describe('why there was no answer is said beside the words', () => {
  const whyOf = (url: string, options: Parameters<typeof fetcher>[0] = {}) =>
    fetcher(options)({ url }).then(
      () => null,
      (thrown: unknown) => (thrown instanceof NoStoreAnswer ? thrown.why : thrown),
    );

  test('by what the network, TLS or the time says', async () => {
    await using unknown = await startSelfSigned();
    const silent = await serverThat(() => undefined);
    const cut = await serverThat((response) => response.destroy());

    expect(await whyOf(unknown.url)).toBe('certificate');
    expect(await whyOf(silent.url.replace('http:', 'https:'))).toBe('no-tls');
    expect(await whyOf(silent.url, { headersMs: 300 })).toBe('slow');
    expect(await whyOf(cut.url)).toBe('cut-off');
    expect(await whyOf(`http://127.0.0.1:${await freePort()}/`)).toBe('refused');
    expect(await whyOf('https://store.invalid/')).toBe('unknown-host');
  });

  test('by the address, as it is written and as it is looked up', async () => {
    expect(await whyOf('https://127.0.0.1/', { allowPrivateAddresses: false })).toBe('private');
    expect(await whyOf('https://localhost/', { allowPrivateAddresses: false })).toBe('private');
    expect(await whyOf('ftp://127.0.0.1/')).toBe('cut-off');
  });
});

test('a HEAD has no body; where the API is and whether a guard is on the way comes with the answer', async () => {
  const link = '<https://shop.example/wp-json/>; rel="https://api.w.org/"';
  const server = await serverThat((response, { path }) => {
    if (path === '/') response.writeHead(200, { link }).end('<html>');
    else if (path === '/long') response.writeHead(200, { link: `<${'x'.repeat(3_000)}>` }).end('{}');
    else response.writeHead(path === '/busy' ? 503 : 200, path === '/guard' ? { 'cf-mitigated': 'challenge' } : { 'cf-ray': '8a1b' }).end('{}');
  });
  const ask = (path: string) => fetcher()({ url: `${server.url}${path}` });

  expect(await fetcher()({ url: server.url, method: 'HEAD' })).toEqual({ status: 200, body: null, link });
  expect(server.seen[0]?.method).toBe('HEAD');
  expect([await ask('/guard'), await ask('/busy'), await ask('/fine'), await ask('/long')]).toEqual([
    { status: 200, body: {}, isChallenge: true },
    { status: 503, body: {}, isChallenge: true },
    { status: 200, body: {} },
    { status: 200, body: {} },
  ]);
});
