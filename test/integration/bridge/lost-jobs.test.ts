import { expect, test } from 'vitest';
import { createAddDeliveries, createPoisonDetector, deliveriesProcessor } from '../../../src/bridge/delivery/deliveries-worker.ts';
import { createFairScheduler } from '../../../src/bridge/delivery/fair-scheduler.ts';
import { type AcceptedDelivery, DELIVERIES, type DeliveriesJob } from '../../../src/bridge/delivery/jobs.ts';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { until } from '../../support/worlds/settled.ts';

const delivery = (n: number): AcceptedDelivery => ({
  ...{ id: `00000000-0000-4000-8000-00000000000${n}`, connectionId: 'c1', arrivedAt: '2026-11-21T03:00:00.000Z', topic: 'order.updated' },
  ...{ platformDeliveryId: null, store: null, body: 'x', normalized: { kind: 'ignored', why: 'a test' } },
});

test('when Redis loses a job that a worker has, what is left of that is not written into a job that came later', async () => {
  await using redis = await startRedis();
  await using system = new QueueSystem({ backend: { kind: 'redis', url: redis.url }, stalledMs: 2_000, onError: () => undefined });
  const add = createAddDeliveries(system.queue<DeliveriesJob>(DELIVERIES), createFairScheduler({ perSecond: 10, now: Date.now }));
  const recorded: string[] = [];
  const [begun, lost] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const process = deliveriesProcessor({
    record: async (deliveries) => {
      begun.resolve();
      await lost.promise;
      if (deliveries.some(({ id }) => id === delivery(2).id)) throw new Error('refused');
      recorded.push(...deliveries.map(({ id }) => id));
    },
    sendToReview: async () => undefined,
    poisonDetector: createPoisonDetector(Date.now),
    onRecorded: () => undefined,
    now: Date.now,
  });
  system.worker<DeliveriesJob>(DELIVERIES, process, { concurrency: 1 });
  await add({ v: 1, deliveries: [delivery(1), delivery(2)] });
  await begun.promise;

  await redis.flush();
  await add({ v: 1, deliveries: [delivery(3)] });
  lost.resolve();

  await until(() => recorded.includes(delivery(3).id), { what: 'the later one to be recorded' });
  expect(recorded).toEqual([delivery(1).id, delivery(3).id]);
});
