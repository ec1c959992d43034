import { attemptFailed, claimFailed, fetchFailed, orderProcessed, probeFailed } from '../bridge/bridge-events.ts';
import { ConcurrencyLimiter } from '../bridge/delivery/concurrency-limiter.ts';
import { createDueOrders, type DueOrders } from '../bridge/delivery/due-orders.ts';
import type { Scope } from '../bridge/delivery/pauses.ts';
import type { Processed } from '../bridge/delivery/process-order.ts';
import { createStoreCallQueue, type StoreCallQueue } from '../bridge/delivery/store-call-queue.ts';
import { createDueLedger } from '../bridge/ledger/orders/due-orders.ts';
import { probeCandidates, stampTried } from '../bridge/ledger/orders/pending-orders.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import type { Submitter } from './submitter.ts';
import { tracedAttempts } from './traced.ts';

export type AttemptParts = { core: Core; queues: Queues; metrics: Metrics; submitter: Submitter };

/** How long jobs and attempts may take to finish when the process stops. */
export const FINISH_SHARE = { mostMs: 20_000, keepMs: 8_500 };

export function storeCallQueue({ core, queues, metrics, submitter }: AttemptParts): StoreCallQueue {
  const { log, stop } = core;
  return createStoreCallQueue({
    traced: tracedAttempts(core),
    attempt: (orderId, { fetches, signal }) => submitter.attempt({ orderId, fetches }, signal),
    notify: queues.notify,
    now: Date.now,
    random: Math.random,
    onDone: (done) => noteAttempt({ ...core, metrics }, done),
    onFailed: (orderId, err) => fetchFailed(log, { orderId, err }),
    finishMs: () => stop.shareMs(FINISH_SHARE),
  });
}

type WorkerParts = { storeCalls: StoreCallQueue; onAbandoned(orders: number): void };

/** Processes orders when they are due, wired. */
export function openDueOrders({ core, queues, metrics, submitter }: AttemptParts, { storeCalls, onAbandoned }: WorkerParts): DueOrders {
  const { pool, cache, config, log, stop, traces } = core;
  const due = createDueOrders({
    ledger: createDueLedger(pool, { leaseMs: config.leaseSeconds * 1000, plan: submitter.firstStep }),
    traced: tracedAttempts(core),
    attempt: submitter.processClaimed,
    destinationOf: async (connectionId) => (await cache.get(connectionId).catch(() => null))?.destinationId ?? '',
    limiter: new ConcurrencyLimiter({ concurrency: config.concurrency, now: () => performance.now() }),
    isPaused: pausedOf(core, queues),
    somePause: submitter.somePause,
    fetchLater: (order) => storeCalls.add(order),
    now: Date.now,
    random: Math.random,
    onDone: (done) => noteAttempt({ log, metrics, traces }, done),
    onAbandoned,
    onFailed: (failed) => attemptFailed(log, failed),
    onClaimFailed: (err) => claimFailed(log, err),
    finishMs: () => stop.shareMs(FINISH_SHARE),
  });
  queues.onNotify(due.soon);
  return due;
}

const PAUSED_MS = 1_000;

/** Whether somebody paused the queue; while it does not answer, as it was last. And whether nothing may be recorded. */
function pausedOf({ recording }: Core, { submissions, system }: Queues): () => Promise<boolean> {
  let isPaused = false;
  return async () => {
    if (recording.isStopped) return true;
    if (system.isUp) isPaused = await withTimeout(PAUSED_MS, submissions.isPaused()).catch(() => isPaused);
    return isPaused;
  };
}

export function probeDeps({ core: { pool, destinations }, submitter, metrics, core }: AttemptParts, storeCalls: StoreCallQueue) {
  const traced = tracedAttempts(core);
  return {
    candidates: (scope: Scope, size: number) => probeCandidates(pool, scope, size),
    tried: (orderId: number) => stampTried(pool, orderId),
    attempt: (orderId: number) =>
      traced(orderId, async () => {
        let sent = false;
        const began = Date.now();
        const processed = await submitter.attempt({
          orderId,
          probe: true,
          onSent: () => {
            sent = true;
          },
        });
        noteAttempt({ ...core, metrics }, { orderId, ms: Date.now() - began, processed });
        return { processed, sent };
      }),
    fetchLater: (orderId: number, host: string) => storeCalls.add({ orderId, host }),
    resume: async (scope: Scope) => {
      await destinations.resume(scope);
    },
    onFailed: (orderId: number, err: unknown) => probeFailed(core.log, { orderId, err }),
  };
}

type NotedIn = Pick<Core, 'log' | 'traces'> & { metrics: Metrics };

/** One attempt at an order, for metrics, its trace and the log. */
export function noteAttempt({ log, metrics, traces }: NotedIn, done: { orderId: number; ms: number; processed: Processed }): void {
  const { processed } = done;
  traces?.note({ 'orderbridge.outcome': processed.kind === 'rest' ? processed.state : processed.kind });
  if (processed.kind === 'rest' && processed.recordedMs !== null) metrics.recorded.observe(processed.recordedMs / 1000);
  orderProcessed(log, done);
}
