import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { createEnqueue, type EnqueueDeps } from '../../../../src/bridge/intake/enqueue.ts';

const delivery: AcceptedDelivery = {
  ...{ id: '0198c1de-0000-7000-8000-000000000000', connectionId: 'c1', arrivedAt: '2026-11-01T10:00:00.000Z', topic: 'order.paid' },
  ...{ platformDeliveryId: null, store: null, body: '', normalized: { kind: 'ignored', why: 'unpaid' } },
};

/** Where the queue is down, and the table takes it after so many ms; null: never. */
function enqueued(afterMs: number | null): Promise<void> {
  const store: EnqueueDeps['store'] = () => (afterMs === null ? new Promise(() => undefined) : sleep(afterMs));
  return createEnqueue({ add: () => Promise.reject(new Error('down')), queueIsUp: () => false, store, onFallback: () => undefined })(delivery, 2);
}

test('a delivery that the table takes after a second is kept; one that it does not take is refused before a storefront gives up', async () => {
  const began = performance.now();
  const [slow, never] = await Promise.allSettled([enqueued(1_000), enqueued(null)]);

  expect(slow).toEqual({ status: 'fulfilled', value: undefined });
  expect(never).toMatchObject({ status: 'rejected', reason: { code: 'intake.unavailable' } });
  expect(performance.now() - began).toBeLessThan(5_000);
});
