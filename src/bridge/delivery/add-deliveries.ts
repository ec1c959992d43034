import type { Queue } from 'bullmq';
import type { FairScheduler } from './fair-scheduler.ts';
import { type AcceptedDelivery, DELIVERIES, type DeliveriesJob } from './jobs.ts';

export type AddDeliveries = (job: DeliveriesJob) => Promise<void>;

/** Queues deliveries; those whose connections have the same turn stay in one job. */
export function createAddDeliveries(queue: Queue<DeliveriesJob>, scheduler: Pick<FairScheduler, 'take'>): AddDeliveries {
  return async ({ deliveries }) => {
    const jobs = byPriority(deliveries, scheduler).map(([priority, shared]) => ({
      name: DELIVERIES,
      data: { v: 1, deliveries: shared } satisfies DeliveriesJob,
      opts: { priority },
    }));
    // One by one: adding in bulk makes two temporary tables on PostgreSQL, which takes as long as ten jobs do.
    await Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
  };
}

function byPriority(deliveries: readonly AcceptedDelivery[], scheduler: Pick<FairScheduler, 'take'>): [number, AcceptedDelivery[]][] {
  const ofConnection = Map.groupBy(deliveries, ({ connectionId }) => connectionId);
  const ofPriority = Map.groupBy(ofConnection, ([connectionId, own]) =>
    scheduler.take(
      connectionId,
      own.map(({ id }) => id),
    ),
  );
  return [...ofPriority].map(([priority, connections]) => [priority, connections.flatMap(([, own]) => own)]);
}
