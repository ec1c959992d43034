import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { blockAt, blockCommit, blockStep } from '../support/worlds/roadblock.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, totals } from '../support/worlds/world.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

describe.each(['supported', 'ignored'] as const)('a worker is killed; the service’s Idempotency-Key is %s', (keys) => {
  const honours = keys === 'supported';
  /** The state of an order whose create has no known outcome. */
  const afterUnknown = honours ? 'recorded' : 'unconfirmed';
  let it: Deployment;
  let orders = 0;
  let id: string;
  let seen: { creates: number; deletes: number };

  // The worker that comes after a killed one is the next test's to kill.
  beforeAll(async () => {
    await redis.flush();
    it = await Deployment.start({ databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, idempotencyKey: keys });
  });
  afterAll(() => it[Symbol.asyncDispose]());
  beforeEach(async () => {
    await it.worker();
    orders += 1;
    id = String(orders);
    seen = { creates: 0, deletes: 0 };
    seen = { creates: creates(), deletes: deletes() };
  });

  const creates = () => it.service.requests('POST').length - seen.creates;
  const deletes = () => it.service.requests('DELETE').length - seen.deletes;

  /** Exactly one record, with the right money. */
  async function recordedOnce(total = '48.00'): Promise<void> {
    await until(() => totals(it.service, id).join() === total, { what: `one record of ${total}`, timeoutMs: 15_000 });
    await it.settled(id, 'recorded');
    expect(totals(it.service, id)).toEqual([total]);
  }

  async function recorded(): Promise<void> {
    await it.send(orderOf(id));
    await recordedOnce();
    seen = { creates: creates() + seen.creates, deletes: deletes() + seen.deletes };
  }

  test('before the delivery is recorded', async () => {
    await using block = await blockAt(it.databaseUrl, 'merge');
    expect(await it.send(orderOf(id))).toBe(200);
    await block.reached();

    await it.killWorker();
    await block.cut();
    await block.lift();

    expect(await it.order(id)).toBeNull();
    await it.worker();
    await recordedOnce();
    expect(creates()).toBe(1);
  });

  test('before a new order is recorded, claimed and begun, which is one transaction', async () => {
    await using block = await blockCommit(it.databaseUrl);
    await it.send(orderOf(id));
    await block.reached();
    expect(await it.order(id)).toBeNull();

    await it.killWorker();
    await block.cut();
    await block.lift();

    expect([await it.order(id), creates()]).toEqual([null, 0]);
    await it.worker();
    await recordedOnce();
    expect(creates()).toBe(1);
  });

  test('when a new order is recorded, claimed and begun, and nothing is sent', async () => {
    await using block = await blockCommit(it.databaseUrl);
    await it.send(orderOf(id));
    await block.reached();

    // The commit outlives its sender, and is done when the way is free.
    await it.killWorker();
    await block.lift();
    const step = await until(async () => (await it.order(id))?.openStep, { what: 'order and step to be in the ledger' });
    expect([step?.kind, creates()]).toEqual(['create', 0]);
    await it.worker();
    await it.settled(id, afterUnknown);
    expect(totals(it.service, id)).toEqual(honours ? ['48.00'] : []);
  });

  test('when the facts are merged, the queue is down, and the order is being claimed', async () => {
    await recorded();
    await using merging = await blockAt(it.databaseUrl, 'merged');
    await using claiming = await blockAt(it.databaseUrl, 'begin');
    await it.send(edited(id, 1, '30.00'));
    await merging.reached();

    await redis.kill();
    await merging.lift();
    await claiming.reached();
    await it.killWorker();
    await claiming.cut();
    await claiming.lift();
    await redis.start();

    expect([(await it.order(id))?.openStep, deletes()]).toEqual([null, 0]);
    await it.worker();
    await recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  test('before the claim of a page and its first steps are committed', async () => {
    await recorded();
    await using block = await blockAt(it.databaseUrl, 'begin');
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    // The statement outlives its sender, and is undone: nobody commits it.
    await it.killWorker();
    await block.lift();

    expect(deletes()).toBe(0);
    await it.worker();
    await recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  test('when the claim of a page and its first steps are committed and nothing is sent', async () => {
    await recorded();
    await using block = await blockCommit(it.databaseUrl);
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    await it.killWorker();
    await block.lift();
    const step = await until(async () => (await it.order(id))?.openStep, { what: 'the step to be journaled' });
    expect([step?.kind, deletes(), totals(it.service, id)]).toEqual(['delete', 0, ['48.00']]);
    await it.worker();
    await recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  test('when the service has recorded it and not answered', async () => {
    it.service.holdAnswers();
    await it.send(orderOf(id));
    await until(() => creates() === 1, { what: 'the create to arrive' });

    await it.killWorker();
    it.service.letGo();

    await it.worker();
    await it.settled(id, afterUnknown);
    expect(totals(it.service, id)).toEqual(['48.00']);
  });

  test('when the answer has come and is not written', async () => {
    it.service.holdAnswers();
    await it.send(orderOf(id));
    await until(() => creates() === 1, { what: 'the create to arrive' });
    await using block = await blockAt(it.databaseUrl, 'write');
    it.service.letGo();
    await block.reached();

    await it.killWorker();
    await block.cut();
    await block.lift();

    await it.worker();
    await it.settled(id, afterUnknown);
    expect(totals(it.service, id)).toEqual(['48.00']);
  });

  test('between the delete and the create of a replacement', async () => {
    await recorded();
    await using block = await blockStep(it.databaseUrl, 3);
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    await it.killWorker();
    await block.cut();
    await block.lift();

    expect(totals(it.service, id)).toEqual([]);
    await it.worker();
    await recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  test('while the service deletes', async () => {
    await recorded();
    it.service.holdAnswers();
    await it.send(edited(id, 1, '30.00'));
    await until(() => deletes() === 1, { what: 'the delete to arrive' });

    await it.killWorker();
    it.service.letGo();

    await it.worker();
    await recordedOnce('30.00');
  });

  test('while the previous record is put back, after a refused replacement', async () => {
    await recorded();
    await using block = await blockStep(it.databaseUrl, 4);
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    await it.killWorker();
    await block.cut();
    await block.lift();

    expect(totals(it.service, id)).toEqual([]);
    await it.worker();
    const order = await it.settled(id, 'parked');
    expect(order.parked?.code).toBe('replacement.refused');
    expect(totals(it.service, id)).toEqual(['48.00']);
  });

  test('while the previous record is put back, and the order is edited once more', async () => {
    await recorded();
    await using block = await blockStep(it.databaseUrl, 4);
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    await it.killWorker();
    await block.cut();
    await block.lift();

    await it.send(edited(id, 2, '36.00'));
    await it.worker();
    await recordedOnce('36.00');
  });
});
