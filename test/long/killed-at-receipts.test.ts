import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { receiptOf } from '../support/worlds/receipts.ts';
import { blockStep } from '../support/worlds/roadblock.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, totals } from '../support/worlds/world.ts';

describe('a worker is killed', () => {
  let postgres: TestPostgres;
  let redis: TestRedis;
  let it: Deployment;
  let orders = 0;
  let id: string;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
    it = await Deployment.start({ databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, settings: { receipts: true } });
  });
  afterAll(async () => {
    await it[Symbol.asyncDispose]();
    await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
  });
  beforeEach(async () => {
    await it.worker();
    orders += 1;
    id = String(orders);
  });

  const receiptIs = (state: 'due' | 'got') => receiptOf(it.receiver, it.connected, [id, state]);
  const asked = () => it.service.receiptsAsked.filter((orderId) => orderId === it.service.current(id)[0]?.id).length;

  test('when the service has given the receipt and not answered: it is requested again, under the same step', async () => {
    await it.send(orderOf(id));
    await receiptIs('got');
    it.service.next('receipt', { hangMs: 3_000 });
    await it.send(edited(id, 1, '30.00'));
    await until(() => totals(it.service, id).join() === '30.00' && asked() === 1, { what: 'the receipt of the edit to be requested' });

    await it.killWorker();

    expect((await receiptIs('due')).state).toBe('recorded');
    await it.worker();
    const order = await receiptIs('got');
    expect([asked(), totals(it.service, id)]).toEqual([2, ['30.00']]);
    expect((await it.receiver.steps(order)).slice(-2)).toMatchObject([
      { kind: 'create', attempts: 1 },
      { kind: 'receipt', attempts: 2, outcome: 'receipt-got' },
    ]);
  });

  async function killedBeforeReceipt(): Promise<void> {
    await using block = await blockStep(it.databaseUrl, 2);
    await it.send(orderOf(id));
    await block.reached();
    await it.killWorker();
    await block.cut();
    await block.lift();
  }

  test('between the create and its receipt: the receipt is requested', async () => {
    await killedBeforeReceipt();

    expect((await receiptIs('due')).state).toBe('recorded');
    expect(asked()).toBe(0);
    await it.worker();
    await receiptIs('got');
    expect([asked(), totals(it.service, id)]).toEqual([1, ['48.00']]);
  });

  test('between them, and an edit comes: the receipt is of the final record', async () => {
    await killedBeforeReceipt();
    const before = it.service.current(id)[0]?.id;

    await it.send(edited(id, 1, '30.00'));
    await it.worker();

    await until(() => totals(it.service, id).join() === '30.00', { what: 'the edit to be recorded' });
    await receiptIs('got');
    expect(asked()).toBe(1);
    expect(it.service.receiptsAsked.filter((orderId) => orderId === before).length).toBeLessThanOrEqual(1);
  });
});
