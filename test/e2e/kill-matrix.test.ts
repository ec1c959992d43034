import { describe, expect, test } from 'vitest';
import { type KilledWorker, useKilledWorker } from '../support/kills/killed-worker.ts';
import { longTest } from '../support/long-test.ts';
import { drawn } from '../support/run-size.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { blockAt, blockCommit, blockStep } from '../support/worlds/roadblock.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, totals } from '../support/worlds/world.ts';

describe.each(drawn(['supported', 'ignored'] as const))('a worker is killed; the service’s Idempotency-Key is %s', (keys) => {
  const honours = keys === 'supported';
  /** The state of an order whose create has no known outcome. */
  const afterUnknown = honours ? 'recorded' : 'unconfirmed';
  const killed = useKilledWorker(keys);

  /** The service has recorded the order, and holds its answer. */
  async function createHeld({ it, id, creates }: KilledWorker): Promise<void> {
    it.service.holdAnswers();
    await it.send(orderOf(id));
    await until(() => creates() === 1, { what: 'the create to arrive' });
  }

  /** A replacement is refused, and the worker killed before it puts the previous record back. */
  async function killedAtPuttingBack(worker: KilledWorker): Promise<void> {
    const { it, id } = worker;
    await worker.recorded();
    await using block = await blockStep(it.databaseUrl, 4);
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });
    await it.send(edited(id, 1, '30.00'));
    await worker.killAt(block);
  }

  longTest('when the claim of a page and its first steps are committed and nothing is sent', async () => {
    const worker = killed();
    const { it, id, creates, deletes } = worker;
    await worker.recorded();
    await using block = await blockCommit(it.databaseUrl);
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    await it.killWorker();
    await block.lift();
    const step = await until(async () => (await it.order(id))?.openStep, { what: 'the step to be journaled' });
    expect([step?.kind, deletes(), totals(it.service, id)]).toEqual(['delete', 0, ['48.00']]);
    await it.worker();
    await worker.recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  test('when the answer has come and is not written', async () => {
    const worker = killed();
    const { it, id } = worker;
    await createHeld(worker);
    await using block = await blockAt(it.databaseUrl, 'write');
    it.service.letGo();
    await worker.killAt(block);

    await it.worker();
    await it.settled(id, afterUnknown);
    expect(totals(it.service, id)).toEqual(['48.00']);
  });

  test('between the delete and the create of a replacement', async () => {
    const worker = killed();
    const { it, id, creates, deletes } = worker;
    await worker.recorded();
    await using block = await blockStep(it.databaseUrl, 3);
    await it.send(edited(id, 1, '30.00'));
    await worker.killAt(block);

    expect(totals(it.service, id)).toEqual([]);
    await it.worker();
    await worker.recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  longTest('before the delivery is recorded', async () => {
    const worker = killed();
    const { it, id, creates } = worker;
    await using block = await blockAt(it.databaseUrl, 'merge');
    expect(await it.send(orderOf(id))).toBe(200);
    await worker.killAt(block);

    expect(await it.order(id)).toBeNull();
    await it.worker();
    await worker.recordedOnce();
    expect(creates()).toBe(1);
  });

  longTest('before a new order is recorded, claimed and begun, which is one transaction', async () => {
    const worker = killed();
    const { it, id, creates } = worker;
    await using block = await blockCommit(it.databaseUrl);
    await it.send(orderOf(id));
    await worker.killAt(block);

    expect([await it.order(id), creates()]).toEqual([null, 0]);
    await it.worker();
    await worker.recordedOnce();
    expect(creates()).toBe(1);
  });

  longTest('when a new order is recorded, claimed and begun, and nothing is sent', async () => {
    const { it, id, creates } = killed();
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

  longTest('when the facts are merged, the queue is down, and the order is being claimed', async () => {
    const worker = killed();
    const { it, id, redis, creates, deletes } = worker;
    await worker.recorded();
    await using merging = await blockAt(it.databaseUrl, 'merged');
    await using claiming = await blockAt(it.databaseUrl, 'begin');
    await it.send(edited(id, 1, '30.00'));
    await merging.reached();

    await redis.kill();
    await merging.lift();
    await worker.killAt(claiming);
    await redis.start();

    expect([(await it.order(id))?.openStep, deletes()]).toEqual([null, 0]);
    await it.worker();
    await worker.recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  longTest('before the claim of a page and its first steps are committed', async () => {
    const worker = killed();
    const { it, id, creates, deletes } = worker;
    await worker.recorded();
    await using block = await blockAt(it.databaseUrl, 'begin');
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    // The statement outlives its sender, and is undone: nobody commits it.
    await it.killWorker();
    await block.lift();

    expect(deletes()).toBe(0);
    await it.worker();
    await worker.recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });

  longTest('when the service has recorded it and not answered', async () => {
    const worker = killed();
    const { it, id } = worker;
    await createHeld(worker);

    await it.killWorker();
    it.service.letGo();

    await it.worker();
    await it.settled(id, afterUnknown);
    expect(totals(it.service, id)).toEqual(['48.00']);
  });

  longTest('while the service deletes', async () => {
    const worker = killed();
    const { it, id, deletes } = worker;
    await worker.recorded();
    it.service.holdAnswers();
    await it.send(edited(id, 1, '30.00'));
    await until(() => deletes() === 1, { what: 'the delete to arrive' });

    await it.killWorker();
    it.service.letGo();

    await it.worker();
    await worker.recordedOnce('30.00');
  });

  longTest('while the previous record is put back, after a refused replacement', async () => {
    const worker = killed();
    const { it, id } = worker;
    await killedAtPuttingBack(worker);

    expect(totals(it.service, id)).toEqual([]);
    await it.worker();
    const order = await it.settled(id, 'review');
    expect(order.review?.code).toBe('replacement.refused');
    expect(totals(it.service, id)).toEqual(['48.00']);
  });

  longTest('while the previous record is put back, and the order is edited once more', async () => {
    const worker = killed();
    const { it, id } = worker;
    await killedAtPuttingBack(worker);

    await it.send(edited(id, 2, '36.00'));
    await it.worker();
    await worker.recordedOnce('36.00');
  });
});
