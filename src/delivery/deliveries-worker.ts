import type { Processor } from 'bullmq';
import { type AcceptedDelivery, type DeliveriesJob, readDeliveriesJob } from './delivery-job.ts';

export type DeliveriesDeps = {
  record(deliveries: readonly AcceptedDelivery[]): Promise<void>;
  onRecorded(event: { deliveries: number; ms: number }): void;
  now(): number;
};

/** The shell around `recordDeliveries`. If a batch can't be recorded, each of it is tried alone, so that one bad delivery blocks no other. */
export function deliveriesProcessor(deps: DeliveriesDeps): Processor<DeliveriesJob, void> {
  return async (job) => {
    const { deliveries } = readDeliveriesJob(job.data);
    const began = deps.now();
    try {
      await deps.record(deliveries);
    } catch (thrown) {
      if (deliveries.length === 1) throw thrown;
      for (const result of await Promise.allSettled(deliveries.map((delivery) => deps.record([delivery])))) {
        if (result.status === 'rejected') throw result.reason;
      }
    }
    deps.onRecorded({ deliveries: deliveries.length, ms: deps.now() - began });
  };
}
