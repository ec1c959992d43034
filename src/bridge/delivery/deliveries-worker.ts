import type { Processor } from 'bullmq';
import { batcher } from '../../platform/batcher.ts';
import { comeAgain } from '../../platform/queue/come-again.ts';
import { AskLater } from './handle-uninstalled.ts';
import { type AcceptedDelivery, type DeliveriesJob, readDeliveriesJob } from './jobs.ts';
import type { PoisonDetector } from './poison-detector.ts';

export type DeliveriesDeps = {
  record(deliveries: readonly AcceptedDelivery[]): Promise<void>;
  /** Keeps a delivery that can't be recorded for a person. */
  sendToReview(delivery: AcceptedDelivery, failure: unknown): Promise<void>;
  poisonDetector: PoisonDetector;
  onRecorded(event: { deliveries: number; ms: number }): void;
  now(): number;
};

/** Jobs that are recorded in one transaction. */
const MOST_SHARED = 16;
const LINGER_MS = 12;
/** A store that can't be asked now is asked then. */
const LATER_MS = 3_000;

type Failed = { delivery: AcceptedDelivery; failure: unknown };

/**
 * The shell around `recordDeliveries`. Jobs that come while others are recorded go together into the next transaction. If a batch can't be recorded,
 * its deliveries are recorded one by one, so that a bad one blocks no other; it alone stays in its job, which is retried by itself. Those for which a
 * store is asked share nothing: others would wait for its answer.
 */
export function deliveriesProcessor(deps: DeliveriesDeps): Processor<DeliveriesJob, void> {
  const share = batcher(
    async (jobs: (readonly AcceptedDelivery[])[]) => {
      await together(deps, jobs.flat());
      return jobs.map(() => undefined);
    },
    { max: MOST_SHARED, parallel: 2, lingerMs: LINGER_MS },
  );
  return async (job, token) => {
    const { deliveries } = readDeliveriesJob(job.data);
    const began = deps.now();
    const quick = deliveries.filter((delivery) => !asksStore(delivery));
    const isRecorded = quick.length === 0 || (job.attemptsMade === 0 && (await succeeds(share(quick))));
    const failed = isRecorded ? [] : await apart(deps, quick);
    const unasked = await eachAlone(deps, deliveries.filter(asksStore));
    const later = unasked.filter(({ failure }) => failure instanceof AskLater);
    const left = await withoutReview(deps, [...failed, ...unasked.filter((one) => !later.includes(one))]);
    const kept = [...left, ...later];
    deps.onRecorded({ deliveries: deliveries.length - kept.length, ms: deps.now() - began });
    // If that fails, too, the others are recorded once more, which changes nothing.
    if (kept.length > 0 && kept.length < deliveries.length) await succeeds(job.updateData({ v: 1, deliveries: kept.map(({ delivery }) => delivery) }));
    const [first] = left;
    if (first !== undefined) throw first.failure;
    if (later.length > 0) await comeAgain(job, token, deps.now() + LATER_MS);
  };
}

/** Its store may be called before it is recorded. */
function asksStore({ normalized }: AcceptedDelivery): boolean {
  return normalized.kind === 'closed';
}

async function together({ record, poisonDetector }: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<void> {
  await record(deliveries);
  poisonDetector.recorded(deliveries.map(({ id }) => id));
}

/** Those of a job that can't be recorded. */
async function apart(deps: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<Failed[]> {
  if (deliveries.length > 1 && (await succeeds(together(deps, deliveries)))) return [];
  return eachAlone(deps, deliveries);
}

/** Those that can't be recorded. */
async function eachAlone(deps: DeliveriesDeps, deliveries: readonly AcceptedDelivery[]): Promise<Failed[]> {
  const results = await Promise.allSettled(deliveries.map((delivery) => together(deps, [delivery])));
  return deliveries.flatMap((delivery, at) => {
    const result = results[at];
    return result?.status === 'rejected' ? [{ delivery, failure: result.reason }] : [];
  });
}

/** Sends to review those that are to blame themselves. One that can't even be sent to review stays. */
async function withoutReview({ poisonDetector, sendToReview }: DeliveriesDeps, failed: readonly Failed[]): Promise<Failed[]> {
  const left: Failed[] = [];
  for (const one of failed) {
    const isInReview = poisonDetector.failed(one.delivery.id) && (await succeeds(sendToReview(one.delivery, one.failure)));
    if (!isInReview) left.push(one);
  }
  return left;
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
