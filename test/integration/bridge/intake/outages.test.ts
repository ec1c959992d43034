import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inboxSize } from '../../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { longTest } from '../../../support/long-test.ts';
import { addressOf, post, postShopify, SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { openPool } from '../../../support/servers/open-pool.ts';
import { type OwnPostgres, startOwnPostgres } from '../../../support/servers/own-postgres.ts';
import { startRedis, type TestRedis } from '../../../support/servers/redis.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { APP_SECRET, appConfig, connectShop, ORDER, PAID } from '../../../support/worlds/shopify-shop.ts';

let postgres: OwnPostgres;
let redis: TestRedis;
let service: ScriptedCompliance;
let bridge: Bridge;

beforeAll(async () => {
  [postgres, redis, service] = await Promise.all([
    startOwnPostgres(),
    startRedis({ appendFsync: 'always' }),
    ScriptedCompliance.start({ honoursIdempotency: true }),
  ]);
  bridge = await Bridge.start({ databaseUrl: postgres.url, redisUrl: redis.url, complianceUrl: service.url, config: appConfig });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

/** A process reads the pauses again that it read longer ago. */
const PAUSES_SEEN_MS = 1_500;
/** They are given up after 3 s at the latest, on a machine that is not busy; Shopify waits for so long. */
const IN_TIME_MS = 5_000;

/** Sends a paid order; the answer and how long it took. */
async function send({ connection, secret }: Connected, id: string) {
  const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(id) } });
  const began = performance.now();
  const { status, headers } = await post(addressOf(bridge.app.url, { connection }), body, standardHeaders(secret, body));
  return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - began };
}

const ids = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

/** Each of these orders has exactly one record. */
async function allRecorded(connected: Connected, orders: readonly string[]): Promise<void> {
  for (const id of orders) await bridge.settled(connected, id, 'recorded');
  expect(orders.map((id) => service.current(id).length)).toEqual(orders.map(() => 1));
}

async function readiness(): Promise<{ ready: boolean; failedChecks: string[] }> {
  const response = await fetch(`${bridge.app.url}/readyz`);
  return (await response.json()) as { ready: boolean; failedChecks: string[] };
}

describe('Redis down', () => {
  test('the inbox takes over in time, and when it comes back everything is recorded', async () => {
    const connected = await bridge.connect();
    await send(connected, 'before');
    const orders = ids('inbox', 12);

    await redis.kill();
    const first = await send(connected, 'first');
    const answers = await Promise.all(orders.map((id) => send(connected, id)));

    expect([first, ...answers].map(({ status }) => status)).toEqual(Array(13).fill(200));
    expect(Math.max(first.ms, ...answers.map(({ ms }) => ms))).toBeLessThan(IN_TIME_MS);
    expect(await inboxSize(bridge.pool)).toBeGreaterThan(0);
    expect(await readiness()).toMatchObject({ ready: false, failedChecks: [expect.stringContaining('queue')] });

    await redis.start();
    await allRecorded(connected, ['before', 'first', ...orders]);
    await until(async () => (await inboxSize(bridge.pool)) === 0, { what: 'the inbox to be empty' });
    await until(async () => (await readiness()).ready, { what: 'it to be ready' });
  });

  test('a Redis that hangs is given up in time', async () => {
    const connected = await bridge.connect();
    await send(connected, 'hang-before');

    process.kill(redis.pid(), 'SIGSTOP');
    const answers = await Promise.all(ids('hang', 6).map((id) => send(connected, id)));
    process.kill(redis.pid(), 'SIGCONT');

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(IN_TIME_MS);
    await allRecorded(connected, ids('hang', 6));
  });
});

