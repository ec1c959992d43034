import type { Processor } from 'bullmq';
import { batcher } from '../../platform/batcher.ts';
import { type AcceptedDelivery, type DeliveriesJob, readDeliveriesJob } from './jobs.ts';

export type DeliveriesDeps = {
  record(deliveries: readonly AcceptedDelivery[]): Promise<void>;
  onRecorded(event: { deliveries: number; ms: number }): void;
  now(): number;
};

/** Jobs that are recorded in one transaction. */
const MOST_SHARED = 8;

/**
 * The shell around `recordDeliveries`. Jobs that come while others are recorded go together into the next transaction.
 * If a batch can't be recorded, its deliveries are recorded one by one, so that a bad one blocks no other.
 */
export function deliveriesProcessor(deps: DeliveriesDeps): Processor<DeliveriesJob, void> {
  const share = batcher(
    async (jobs: (readonly AcceptedDelivery[])[]) => {
      await deps.record(jobs.flat());
      return jobs.map(() => undefined);
    },
    { max: MOST_SHARED, parallel: 2 },
  );
  return async (job) => {
    const { deliveries } = readDeliveriesJob(job.data);
    const began = deps.now();
    try {
      await share(deliveries);
    } catch {
      for (const result of await Promise.allSettled(deliveries.map((delivery) => deps.record([delivery])))) {
        if (result.status === 'rejected') throw result.reason;
      }
    }
    deps.onRecorded({ deliveries: deliveries.length, ms: deps.now() - began });
  };
}
