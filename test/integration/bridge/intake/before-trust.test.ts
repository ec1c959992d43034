import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTest } from '../../../support/long-test.ts';
import { addressOf, type Sent, SHOP } from '../../../support/samples/signed-webhooks.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { watchTurns } from '../../../support/worlds/loop-turns.ts';
import { until } from '../../../support/worlds/settled.ts';
import { appConfig } from '../../../support/worlds/shopify-shop.ts';

let postgres: TestPostgres;
let service: ScriptedCompliance;
let bridge: Bridge;

beforeAll(async () => {
  [postgres, service] = await Promise.all([startPostgres(), ScriptedCompliance.start({ honoursIdempotency: true })]);
  bridge = await Bridge.start({ databaseUrl: postgres.url, complianceUrl: service.url, config: appConfig });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

const LARGEST = 5 * 1024 * 1024;
const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf('1') } });
const forged = { 'webhook-id': 'm', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' };

async function post(address: string, content: string | Buffer, headers: Record<string, string>): Promise<Sent> {
  const response = await fetch(address, { method: 'POST', body: content, headers });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** Sends the head of a request, and nothing or a part of its body; what comes back. */
async function half(path: string, headers: Record<string, string | number>, part = ''): Promise<{ socket: Socket; received(): string }> {
  const { port } = bridge.app;
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket
    .on('error', () => undefined)
    .on('data', (data) => {
      received += data;
    });
  const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  await new Promise<void>((resolve) => socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${part}`, () => resolve()));
  return { socket, received: () => received };
}

const answered = ({ received }: { received(): string }, status: number) =>
  until(() => received().startsWith(`HTTP/1.1 ${status} `), { what: `an answer ${status}` });

const pathOf = ({ connection }: Connected) => `/webhooks/${connection.platform}/${connection.id}`;

describe('finding 1: one unsigned request does not freeze the process', () => {
  test('a thousand claims for a body of 5 MB: 401, unread, and nothing is hashed', async () => {
    const connected = await bridge.connect();
    const scheduler = watchTurns();

    const sent = await half(pathOf(connected), { ...forged, 'webhook-signature': 'v1, '.repeat(1_000).trim(), 'content-length': LARGEST });
    await answered(sent, 401);

    expect(sent.received()).toContain('signature.mismatch');
    // Of processor time, in which garbage may be collected, too; a thousand hashes take ten seconds.
    expect(scheduler.longest()).toBeLessThan(1_000);
  });

  test('ten claims are compared, eleven are too many, even if one is right', async () => {
    const connected = await bridge.connect();
    const signed = standardHeaders(connected.secret, body);
    const claiming = (others: number) => ({
      ...signed,
      'webhook-signature': `${'v1,AAAA v2,AAAA '.repeat(others / 2)}${'v1a,AAAA '.repeat(others % 2)}${signed['webhook-signature']}`,
    });

    const few = await post(addressOf(bridge.app.url, connected), body, claiming(9));
    const many = await post(addressOf(bridge.app.url, connected), body, claiming(10));

    expect([few.status, many.status, many.body.code]).toEqual([200, 401, 'signature.mismatch']);
  });

  test('415: a packed body is not unpacked', async () => {
    const connected = await bridge.connect();

    const sent = await post(addressOf(bridge.app.url, connected), gzipSync(Buffer.alloc(LARGEST)), { ...forged, 'content-encoding': 'gzip' });

    expect([sent.status, sent.body.code]).toEqual([415, 'body.encoded']);
  });
});

describe('finding 4: what nobody signed is not held in memory', () => {
  test.each([
    ['no such connection', { path: () => '/webhooks/shopify/c_nosuch', headers: forged, status: 404 }],
    ['no such platform', { path: () => '/webhooks/nosuch/c_nosuch', headers: forged, status: 404 }],
    ['no signature', { path: pathOf, headers: {}, status: 401 }],
    ['too large', { path: pathOf, headers: { ...forged, 'content-length': LARGEST + 1 }, status: 413 }],
  ])('%s: answered before its body is there, and closed', async (_what, { path, headers, status }) => {
    const connected = await bridge.connect();

    const sent = await half(path(connected), { 'content-length': LARGEST, ...headers }, 'x'.repeat(10_000));

    await answered(sent, status);
    expect(sent.received()).toMatch(/^connection: close$/im);
    await until(async () => sent.socket.closed || sent.socket.readableEnded, { what: 'the connection to be closed' });
  });

  longTest('408: a body that is not whole after ten seconds, and the connection is closed', async () => {
    const connected = await bridge.connect();

    const sent = await half(pathOf(connected), { ...forged, 'content-length': 1_000 }, '{"type":');

    await answered(sent, 408);
    expect(sent.received()).toContain('body.incomplete');
    await until(async () => sent.socket.readableEnded, { what: 'the connection to be closed' });
  });

  longTest('large bodies that were begun hold up those of their own connection, and no small ones', async () => {
    const [busy, other] = [await bridge.connect(), await bridge.connect()];
    const begun = await Promise.all(Array.from({ length: 3 }, () => half(pathOf(busy), { ...forged, 'content-length': LARGEST }, 'x'.repeat(100_000))));

    const small = await post(addressOf(bridge.app.url, busy), body, standardHeaders(busy.secret, body));
    const padded = body + ' '.repeat(200_000);
    const large = await post(addressOf(bridge.app.url, other), padded, standardHeaders(other.secret, padded));

    expect([small.status, large.status]).toEqual([200, 200]);
    // The third found no room in time.
    await until(async () => begun.some(({ received }) => received().includes('intake.unavailable')), { what: 'one to be refused' });
    expect(begun.filter(({ received }) => received().includes('intake.unavailable'))).toHaveLength(1);
    for (const { socket } of begun) socket.destroy();
  });

  test('an unsigned ping has at most 64 bytes', async () => {
    const connected = await bridge.connect({ platform: 'woocommerce' });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };

    const ping = await post(addressOf(bridge.app.url, connected), 'webhook_id=12', form);
    const long = await half(pathOf(connected), { ...form, 'content-length': 65 }, 'webhook_id=12');
    const chunked = await half(pathOf(connected), { ...form, 'transfer-encoding': 'chunked' }, 'd\r\nwebhook_id=12\r\n');

    expect(ping.status).toBe(200);
    await answered(long, 401);
    await answered(chunked, 401);
  });
});

describe('finding 14: addresses that lead nowhere', () => {
  test.each(['%00', '%ff', '%E0%A4%A', 'c_%00', `c_${'0'.repeat(300)}`, '..%2f..', 'c_1%20'])('/webhooks/shopify/%s: 404', async (id) => {
    const sent = await post(`${bridge.app.url}/webhooks/shopify/${id}`, body, forged);

    expect([sent.status, sent.body.code]).toEqual([404, 'connection.unknown']);
  });

  test('%ff as a platform: 404', async () => {
    expect(await post(`${bridge.app.url}/webhooks/%ff/c_1`, body, forged)).toMatchObject({ status: 404, body: { code: 'connection.unknown' } });
  });

  test('what was typed into a store in another case, or with a slash at the end, goes on working, and is counted as of its platform', async () => {
    const connected = await bridge.connect();
    const { id } = connected.connection;

    const answers = await Promise.all(
      [`/WEBHOOKS/standard/${id}`, `/Webhooks/Standard/${id}/`].map((path) => post(`${bridge.app.url}${path}`, body, standardHeaders(connected.secret, body))),
    );
    await post(`${bridge.app.url}/WEBHOOKS/Shopify/c_1`, body, forged);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const metrics = await (await fetch(`${bridge.app.url}/metrics`)).text();
    expect(metrics).toMatch(/^orderbridge_deliveries_rejected_total\{platform="shopify",code="connection.unknown"\} [1-9]\d*$/m);
  });

  test('an unknown id is looked up once, and a connection made meanwhile works at once', async () => {
    const { cache } = bridge.app.core;
    const queries: string[] = [];
    const { connections } = bridge.app.core;
    const find = connections.find;
    connections.find = (id) => {
      // Connections of other tests are looked up by their work.
      if (id === 'c_unknown') queries.push(id);
      return find(id);
    };
    try {
      for (let times = 0; times < 5; times += 1) expect((await post(`${bridge.app.url}/webhooks/standard/c_unknown`, body, forged)).status).toBe(404);
      expect(queries).toEqual(['c_unknown']);
      cache.forget('c_unknown');
      await post(`${bridge.app.url}/webhooks/standard/c_unknown`, body, forged);
      expect(queries).toEqual(['c_unknown', 'c_unknown']);
    } finally {
      connections.find = find;
    }
  });

  test('the app’s address looks up no shop for a forged signature', async () => {
    const { connections } = bridge.app.core;
    const find = connections.findByStore;
    const queries: string[] = [];
    connections.findByStore = (platform, store) => {
      queries.push(store);
      return find(platform, store);
    };
    try {
      const headers = { 'x-shopify-hmac-sha256': 'AAAA', 'x-shopify-shop-domain': SHOP, 'x-shopify-topic': 'orders/paid' };
      expect((await post(`${bridge.app.url}/webhooks/shopify`, body, headers)).status).toBe(401);
      expect(queries).toEqual([]);
    } finally {
      connections.findByStore = find;
    }
  });
});

describe('a request is found in the log by its id', () => {
  test('the one that it names, or a new one', async () => {
    const [named, made, odd] = await Promise.all(
      [{ 'x-request-id': 'edge-7.a:1' }, {}, { 'x-request-id': 'a b' }].map((id) =>
        post(`${bridge.app.url}/webhooks/standard/c_1`, body, { ...forged, ...id }),
      ),
    );

    expect(named?.headers.get('x-request-id')).toBe('edge-7.a:1');
    expect([made, odd].map((sent) => sent?.headers.get('x-request-id'))).toEqual([
      expect.stringMatching(/^[\da-f-]{36}$/),
      expect.stringMatching(/^[\da-f-]{36}$/),
    ]);
  });
});
