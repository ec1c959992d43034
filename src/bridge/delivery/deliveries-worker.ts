import type { Processor } from 'bullmq';
import { batcher } from '../../platform/batcher.ts';
import type { Blame } from './blame.ts';
import { type AcceptedDelivery, type DeliveriesJob, readDeliveriesJob } from './jobs.ts';

export type DeliveriesDeps = {
  record(deliveries: readonly AcceptedDelivery[]): Promise<void>;
  /** Keeps a delivery that can't be recorded for a person. */
  park(delivery: AcceptedDelivery, failure: unknown): Promise<void>;
  blame: Blame;
  onRecorded(event: { deliveries: number; ms: number }): void;
  now(): number;
};

/** Jobs that are recorded in one transaction. */
const MOST_SHARED = 16;
const LINGER_MS = 12;

type Failed = { delivery: AcceptedDelivery; failure: unknown };

/**
 * The shell around `recordDeliveries`. Jobs that come while others are recorded go together into the next transaction. If a batch can't be recorded,
 * its deliveries are recorded one by one, so that a bad one blocks no other; it alone stays in its job, which is retried by itself.
 */
export function deliveriesProcessor(deps: DeliveriesDeps): Processor<DeliveriesJob, void> {
  const share = batcher(
    async (jobs: (readonly AcceptedDelivery[])[]) => {
      await together(deps, jobs.flat());
      return jobs.map(() => undefined);
    },
    { max: MOST_SHARED, parallel: 2, lingerMs: LINGER_MS },
  );
  return async (job) => {
    const { deliveries } = readDeliveriesJob(job.data);
    const began = deps.now();
    const isRecorded = job.attemptsMade === 0 && (await succeeds(share(deliveries)));
    const left = isRecorded ? [] : await withoutParked(deps, await apart(deps, deliveries));
    deps.onRecorded({ deliveries: deliveries.length - left.length, ms: deps.now() - began });
    const [first] = left;
    if (first === undefined) return;
    // If that fails, too, the others are recorded once more, which changes nothing.
    if (left.length < deliveries.length) await succeeds(job.updateData({ v: 1, deliveries: left.map(({ delivery }) => delivery) }));
    throw first.failure;
  };
}

async function together({ record, blame }: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<void> {
  await record(deliveries);
  blame.recorded(deliveries.map(({ id }) => id));
}

/** Those of a job that can't be recorded. */
async function apart(deps: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<Failed[]> {
  if (deliveries.length > 1 && (await succeeds(together(deps, deliveries)))) return [];
  const results = await Promise.allSettled(deliveries.map((delivery) => together(deps, [delivery])));
  return deliveries.flatMap((delivery, at) => {
    const result = results[at];
    return result?.status === 'rejected' ? [{ delivery, failure: result.reason }] : [];
  });
}

/** Parks those that are to blame themselves. One that can't even be parked stays. */
async function withoutParked({ blame, park }: DeliveriesDeps, failed: readonly Failed[]): Promise<Failed[]> {
  const left: Failed[] = [];
  for (const one of failed) {
    const isParked = blame.failed(one.delivery.id) && (await succeeds(park(one.delivery, one.failure)));
    if (!isParked) left.push(one);
  }
  return left;
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
