import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliveriesInReview } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { addressOf, hmac, post, postWoo } from '../../../support/samples/signed-webhooks.ts';
import { wooOrder } from '../../../support/samples/woo-order.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../../support/servers/redis.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { HEARD, until } from '../../../support/worlds/settled.ts';

let postgres: TestPostgres;
let redis: TestRedis;
let service: ScriptedCompliance;
let bridge: Bridge;

beforeAll(async () => {
  [postgres, redis, service] = await Promise.all([startPostgres(), startRedis(), ScriptedCompliance.start({ honoursIdempotency: true })]);
  bridge = await Bridge.start({ databaseUrl: postgres.url, redisUrl: redis.url, complianceUrl: service.url });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

const body = (order: Record<string, unknown> = orderOf('1')) => JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order } });

/** Posts a body to a connection, signed with its secret by default. */
function send({ connection, secret }: Connected, text: string, headers: Record<string, string> = {}) {
  return post(addressOf(bridge.app.url, { connection }), text, { ...standardHeaders(secret, text), ...headers });
}

describe('a webhook is refused in words that say what to do', () => {
  test('404: no connection has this id, or it is of another platform', async () => {
    const { connection, secret } = await bridge.connect();

    const unknown = await post(`${bridge.app.url}/webhooks/standard/c_000000000000000000000000`, body(), standardHeaders(secret, body()));
    const elsewhere = await post(`${bridge.app.url}/webhooks/shopify/${connection.id}`, body(), standardHeaders(secret, body()));
    const nowhere = await post(`${bridge.app.url}/webhooks/magento/${connection.id}`, body(), standardHeaders(secret, body()));

    expect([unknown, elsewhere, nowhere].map((sent) => [sent.status, sent.body.code])).toEqual(Array(3).fill([404, 'connection.unknown']));
  });

  test('404: no such platform, no connection in the address, or the secret of an app that is not set', async () => {
    const detailAt = async (path: string) => (await post(`${bridge.app.url}/webhooks/${path}`, body(), {})).body.detail;

    expect(await detailAt('magento/c_1')).toMatch(/^No platform has the name in this address\. Those that do: shopify, woocommerce, standard\. Copy/);
    expect(await detailAt('standard')).toMatch(/^The address names no connection, and stores of this platform share none\. Copy/);
    expect(await detailAt('shopify')).toMatch(/^SHOPIFY_APP_SECRET is not set here, so the address that all stores of an app share is off\. Set it, or/);
    expect(await detailAt('standard/c_1')).toMatch(/^No connection has this id\. Copy/);
  });

  test('410: the store was disconnected, from the first webhook on', async () => {
    const connected = await bridge.connect();
    expect((await send(connected, body())).status).toBe(200);

    await bridge.app.core.connections.close(connected.connection.id);

    await until(async () => (await send(connected, body())).status === 410, HEARD);
  });

  test('401: without a signature, with a foreign one, and with one of another body', async () => {
    const connected = await bridge.connect();
    const foreign = await bridge.connect();
    const { 'webhook-signature': _signature, ...unsigned } = standardHeaders(connected.secret, body());

    const answers = [
      await post(addressOf(bridge.app.url, connected), body(), unsigned),
      await post(addressOf(bridge.app.url, connected), body(), standardHeaders(foreign.secret, body())),
      await post(addressOf(bridge.app.url, connected), body(orderOf('2')), standardHeaders(connected.secret, body())),
    ];

    expect(answers.map((sent) => [sent.status, sent.body.code])).toEqual([
      [401, 'signature.missing'],
      [401, 'signature.mismatch'],
      [401, 'signature.mismatch'],
    ]);
  });

  test('413: over 5 MB; just below it is taken', async () => {
    const connected = await bridge.connect();
    const text = body(orderOf('big'));
    const padded = (bytes: number) => text + ' '.repeat(bytes - Buffer.byteLength(text));

    expect(await send(connected, padded(5 * 1024 * 1024 + 1))).toMatchObject({ status: 413, body: { code: 'body.too-large' } });
    expect((await send(connected, padded(5 * 1024 * 1024))).status).toBe(200);
  });

  test('400: signed, but not JSON', async () => {
    const connected = await bridge.connect();

    for (const text of ['{"type":', '', '\u00ff\u00fe', 'order=1']) {
      expect(await send(connected, text)).toMatchObject({ status: 400, body: { code: 'body.not-json' } });
    }
  });

  test('415: signed, but of another type', async () => {
    const connected = await bridge.connect();

    expect(await send(connected, body(), { 'content-type': 'text/plain' })).toMatchObject({ status: 415, body: { code: 'body.wrong-type' } });
    expect((await send(connected, body(), { 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
  });

  test('405: a webhook is sent with POST', async () => {
    const { connection } = await bridge.connect();

    const response = await fetch(addressOf(bridge.app.url, { connection }));

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('every refusal is counted, by platform and code', () => {
  async function rejected(): Promise<Map<string, number>> {
    const text = await (await fetch(`${bridge.app.url}/metrics`)).text();
    const lines = text.matchAll(/^orderbridge_deliveries_rejected_total\{platform="([^"]*)",code="([^"]*)"\} (\d+)$/gm);
    return new Map([...lines].map(([, platform, code, count]) => [`${platform} ${code}`, Number(count)]));
  }

  test.each<[string, string, (connected: Connected) => Promise<unknown>]>([
    ['413', 'standard body.too-large', (connected) => send(connected, ' '.repeat(5 * 1024 * 1024 + 1))],
    ['405', 'standard method.not-allowed', ({ connection }) => fetch(addressOf(bridge.app.url, { connection }))],
    ['415', 'standard body.encoded', (connected) => send(connected, body(), { 'content-encoding': 'rot13' })],
    ['404, an address that is none', 'unknown connection.unknown', () => post(`${bridge.app.url}/webhooks/standard-a/b/c`, body(), {})],
    ['404, no such platform', 'unknown connection.unknown', () => post(`${bridge.app.url}/webhooks/magento/c_0`, body(), {})],
    ['404, no such connection', 'woocommerce connection.unknown', () => post(`${bridge.app.url}/webhooks/woocommerce/c_0`, body(), {})],
  ])('%s', async (_status, counted, act) => {
    const connected = await bridge.connect();
    const before = (await rejected()).get(counted) ?? 0;

    await act(connected);

    expect((await rejected()).get(counted)).toBe(before + 1);
  });
});

describe('a webhook is taken', () => {
  test('signed, of a shape that is not known: 200, kept, and in review as unreadable', async () => {
    const connected = await bridge.connect();

    expect((await send(connected, JSON.stringify({ type: 'order.paid', data: { order: { id: '1', total: 48 } } }))).status).toBe(200);

    const review = await until(async () => (await deliveriesInReview(bridge.pool)).find(({ connectionId }) => connectionId === connected.connection.id), {
      what: 'it to be sent to review',
    });
    expect(review).toMatchObject({ code: 'payload.unreadable', kept: true, detail: expect.stringContaining('total') });
  });

  test('both secrets are live while they are changed, and a revoked one is dead', async () => {
    const connected = await bridge.connect();
    const { secret: next } = await bridge.connect();
    const sign = async (secret: string) => (await send({ ...connected, secret }, body())).status;
    await sign(connected.secret);

    await bridge.app.core.connections.changeSecrets(connected.connection.id, [
      { secret: connected.secret, until: new Date(Date.now() + 60_000).toISOString() },
      { secret: next, until: null },
    ]);
    await until(async () => (await sign(next)) === 200, HEARD);
    expect(await sign(connected.secret)).toBe(200);

    await bridge.app.core.connections.changeSecrets(connected.connection.id, [{ secret: next, until: null }]);
    await until(async () => (await sign(connected.secret)) === 401, HEARD);
    expect(await sign(next)).toBe(200);
  });

  test('a secret whose time is over is dead without any command', async () => {
    const connected = await bridge.connect();
    await bridge.app.core.connections.changeSecrets(connected.connection.id, [{ secret: connected.secret, until: '2026-01-01T00:00:00Z' }]);

    await until(async () => (await send(connected, body())).status === 401, HEARD);
  });

  test('WooCommerce tests an address with an unsigned ping', async () => {
    const connected = await bridge.connect({ platform: 'woocommerce' });

    const ping = await post(addressOf(bridge.app.url, connected), 'webhook_id=12', { 'content-type': 'application/x-www-form-urlencoded' });
    const unsigned = await post(addressOf(bridge.app.url, connected), JSON.stringify(wooOrder()), {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
    });

    expect([ping.status, unsigned.status]).toEqual([200, 401]);
  });

  test('a store that signs error bodies has a warning', async () => {
    const connected = await bridge.connect({ platform: 'woocommerce' });
    const error = { code: 'woocommerce_rest_cannot_view', message: 'Sorry', data: { status: 403 } };

    expect((await postWoo(addressOf(bridge.app.url, connected), { topic: 'order.updated', body: error, secret: connected.secret })).status).toBe(200);

    await until(async () => (await bridge.app.core.connections.find(connected.connection.id))?.warnings['delivery']?.includes('woocommerce_rest_cannot_view'), {
      what: 'the warning',
    });
  });
});

describe('an order is recorded with any content', () => {
  test('NUL and half characters in names and ids', async () => {
    const connected = await bridge.connect();
    const odd = 'Чаша \u0000 \ud83d';
    const order = orderOf('nul', { number: odd, lines: [{ id: odd, name: odd, quantity: 2, amount: '48.00', vatRate: '20' }], customer: { firstName: odd } });

    // Escapes, as a store would send them.
    const text = body(order);
    expect(text).toContain('\\u0000');
    expect((await send(connected, text)).status).toBe(200);
    await bridge.settled(connected, 'nul', 'recorded');
    expect((await send(connected, text)).status).toBe(200);

    expect(service.current('nul')).toHaveLength(1);
    expect(service.current('nul')[0]?.dto.lineItems[0]?.name).toBe('Чаша \ufffd \ufffd');
  });

  test('an order id that can’t be stored as it is', async () => {
    const connected = await bridge.connect();

    for (let times = 0; times < 3; times += 1) expect((await send(connected, body(orderOf('no\u0000id')))).status).toBe(200);

    await bridge.settled(connected, 'no\ufffdid', 'recorded');
    expect(service.current('no\ufffdid')).toHaveLength(1);
  });

  test('5,000 lines', async () => {
    const connected = await bridge.connect();
    const lines = Array.from({ length: 5_000 }, (_, n) => ({ id: `l${n}`, name: `Line ${n}`, quantity: 1, amount: '0.01', vatRate: n % 2 === 0 ? '20' : '9' }));

    expect((await send(connected, body(orderOf('long', { lines, total: '50.00' })))).status).toBe(200);

    await bridge.settled(connected, 'long', 'recorded');
    expect(service.current('long')[0]?.dto.lineItems).toHaveLength(5_000);
  });

  test('an id beyond 2^53, as a number', async () => {
    const connected = await bridge.connect({ platform: 'woocommerce' });
    const text = JSON.stringify(wooOrder({ id: 'ID' })).replace('"ID"', '9007199254740993');

    const sent = await post(addressOf(bridge.app.url, connected), text, {
      'content-type': 'application/json',
      'x-wc-webhook-topic': 'order.updated',
      'x-wc-webhook-source': 'https://shop.example/',
      'x-wc-webhook-signature': hmac(connected.secret, text),
    });

    expect(sent.status).toBe(200);
    await bridge.settled(connected, '9007199254740993', 'recorded');
    expect(service.current('9007199254740993')).toHaveLength(1);
  });
});

test('what an alert rule counts begins at 0, where the first one increases it', async () => {
  const text = await (await fetch(`${bridge.app.url}/metrics`)).text();

  for (const series of [
    'deliveries_accepted_total{platform="shopify",what="order"}',
    'deliveries_rejected_total{platform="woocommerce",code="signature.expired"}',
    'submissions_total{kind="receipt",outcome="receipt-refused"}',
    'jobs_unreadable_total{queue="deliveries"}',
    'jobs_unreadable_total{queue="maintenance"}',
    'read_orders_total{what="missed"}',
    'admin_refused_total{why="throttled"}',
  ])
    expect(text).toContain(`orderbridge_${series} 0\n`);
});
