import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderOf } from '../support/bridge.ts';
import { Deployment } from '../support/deployment.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { blockStep, blockTable } from '../support/roadblock.ts';
import { until } from '../support/settled.ts';
import { edited, totals } from '../support/world.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

async function deploy(idempotencyKey: 'supported' | 'ignored' = 'supported'): Promise<Deployment> {
  await redis.flush();
  return Deployment.start({ databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, idempotencyKey });
}

/** Exactly one record, with the right money. */
async function recordedOnce(it: Deployment, total = '48.00'): Promise<void> {
  await until(() => totals(it.service, '1').join() === total, { what: `one record of ${total}`, timeoutMs: 15_000 });
  await it.settled('1', 'recorded');
  expect(totals(it.service, '1')).toEqual([total]);
}

const creates = ({ service }: Deployment) => service.requests('POST').length;
const deletes = ({ service }: Deployment) => service.requests('DELETE').length;

describe('a worker is killed', () => {
  test('before the delivery is recorded', async () => {
    await using it = await deploy();
    const worker = await it.startWorker();
    await using block = await blockTable(it.databaseUrl, 'orders');
    expect(await it.send(orderOf('1'))).toBe(200);
    await block.reached();

    await worker.kill();
    await block.cut();
    await block.lift();

    expect(await it.order('1')).toBeNull();
    await it.startWorker();
    await recordedOnce(it);
    expect(creates(it)).toBe(1);
  });

  test('when the facts are merged and nobody was told', async () => {
    await using it = await deploy();
    const worker = await it.startWorker();
    await using block = await blockTable(it.databaseUrl, 'deliveries');
    await it.send(orderOf('1'));
    await block.reached();

    await redis.kill();
    await block.lift();
    await until(() => it.order('1'), { what: 'the facts to be merged' });
    await worker.kill();
    await redis.start();

    expect(creates(it)).toBe(0);
    await it.startWorker();
    await recordedOnce(it);
    expect(creates(it)).toBe(1);
  });

  test('when the order is claimed and nothing is journaled', async () => {
    await using it = await deploy('ignored');
    const worker = await it.startWorker();
    await using block = await blockTable(it.databaseUrl, 'steps');
    await it.send(orderOf('1'));
    await block.reached();

    await worker.kill();
    await block.cut();
    await block.lift();

    expect((await it.order('1'))?.openStep).toBeNull();
    await it.startWorker();
    await recordedOnce(it);
  });

  test.each([
    ['supported', 'recorded', ['48.00']],
    ['ignored', 'unconfirmed', []],
  ] as const)('when the create is journaled and not sent (Idempotency-Key %s)', async (keys, state, standing) => {
    await using it = await deploy(keys);
    const worker = await it.startWorker();
    await using block = await blockTable(it.databaseUrl, 'steps');
    await it.send(orderOf('1'));
    await block.reached();

    // The statement outlives its sender, and is done when the way is free.
    await worker.kill();
    await block.lift();
    await until(async () => (await it.order('1'))?.openStep, { what: 'the step to be journaled' });

    expect(creates(it)).toBe(0);
    await it.startWorker();
    await it.settled('1', state);
    expect(totals(it.service, '1')).toEqual(standing);
  });

  test.each([
    ['supported', 'recorded'],
    ['ignored', 'unconfirmed'],
  ] as const)('when the service has recorded it and not answered (Idempotency-Key %s)', async (keys, state) => {
    await using it = await deploy(keys);
    const worker = await it.startWorker();
    it.service.holdAnswers();
    await it.send(orderOf('1'));
    await until(() => creates(it) === 1, { what: 'the create to arrive' });

    await worker.kill();
    it.service.letGo();

    await it.startWorker();
    await it.settled('1', state);
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test.each([
    ['supported', 'recorded'],
    ['ignored', 'unconfirmed'],
  ] as const)('when the answer has come and is not written down (Idempotency-Key %s)', async (keys, state) => {
    await using it = await deploy(keys);
    const worker = await it.startWorker();
    it.service.holdAnswers();
    await it.send(orderOf('1'));
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    await using block = await blockTable(it.databaseUrl, 'orders');
    it.service.letGo();
    await block.reached();

    await worker.kill();
    await block.cut();
    await block.lift();

    await it.startWorker();
    await it.settled('1', state);
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test.each(['supported', 'ignored'] as const)('between the delete and the create of a replacement (Idempotency-Key %s)', async (keys) => {
    await using it = await deploy(keys);
    const worker = await it.startWorker();
    await it.send(orderOf('1'));
    await recordedOnce(it);
    await using block = await blockStep(it.databaseUrl, 3);
    await it.send(edited('1', 1, '30.00'));
    await block.reached();

    await worker.kill();
    await block.cut();
    await block.lift();

    expect(totals(it.service, '1')).toEqual([]);
    await it.startWorker();
    await recordedOnce(it, '30.00');
    expect([deletes(it), creates(it)]).toEqual([1, 2]);
  });

  test('while the service deletes', async () => {
    await using it = await deploy('ignored');
    const worker = await it.startWorker();
    await it.send(orderOf('1'));
    await recordedOnce(it);
    it.service.holdAnswers();
    await it.send(edited('1', 1, '30.00'));
    await until(() => deletes(it) === 1, { what: 'the delete to arrive' });

    await worker.kill();
    it.service.letGo();

    await it.startWorker();
    await recordedOnce(it, '30.00');
  });

  test('while what stood before is put back, after a refused replacement', async () => {
    await using it = await deploy('ignored');
    const worker = await it.startWorker();
    await it.send(orderOf('1'));
    await recordedOnce(it);
    await using block = await blockStep(it.databaseUrl, 4);
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });
    await it.send(edited('1', 1, '30.00'));
    await block.reached();

    await worker.kill();
    await block.cut();
    await block.lift();

    expect(totals(it.service, '1')).toEqual([]);
    await it.startWorker();
    const order = await it.settled('1', 'parked');
    expect(order.parked?.code).toBe('replacement.refused');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('while what stood before is put back, and the order is edited once more', async () => {
    await using it = await deploy('ignored');
    const worker = await it.startWorker();
    await it.send(orderOf('1'));
    await recordedOnce(it);
    await using block = await blockStep(it.databaseUrl, 4);
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });
    await it.send(edited('1', 1, '30.00'));
    await block.reached();

    await worker.kill();
    await block.cut();
    await block.lift();

    await it.send(edited('1', 2, '36.00'));
    await it.startWorker();
    await recordedOnce(it, '36.00');
  });
});