describe('the database down', () => {
  test('known connections are still taken, by Redis; an unknown id gets 503; then all is recorded', async () => {
    const connected = await bridge.connect();
    const shop = await connectShop(bridge);
    const stranger = await bridge.connect();
    const toApp = { topic: 'orders/paid', body: shopifyBody(PAID), secret: APP_SECRET, shop: SHOP };
    await send(connected, 'known');
    await postShopify(`${bridge.app.url}/webhooks/shopify`, { ...toApp, topic: 'shop/redact' });
    const orders = ids('dbless', 12);

    await postgres.stop();
    const answers = await Promise.all(orders.map((id) => send(connected, id)));
    const unknown = await send(stranger, 'unknown');
    const app = await postShopify(`${bridge.app.url}/webhooks/shopify`, toApp);

    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(app.status).toBe(200);
    expect(unknown).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^[1-9]\d*$/) });
    expect(Math.max(unknown.ms, ...answers.map(({ ms }) => ms))).toBeLessThan(IN_TIME_MS);
    expect(await readiness()).toMatchObject({ ready: false, failedChecks: [expect.stringContaining('database')] });

    await postgres.start();
    await allRecorded(connected, orders);
    await bridge.settled(shop, ORDER, 'recorded');
    expect((await send(stranger, 'unknown')).status).toBe(200);
    await bridge.settled(stranger, 'unknown', 'recorded');
  });

  test('while the service answers: the answer is written as soon as the database is back', async () => {
    const connected = await bridge.connect();
    service.holdAnswers();
    await send(connected, 'answered');
    await until(() => service.requests('POST').some(({ body }) => body.includes('"answered"')), { what: 'the create to be sent' });

    await postgres.stop();
    service.letGo();
    await until(async () => !(await readiness()).ready, { what: 'the database to be gone' });
    await postgres.start();

    await allRecorded(connected, ['answered']);
    // If the database was away for longer than the lease, the same create is sent again, and answered with the same record.
    const creates = service.requests('POST').filter(({ body }) => body.includes('"answered"'));
    expect(new Set(creates.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(creates.length).toBeLessThanOrEqual(2);
  });

  // The answer also says that the destination works, which is kept there, too.
  test('while the service answers that does not know repeats: no answer is lost by it', async () => {
    await using strict = await ScriptedCompliance.start({ honoursIdempotency: false });
    await using database = await startOwnPostgres();
    await using own = await Bridge.start({ databaseUrl: database.url, complianceUrl: strict.url, idempotencyKey: 'ignored', config: { leaseSeconds: 60 } });
    const connected = await own.connect();
    strict.holdAnswers();
    await own.send(connected, 'order.paid', { order: orderOf('once') });
    await until(() => strict.requests('POST').length === 1, { what: 'the create to be sent' });

    await database.stop();
    await setTimeout(PAUSES_SEEN_MS);
    strict.letGo();
    await setTimeout(PAUSES_SEEN_MS);
    await database.start();

    await own.settled(connected, 'once', 'recorded');
    expect([strict.requests('POST').length, strict.current('once').length]).toEqual([1, 1]);
  });
});

describe('both down', () => {
  test('503 with Retry-After in time; when they come back it goes on', async () => {
    const connected = await bridge.connect();
    await send(connected, 'both-before');

    await Promise.all([redis.kill(), postgres.stop()]);
    const answers = await Promise.all(ids('both', 6).map((id) => send(connected, id)));

    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(503));
    expect(answers.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(IN_TIME_MS);

    await Promise.all([redis.start(), postgres.start()]);
    await until(async () => (await send(connected, 'both-after')).status === 200, { what: 'webhooks to be taken again' });
    await allRecorded(connected, ['both-before', 'both-after']);
  });
});

longTest('a database that takes no writes, such as on a full disk: webhooks are refused and /readyz says so, until they can be kept again', async () => {
  await using database = await startOwnPostgres();
  const admin = openPool(database.url);
  await using own = await Bridge.start({ databaseUrl: database.url, complianceUrl: service.url });
  const connected = await own.connect();
  const body = (id: string) => JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(id) } });
  const send = async (id: string) =>
    (await post(addressOf(own.app.url, { connection: connected.connection }), body(id), standardHeaders(connected.secret, body(id)))).status;
  const ready = async () => (await (await fetch(`${own.app.url}/readyz`)).json()) as unknown;
  const writes = async (isAllowed: boolean) => {
    await admin.pool.query(`alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = ${isAllowed ? 'off' : 'on'}`);
    await admin.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()`);
  };
  expect(await send('kept')).toBe(200);

  await writes(false);
  await until(async () => (await send('refused')) === 503, { what: 'a webhook to be refused' });
  expect(await ready()).toMatchObject({ ready: false, failedChecks: ['webhooks: down'] });

  await writes(true);
  await until(async () => ((await ready()) as { ready: boolean }).ready, { what: 'it to be ready without a webhook' });
  expect(await send('refused')).toBe(200);
  await own.settled(connected, 'refused', 'recorded');
  await admin.end();
});
