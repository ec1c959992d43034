import { describe, expect, test } from 'vitest';
import { useKilledWorker } from '../support/kills/killed-worker.ts';
import { drawn } from '../support/run-size.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { blockAt, blockCommit, blockStep } from '../support/worlds/roadblock.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, totals } from '../support/worlds/world.ts';

// The other moments are in test/long/kill-matrix.test.ts.
describe.each(drawn(['supported', 'ignored'] as const))('a worker is killed; the service’s Idempotency-Key is %s', (keys) => {
  /** The state of an order whose create has no known outcome. */
  const afterUnknown = keys === 'supported' ? 'recorded' : 'unconfirmed';
  const killed = useKilledWorker(keys);

  test('when the claim of a page and its first steps are committed and nothing is sent', async () => {
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
    const { it, id, creates } = killed();
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
    const worker = killed();
    const { it, id, creates, deletes } = worker;
    await worker.recorded();
    await using block = await blockStep(it.databaseUrl, 3);
    await it.send(edited(id, 1, '30.00'));
    await block.reached();

    await it.killWorker();
    await block.cut();
    await block.lift();

    expect(totals(it.service, id)).toEqual([]);
    await it.worker();
    await worker.recordedOnce('30.00');
    expect([deletes(), creates()]).toEqual([1, 1]);
  });
});
