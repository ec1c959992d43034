import { batcher } from '../../platform/batcher.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { AcceptedDelivery, DeliveriesJob } from '../delivery/jobs.ts';
import { Failure } from '../order/facts/failure.ts';

export type EnqueueDeps = {
  /** Adds one job to `deliveries`; resolves when the queue has it for good. */
  add(job: DeliveriesJob): Promise<void>;
  /** False while the queue is known to be down: then it is not waited for. */
  queueIsUp(): boolean;
  /** Puts a delivery into the inbox table instead. */
  store(delivery: AcceptedDelivery): Promise<void>;
  onFallback(error: unknown): void;
  /** How long the queue, then the table, may take; together well below the 5 s that any storefront waits: after a 503 some never send it again. */
  queueMs?: number;
  storeMs?: number;
};

const MOST_PER_JOB = 64;
/** While webhooks keep coming, a job waits so long for more of them. */
const LINGER_MS = 2;
/** Bytes; a delivery with a larger body has a job of its own: 64 of the largest would be one of half a gigabyte. */
const MOST_SHARED = 64 * 1024;

/** `size`: bytes of its body as it came. Throws `Failure('intake.unavailable')`. */
export type Enqueue = (delivery: AcceptedDelivery, size: number) => Promise<void>;

/**
 * Hands deliveries to the queue; those that come while an add is under way share the next job.
 * If the queue is down, or could lose them, the inbox table takes them; if that is down, too: `Failure('intake.unavailable')`.
 */
export function createEnqueue({ add, queueIsUp, store, onFallback, queueMs = 900, storeMs = 2_000 }: EnqueueDeps): Enqueue {
  const share = batcher(
    async (deliveries: AcceptedDelivery[]) => {
      await withTimeout(queueMs, add({ v: 1, deliveries }));
      return deliveries.map(() => undefined);
    },
    { max: MOST_PER_JOB, parallel: 2, lingerMs: LINGER_MS },
  );

  return async (delivery, size) => {
    const began = performance.now();
    if (queueIsUp()) {
      try {
        return await withTimeout(queueMs, size > MOST_SHARED ? add({ v: 1, deliveries: [delivery] }) : share(delivery));
      } catch (error) {
        // The queue may have it all the same, now or later: the same delivery twice is one.
        onFallback(error);
      }
    }
    try {
      const { answerMs } = delivery;
      const waited = answerMs === undefined ? {} : { answerMs: answerMs + Math.round(performance.now() - began) };
      await withTimeout(storeMs, store({ ...delivery, ...waited }));
    } catch (cause) {
      throw new Failure('intake.unavailable', 'neither the queue nor the database takes the delivery; send it again', { cause, retryAfterMs: 5_000 });
    }
  };
}

/** `canKeep`: rejects while the last delivery could be kept nowhere, and `probe` says that none could be now. */
export type Keeping = { enqueue: Enqueue; canKeep(): Promise<void> };

/** Knows whether deliveries can be kept. `probe`: stores as much as a delivery takes; rejects if that is not possible. */
export function watchKeeping(enqueue: Enqueue, probe: () => Promise<void>): Keeping {
  let isRefusing = false;
  return {
    enqueue: async (delivery, size) => {
      try {
        await enqueue(delivery, size);
        isRefusing = false;
      } catch (thrown) {
        isRefusing = true;
        throw thrown;
      }
    },
    canKeep: async () => {
      if (!isRefusing) return;
      await probe();
      isRefusing = false;
    },
  };
}
