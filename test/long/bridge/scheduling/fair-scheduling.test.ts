import { describe, expect, test } from 'vitest';
import { backlog } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { claimsIn } from '../../../support/worlds/due-ledger.ts';
import { until } from '../../../support/worlds/settled.ts';
import { someAtOnce } from '../../../support/worlds/some-at-once.ts';
import { totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();
const MANY = 800;
const HANGING = 150;
const SLOW = { connectMs: 1_000, headersMs: 60_000, totalMs: 60_000 };

async function flood({ bridge }: World, connected: Connected, count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, n) => `b${n}`);
  // So few at once that a program which has just started takes each in time on a busy machine.
  const answers = await someAtOnce(ids, 10, (id) => bridge.send(connected, 'order.paid', { order: orderOf(id) }));
  expect(new Set(answers)).toEqual(new Set([200]));
}

/** Another process of the same installation. */
function alsoStart(it: World, { onRedis, ...options }: { onRedis: boolean } & Pick<Parameters<typeof Bridge.start>[0], 'role' | 'config'>): Promise<Bridge> {
  return Bridge.start({ databaseUrl: it.databaseUrl, complianceUrl: it.service.url, ...(onRedis ? { redisUrl: it.redis.url } : {}), ...options });
}

async function movedTo({ bridge }: World, { connection }: Connected, url: string): Promise<void> {
  const destination = await bridge.app.core.destinations.ensure(url, { apiKey: 'key', apiSecret: 'secret' });
  await bridge.pool.query('update connections set destination_id = $1 where id = $2', [destination, connection.id]);
  bridge.app.core.cache.forget();
}

describe.each([
  ['Redis', true],
  ['PostgreSQL', false],
] as const)('connections are scheduled in turn, with the queue on %s', (_queue, onRedis) => {
  test('one connection’s deliveries that wait on the queue do not hold up another’s', async () => {
    await using it = await world({ onRedis, role: 'receiver' });
    const [b, c] = [await it.bridge.connect(), await it.bridge.connect()];
    await flood(it, b, MANY);
    await it.bridge.send(c, 'order.paid', { order: orderOf('c') });

    await using _worker = await alsoStart(it, { onRedis, role: 'worker' });
    await until(() => totals(it.service, 'c').length === 1, { what: 'the other connection’s order', everyMs: 5 });

    expect(it.service.living).toBeLessThan(MANY / 2);
    await until(() => it.service.living === MANY + 1, { what: 'every order' });
  });

  test('nor does the backlog after a pause', async () => {
    await using it = await world({ onRedis, config: { concurrency: 4 } });
    const [b, c] = [await it.bridge.connect(), await it.bridge.connect()];
    it.service.always({ status: 503 });
    await flood(it, b, MANY);
    await it.bridge.send(c, 'order.paid', { order: orderOf('c') });
    await until(async () => (await backlog(it.bridge.pool)).pending === MANY + 1, { what: 'all to be pending' });
    it.service.always({ hangMs: 10 });

    await until(() => totals(it.service, 'c').length === 1, { what: 'the other connection’s order', everyMs: 5 });

    expect(it.service.living).toBeLessThan(MANY / 2);
  });

  test('a destination that hangs costs its own connection alone', async () => {
    await using it = await world({ onRedis, config: { concurrency: 4, timeouts: SLOW } });
    await using hanging = await ScriptedCompliance.start();
    const [b, c] = [await it.bridge.connect(), await it.bridge.connect()];
    await movedTo(it, b, hanging.url);
    hanging.holdAnswers();
    await flood(it, b, HANGING);
    await until(() => hanging.requests('POST').length >= 4, { what: 'every place to be taken' });

    await it.bridge.send(c, 'order.paid', { order: orderOf('c') });
    await it.bridge.settled(c, 'c', 'recorded');

    // None of those that hang has ended meanwhile; two recorders may have begun as many at once.
    expect(hanging.requests('POST').length).toBeLessThanOrEqual(8);
    hanging.letGo();
    await until(() => hanging.living === HANGING, { what: 'its own orders' });
  });

  test('a stop lets what runs end, leaves no order claimed, and loses none', async () => {
    await using it = await world({ onRedis, role: 'receiver' });
    const b = await it.bridge.connect();
    const worker = await alsoStart(it, { onRedis, role: 'worker', config: { concurrency: 2, timeouts: SLOW } });
    it.service.holdAnswers();
    await flood(it, b, 40);
    await until(async () => (await backlog(it.bridge.pool)).pending === 40, { what: 'all to be pending' });
    await until(() => it.service.requests('POST').length >= 2, { what: 'every place to be taken' });

    const stopped = worker[Symbol.asyncDispose]();
    it.service.letGo();
    await stopped;

    expect(it.service.living).toBeLessThan(20);
    expect(it.service.requests('POST')).toHaveLength(it.service.living);
    expect((await claimsIn(it)).filter(({ leased, openStep }) => leased || openStep !== null)).toEqual([]);
    await using _next = await alsoStart(it, { onRedis, role: 'worker' });
    await until(() => it.service.living === 40, { what: 'every order' });
    expect(it.service.requests('POST')).toHaveLength(40);
  });
});
