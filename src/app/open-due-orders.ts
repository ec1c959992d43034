import { attemptFailed, claimFailed } from '../bridge/attempt-events.ts';
import { ConcurrencyLimiter } from '../bridge/delivery/concurrency-limiter.ts';
import { createDueOrders, type DueOrders } from '../bridge/delivery/due-orders.ts';
import type { FirstAttempts } from '../bridge/delivery/record-deliveries.ts';
import type { StoreCallQueue } from '../bridge/delivery/store-call-queue.ts';
import { createDueLedger } from '../bridge/ledger/due-store.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import { noteAttempt } from './note-attempt.ts';
import type { Queues } from './queues.ts';
import { FINISH_SHARE, type WorkersOptions } from './worker-options.ts';

const PAUSED_MS = 1_000;

type Around = { storeCalls: StoreCallQueue; onAbandoned(orders: number): void };

/** Processes orders when they are due, wired. */
export function openDueOrders({ core, queues, metrics, submitter }: WorkersOptions, { storeCalls, onAbandoned }: Around): DueOrders {
  const { pool, cache, config, log, stop } = core;
  const due = createDueOrders({
    ledger: createDueLedger(pool, { leaseMs: config.leaseSeconds * 1000, plan: submitter.firstStep }),
    attempt: submitter.processClaimed,
    destinationOf: async (connectionId) => (await cache.get(connectionId).catch(() => null))?.destinationId ?? '',
    limiter: new ConcurrencyLimiter({ concurrency: config.concurrency, now: () => performance.now() }),
    isPaused: pausedOf(queues),
    somePause: submitter.somePause,
    fetchLater: (order) => storeCalls.add(order),
    now: Date.now,
    random: Math.random,
    onDone: (done) => noteAttempt({ log, metrics }, done),
    onAbandoned,
    onFailed: (failed) => attemptFailed(log, failed),
    onClaimFailed: (err) => claimFailed(log, err),
    finishMs: () => stop.shareMs(FINISH_SHARE),
  });
  queues.onNotify(due.soon);
  return due;
}

export function firstAttempts({ core: { config }, submitter }: WorkersOptions, due: DueOrders): FirstAttempts {
  const leaseMs = config.leaseSeconds * 1000;
  return {
    async capacity() {
      const capacity = await due.capacity();
      return capacity === null ? null : { ...capacity, leaseMs, now: Date.now(), plan: submitter.firstStep };
    },
    take: (orders) => due.take(orders),
  };
}

/** Whether somebody paused the queue; while it does not answer, as it was last. */
function pausedOf({ submissions, system }: Queues): () => Promise<boolean> {
  let isPaused = false;
  return async () => {
    if (system.isUp) isPaused = await withTimeout(PAUSED_MS, submissions.isPaused()).catch(() => isPaused);
    return isPaused;
  };
}

export function counter(): { add(by: number): void; take(): number } {
  let count = 0;
  return {
    add: (by) => {
      count += by;
    },
    take: () => {
      const taken = count;
      count = 0;
      return taken;
    },
  };
}
