import type { Worker } from 'bullmq';
import {
  attemptFailed,
  claimFailed,
  deliveriesRecorded,
  deliveryUnrecordable,
  fetchFailed,
  jobFailed,
  orderProcessed,
  probeFailed,
  uninstalledLate,
} from '../bridge/bridge-events.ts';
import { ConcurrencyLimiter } from '../bridge/delivery/concurrency-limiter.ts';
import { createPoisonDetector, type DeliveriesDeps, deliveriesProcessor, recordUnqueued, unrecordableWords } from '../bridge/delivery/deliveries-worker.ts';
import { createDueOrders, type DueOrders } from '../bridge/delivery/due-orders.ts';
import { handleUninstalled, type UninstalledDeps } from '../bridge/delivery/handle-uninstalled.ts';
import { type AcceptedDelivery, DELIVERIES, MAINTENANCE } from '../bridge/delivery/jobs.ts';
import { maintenanceProcessor } from '../bridge/delivery/maintenance-worker.ts';
import type { Scope } from '../bridge/delivery/pauses.ts';
import { probe } from '../bridge/delivery/probe.ts';
import type { Processed } from '../bridge/delivery/process-order.ts';
import { type FirstAttempts, type RecorderLedger, recordDeliveries } from '../bridge/delivery/record-deliveries.ts';
import { openDelivery } from '../bridge/delivery/sealed-delivery.ts';
import { createStoreCallQueue, type StoreCallQueue } from '../bridge/delivery/store-call-queue.ts';
import { storeKeysMark } from '../bridge/ledger/connections/store-tokens.ts';
import { noteDelivery } from '../bridge/ledger/deliveries/delivery-store.ts';
import { admitDelivery } from '../bridge/ledger/deliveries/store-hosts.ts';
import { createDueLedger } from '../bridge/ledger/orders/due-orders.ts';
import { probeCandidates, stampTried } from '../bridge/ledger/orders/pending-orders.ts';
import { ordersOfRefund } from '../bridge/ledger/orders/read-orders.ts';
import { recordOrders } from '../bridge/ledger/orders/record-store.ts';
import { erase } from '../bridge/ledger/privacy/erasures.ts';
import { storeExport } from '../bridge/ledger/privacy/privacy-exports.ts';
import { forgetRefusal } from '../bridge/ledger/sync/store-calls.ts';
import { storeMeans } from '../bridge/store-api/store-means.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { quiet } from '../platform/rate-limit.ts';
import { UnreadableJob } from '../platform/unreadable-job.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { openStoreCalls, openStoreKeys } from './store-access.ts';
import type { Submitter } from './submitter.ts';
import type { SweepParts } from './sweeper.ts';
import { tracedAttempts, tracedRecord } from './traced.ts';

const RECORDERS = 64;

type Workers = AsyncDisposable & Pick<SweepParts, 'takenOver' | 'record'>;

/** Starts recorder and submitter. Disposing takes no new job, finishes running ones, and returns to the queue those that do not finish in time. */
export function startWorkers(options: WorkersOptions): Workers {
  const { core, queues, metrics } = options;
  const { log } = core;
  const storeCalls = storeCallQueue(options);
  const takenOver = counter();
  const due = openDueOrders(options, { storeCalls, onAbandoned: takenOver.add });
  const recording = recordingDeps(options, due);
  const workers: Worker[] = [
    queues.system.worker(DELIVERIES, deliveriesProcessor(recording), { concurrency: RECORDERS }),
    queues.system.worker(
      MAINTENANCE,
      maintenanceProcessor((scope) => probe(probeDeps(options, storeCalls), scope)),
      { concurrency: 2 },
    ),
  ] as Worker[];
  for (const worker of workers) {
    worker.on('failed', (job, err) => {
      if (err instanceof UnreadableJob) metrics.unreadable.inc({ queue: worker.name });
      jobFailed(log, { queue: worker.name, job: job?.id, attempt: job?.attemptsMade, err });
    });
  }
  return {
    takenOver: takenOver.take,
    record: recordBesideQueue(core, recording),
    async [Symbol.asyncDispose]() {
      const finished = workers.map((worker) => queues.system.finish(worker, core.stop.shareMs(FINISH_SHARE)));
      due.close();
      // The last deliveries may have begun attempts.
      await Promise.all([storeCalls[Symbol.asyncDispose](), ...finished]).finally(() => due[Symbol.asyncDispose]());
    },
  };
}

function recordBesideQueue({ log }: Core, recording: DeliveriesDeps): SweepParts['record'] {
  const onFailed = quiet((err: Error) => jobFailed(log, { queue: DELIVERIES, job: undefined, err }));
  return async (deliveries) => {
    const { left, failed } = await recordUnqueued(recording, deliveries);
    const [first] = failed;
    if (first !== undefined) onFailed(new Error(`delivery ${first.delivery.id} of the inbox can’t be recorded`, { cause: first.failure }));
    return left;
  };
}

