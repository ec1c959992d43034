import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs, SEED } from '../support/run-size.ts';
import { addressOf, post } from '../support/samples/signed-webhooks.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, later, totals } from '../support/worlds/world.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

const KILLS = runs(1, 4);
const SALES = runs(12, 60);

/** mulberry32: the same storm for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Sale = { id: string; events: Record<string, unknown>[]; total: string | null };

/** One order's life; `total` is what must be recorded in the end. */
function sale(id: string, dice: () => number): Sale {
  const edits = Math.floor(dice() * 4);
  const prices = Array.from({ length: edits }, () => `${10 + Math.floor(dice() * 80)}.${10 + Math.floor(dice() * 90)}`);
  const events = [orderOf(id), ...prices.map((price, n) => edited(id, n + 1, price))];
  const end = dice();
  const last = events.at(-1) ?? {};
  const total = prices.at(-1) ?? '48.00';
  if (end < 0.25) {
    const refunds = [{ id: 'r1', at: later(30), amount: total }];
    return { id, events: [...events, { ...last, updatedAt: later(30), refunds }], total: null };
  }
  if (end < 0.5) {
    const refunds = [{ id: 'r1', at: later(30), amount: '5.00', lines: [{ lineId: 'a', quantity: 0, amount: '5.00' }] }];
    return { id, events: [...events, { ...last, updatedAt: later(30), refunds }], total: (Number(total) - 5).toFixed(2) };
  }
  return { id, events, total };
}

function shuffled<T>(items: readonly T[], dice: () => number): T[] {
  return items
    .map((item) => ({ item, place: dice() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

describe('a storm', () => {
  test(`${SALES} orders in disorder, with duplicates, while the worker is killed again and again (seed ${SEED})`, async () => {
    const dice = random(SEED);
    await redis.flush();
    await using it = await Deployment.start({ databaseUrl: await postgres.createDatabase('bridge'), redisUrl: redis.url, delayMs: 15 });
    const sales = Array.from({ length: SALES }, (_, n) => sale(String(n + 1), dice));
    const deliveries = shuffled(
      [...sales, ...sales].flatMap(({ events }) => events),
      dice,
    );

    let worker = await it.startWorker();
    const share = Math.ceil(deliveries.length / (KILLS + 1));
    for (let kills = 0; kills <= KILLS; kills += 1) {
      const seen = it.service.seen.length;
      // Half of the kills meet what has no answer yet, whatever the speed of the machine.
      const isHeld = kills < KILLS && (kills === 0 || dice() < 0.5);
      if (isHeld) it.service.holdAnswers();
      const answers = await Promise.all(deliveries.slice(kills * share, (kills + 1) * share).map((order) => it.send(order)));
      expect(new Set(answers)).toEqual(new Set([200]));
      if (kills === KILLS) break;
      await until(() => it.service.seen.length > seen, { what: 'work to be under way' });
      await worker.kill();
      it.service.letGo();
      worker = await it.startWorker();
    }

    const wanted = Object.fromEntries(sales.map(({ id, total }) => [id, total === null ? [] : [total]]));
    const current = () => Object.fromEntries(sales.map(({ id }) => [id, totals(it.service, id)]));
    await until(() => expect(current()).toEqual(wanted) ?? true, { what: 'each order to have its one record' });
    for (const { id, total } of sales) await it.settled(id, total === null ? 'removed' : 'recorded');
    expect(current()).toEqual(wanted);
  });
});

describe('SIGTERM', () => {
  test('takes webhooks while `/readyz` says that it stops, finishes what runs, and exits with 0; nothing that was accepted is lost', async () => {
    await redis.flush();
    await using it = await Deployment.start({ databaseUrl: await postgres.createDatabase('bridge'), redisUrl: redis.url, delayMs: 150 });
    const env = { STOP_DELAY_SECONDS: '4' };
    const program = () =>
      startKillable({ databaseUrl: it.databaseUrl, redisUrl: redis.url, complianceUrl: it.service.url, idempotencyKey: 'ignored', role: 'all', env });
    const first = await program();
    const send = async (id: string): Promise<number> => {
      const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(id) } });
      return (await post(addressOf(first.url, it.connected), body, standardHeaders(it.connected.secret, body))).status;
    };

    const answers: number[] = [];
    const sending = (async () => {
      while (answers.at(-1) !== 0) answers.push(await send(String(answers.length + 1)).catch(() => 0));
    })();
    await until(() => it.service.seen.length > 10, { what: 'work to be under way' });
    const stopping = first.stop();
    await until(async () => (await fetch(`${first.url}/readyz`)).status === 503, { what: 'it to say that it stops' });
    const [atReady, response] = [answers.length, await fetch(`${first.url}/readyz`)];
    expect(await response.json()).toMatchObject({ ready: false, failedChecks: ['shutting down'] });
    expect(response.headers.get('connection')).toBe('close');
    const stopped = await stopping;
    await sending;

    expect(stopped.code).toBe(0);
    expect(stopped.ms).toBeGreaterThan(4_000);
    expect(stopped.ms).toBeLessThan(60_000);
    // Until it listens no more, none is refused.
    expect(answers.slice(0, -1).filter((answer) => answer !== 200)).toEqual([]);
    expect(answers.length - atReady).toBeGreaterThan(1);
    await using _second = await program();
    const accepted = answers.flatMap((answer, n) => (answer === 200 ? [String(n + 1)] : []));
    expect(accepted.length).toBeGreaterThan(10);
    await until(() => accepted.every((id) => it.service.current(id).length > 0), { what: 'all that was accepted to be recorded' });
    for (const id of accepted) await it.settled(id, 'recorded');
    expect(accepted.map((id) => it.service.current(id).length)).toEqual(accepted.map(() => 1));
  });
});