function storeCallQueue({ core, queues, metrics, submitter }: WorkersOptions): StoreCallQueue {
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

function recordingDeps(options: WorkersOptions, due: DueOrders): DeliveriesDeps {
  const { core, queues, metrics, submitter } = options;
  const { config, log } = core;
  const ledger = recorderLedger(options);
  const onMerged = (count: { merged: number; duplicates: number }) => counted(metrics, count);
  const deps = {
    ledger,
    storefronts,
    connection: submitter.connection,
    notify: queues.notify,
    firstAttempts: firstAttempts(options, due),
    uninstalled: handleUninstalled(uninstalledDeps(core)),
    quietSeconds: config.quietSeconds,
    now: Date.now,
    onMerged,
  };
  return {
    record: tracedRecord(core.traces, async (deliveries) => {
      await recordDeliveries(
        deps,
        deliveries.map((delivery) => openDelivery(core.sealer, delivery)),
      );
      for (const { connectionId, id } of deliveries) queues.scheduler.done(connectionId, id);
    }),
    sendToReview: async (delivery, failure) => {
      await sendUnrecordableToReview(core, delivery, failure);
      queues.scheduler.done(delivery.connectionId, delivery.id);
    },
    poisonDetector: createPoisonDetector(Date.now),
    onRecorded: (recorded) => deliveriesRecorded(log, recorded),
    now: Date.now,
  };
}

async function sendUnrecordableToReview({ pool, log }: Core, delivery: AcceptedDelivery, failure: unknown): Promise<void> {
  const detail = unrecordableWords(delivery, failure);
  await noteDelivery(pool, { delivery, outcome: 'review', code: 'delivery.unrecordable', detail });
  deliveryUnrecordable(log, { delivery: delivery.id, connection: delivery.connectionId, detail });
}

function counted(metrics: Metrics, { merged, duplicates }: { merged: number; duplicates: number }): void {
  metrics.merged.inc(merged);
  metrics.duplicates.inc(duplicates);
}

function recorderLedger({ core }: WorkersOptions): RecorderLedger {
  const { pool, connections } = core;
  return {
    recordOrders: (items, firstAttempts) => recordOrders(pool, items, { firstAttempts }),
    ordersOfRefund: (store, refundId) => ordersOfRefund(pool, store, refundId),
    note: (noted) => noteDelivery(pool, noted),
    pinStore: (id, store) => connections.pinStore(id, store),
    connectionsOfStore: (platform, host) => connections.findByStore(platform, host),
    admit: (unknown) => admitDelivery(pool, unknown),
    warn: (id, kind, words) => connections.warn(id, kind, words),
    endWarning: (id, kind) => connections.endWarning(id, kind),
    privacy: async ({ connection, store, request, arrivedAt }) => {
      const orderIds = request.action === 'redact-shop' ? null : request.orderIds;
      const scope = { shopId: connection.shopId, platform: connection.platform, store, orderIds, until: arrivedAt };
      if (request.action === 'export') return storeExport(pool, scope, { connectionId: connection.id, requestId: request.requestId });
      await erase(pool, scope);
    },
  };
}

function probeDeps({ core: { pool, destinations }, submitter, metrics, core }: WorkersOptions, storeCalls: StoreCallQueue) {
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

type WorkersOptions = { core: Core; queues: Queues; metrics: Metrics; submitter: Submitter };

/** How long jobs and attempts may take to finish when the process stops. */
const FINISH_SHARE = { mostMs: 20_000, keepMs: 8_500 };

const PAUSED_MS = 1_000;

type WorkerParts = { storeCalls: StoreCallQueue; onAbandoned(orders: number): void };

/** Processes orders when they are due, wired. */
function openDueOrders({ core, queues, metrics, submitter }: WorkersOptions, { storeCalls, onAbandoned }: WorkerParts): DueOrders {
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

function firstAttempts({ core: { config }, submitter }: WorkersOptions, due: DueOrders): FirstAttempts {
  const leaseMs = config.leaseSeconds * 1000;
  return {
    async capacity(orders) {
      const capacity = await due.capacity(orders);
      return capacity === null ? null : { ...capacity, leaseMs, now: Date.now(), plan: submitter.firstStep };
    },
    take: (orders, slots) => due.take(orders, slots),
  };
}

/** Whether somebody paused the queue; while it does not answer, as it was last. And whether nothing may be recorded. */
function pausedOf({ recording }: Core, { submissions, system }: Queues): () => Promise<boolean> {
  let isPaused = false;
  return async () => {
    if (recording.isStopped) return true;
    if (system.isUp) isPaused = await withTimeout(PAUSED_MS, submissions.isPaused()).catch(() => isPaused);
    return isPaused;
  };
}

type NotedIn = Pick<Core, 'log' | 'traces'> & { metrics: Metrics };

function counter(): { add(by: number): void; take(): number } {
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

/** One attempt at an order, for metrics, its trace and the log. */
export function noteAttempt({ log, metrics, traces }: NotedIn, done: { orderId: number; ms: number; processed: Processed }): void {
  const { processed } = done;
  traces?.note({ 'orderbridge.outcome': processed.kind === 'rest' ? processed.state : processed.kind });
  if (processed.kind === 'rest' && processed.recordedMs !== null) metrics.recorded.observe(processed.recordedMs / 1000);
  orderProcessed(log, done);
}

/** By what a word that an app was uninstalled is held against the store itself. */
export function uninstalledDeps(core: Core): UninstalledDeps {
  const { connections, log, pool } = core;
  const keys = openStoreKeys(core);
  return {
    storefronts,
    connection: (id) => connections.find(id),
    mark: (id) => storeKeysMark(pool, id),
    stores: openStoreCalls(core),
    forgetRefusal: (store) => forgetRefusal(pool, store),
    means: (connection, fetchJson, signal) => storeMeans(connection, { fetchJson, now: Date.now(), signal, ...keys }),
    close: (id) => connections.close(id),
    closeIfStill: (id, mark) => connections.closeIfStill(id, mark),
    onLetIn: (connectionId) => uninstalledLate(log, connectionId),
    now: Date.now,
  };
}
