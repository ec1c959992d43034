import type { Worker } from 'bullmq';
import { deliveriesRecorded, fetchFailed, jobFailed, probeFailed, rowUnreadable, sweeperNotScheduled, swept } from '../bridge/bridge-events.ts';
import { deliveriesProcessor } from '../bridge/delivery/deliveries-worker.ts';
import { eraseFromJobs } from '../bridge/delivery/erase-jobs.ts';
import { type EraseDeps, erasePersonalData } from '../bridge/delivery/erase-personal-data.ts';
import { DELIVERIES, MAINTENANCE, SUBMISSIONS } from '../bridge/delivery/jobs.ts';
import { keepSweeping, maintenanceProcessor, probeAt, sweepSoon } from '../bridge/delivery/maintenance-worker.ts';
import type { Scope } from '../bridge/delivery/pauses.ts';
import { probe } from '../bridge/delivery/probe.ts';
import { type RecorderLedger, recordDeliveries } from '../bridge/delivery/record-deliveries.ts';
import { createStoreLane, type StoreLane } from '../bridge/delivery/store-lane.ts';
import { submissionsProcessor } from '../bridge/delivery/submissions-worker.ts';
import { sweep } from '../bridge/delivery/sweep.ts';
import { probeCandidates, stampTried, takeBehind } from '../bridge/ledger/behind-store.ts';
import { dropOldBodies, noteDelivery } from '../bridge/ledger/delivery-store.ts';
import { moveInbox, rewriteInbox } from '../bridge/ledger/inbox-store.ts';
import { ordersOfRefund } from '../bridge/ledger/orders-of-refund.ts';
import { connectionsOf, eraseFromLedger, eraseUnread, storeExport } from '../bridge/ledger/privacy-store.ts';
import { dashboardSummary, recordOrders } from '../bridge/ledger/record-store.ts';
import { admitDelivery } from '../bridge/ledger/store-hosts.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import type { Core } from './core.ts';
import { noteVisit } from './note-visit.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import type { Submitter } from './submitter.ts';

export type WorkersOptions = { core: Core; queues: Queues; metrics: Metrics; submitter: Submitter };

/** How long workers may take to finish their jobs; below the 30 s that a supervisor gives. */
const FINISH_MS = 20_000;
/** While more is behind than the queue may hold. */
const SWEEP_AGAIN_MS = 1_000;
const RECORDERS = 8;

/** Starts recorder, submitter and sweeper. Disposing takes no new job, finishes running ones, and returns to the queue those that do not finish in time. */
export function startWorkers(options: WorkersOptions): AsyncDisposable {
  const { core, queues, metrics, submitter } = options;
  const { config, log } = core;
  const ledger = recorderLedger(options);
  const lane = storeLane(options);
  const workers: Worker[] = [
    queues.system.worker(
      DELIVERIES,
      deliveriesProcessor({
        record: (deliveries) =>
          recordDeliveries(
            {
              ...{ ledger, storefronts, wake: queues.wake, settleSeconds: config.settleSeconds },
              connection: submitter.connection,
              onMerged: (count) => counted(metrics, count),
            },
            deliveries,
          ),
        onRecorded: (recorded) => deliveriesRecorded(log, recorded),
        now: Date.now,
      }),
      { concurrency: RECORDERS },
    ),
    queues.system.worker(
      SUBMISSIONS,
      submissionsProcessor({
        visit: (orderId, signal) => submitter.visit({ orderId }, signal),
        wake: queues.wake,
        fetchLater: (order) => lane.add(order),
        now: Date.now,
        onDone: (done) => noteVisit({ log, metrics }, done),
      }),
      { concurrency: config.concurrency },
    ),
    queues.system.worker(
      MAINTENANCE,
      maintenanceProcessor({ sweep: () => sweep(sweepDeps(options)), probe: (scope) => probe(probeDeps(options, lane), scope) }),
      {
        concurrency: 2,
      },
    ),
  ] as Worker[];
  for (const worker of workers) worker.on('failed', (job, err) => jobFailed(log, { queue: worker.name, job: job?.id, attempt: job?.attemptsMade, err }));
  const keeper = keepSweeper(options);
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(keeper);
      await Promise.all([lane[Symbol.asyncDispose](), ...workers.map((worker) => queues.system.finish(worker, FINISH_MS))]);
    },
  };
}

function storeLane({ core: { log }, queues, metrics, submitter }: WorkersOptions): StoreLane {
  return createStoreLane({
    visit: (orderId, { fetches, signal }) => submitter.visit({ orderId, fetches }, signal),
    wake: queues.wake,
    now: Date.now,
    random: Math.random,
    onDone: (done) => noteVisit({ log, metrics }, done),
    onFailed: (orderId, err) => fetchFailed(log, { orderId, err }),
    finishMs: FINISH_MS,
  });
}

/** The scheduler lives in the queue; if the queue loses everything, it is created again. */
function keepSweeper({ core: { config, log }, queues }: WorkersOptions): NodeJS.Timeout {
  const everyMs = config.sweepSeconds * 1000;
  const keep = () => keepSweeping(queues.maintenance, everyMs).catch((err: unknown) => sweeperNotScheduled(log, err));
  void keep();
  return setInterval(keep, everyMs).unref();
}

function counted(metrics: Metrics, { merged, duplicates }: { merged: number; duplicates: number }): void {
  metrics.merged.inc(merged);
  metrics.duplicates.inc(duplicates);
}

function recorderLedger({ core, queues }: WorkersOptions): RecorderLedger {
  const { pool, connections } = core;
  return {
    recordOrders: (items) => recordOrders(pool, items),
    ordersOfRefund: (store, refundId) => ordersOfRefund(pool, store, refundId),
    note: (noted) => noteDelivery(pool, noted),
    pinStore: (id, store) => connections.pinStore(id, store),
    admit: (unknown) => admitDelivery(pool, unknown),
    warn: (id, kind, words) => connections.warn(id, kind, words),
    endWarning: (id, kind) => connections.endWarning(id, kind),
    close: (id) => connections.close(id),
    privacy: async ({ connection, store, request, ownIds }) => {
      const orderIds = request.action === 'redact-shop' ? null : request.orderIds;
      const scope = { shopId: connection.shopId, platform: connection.platform, store, orderIds };
      if (request.action === 'export') return storeExport(pool, scope, { connectionId: connection.id, requestId: request.requestId });
      await erasePersonalData(eraseDeps(pool, queues), scope, ownIds);
    },
  };
}

function eraseDeps(pool: Pool, { deliveries }: Queues): EraseDeps {
  return {
    connectionsOf: (scope) => connectionsOf(pool, scope),
    rewriteInbox: (connectionIds, rewrite) => rewriteInbox(pool, connectionIds, rewrite),
    eraseFromJobs: (concern, ownIds) => eraseFromJobs(deliveries, concern, ownIds),
    eraseUnread: (scope) => eraseUnread(pool, scope),
    eraseFromLedger: (scope) => eraseFromLedger(pool, scope),
  };
}

function sweepDeps({ core, queues, metrics }: WorkersOptions) {
  const { pool, config, log, destinations } = core;
  return {
    moveInbox: (size: number) =>
      moveInbox(pool, {
        size,
        add: (deliveries) => queues.addDeliveries({ v: 1, deliveries }),
        onUnreadable: (err, parked) => rowUnreadable(log, err, parked),
      }),
    takeBehind: (page: { size: number; graceMs: number }) => takeBehind(pool, page),
    submissionsWaiting: async () => {
      const counts = await queues.submissions.getJobCounts('waiting', 'active');
      return (counts['waiting'] ?? 0) + (counts['active'] ?? 0);
    },
    wake: queues.wake,
    sweepAgain: () => sweepSoon(queues.maintenance, SWEEP_AGAIN_MS),
    retryFailed: () => retryFailed(queues),
    probeOverdue: async () => {
      for (const { destinationId, shopId, lane, until } of await destinations.pauses()) {
        if (Date.parse(until) + config.sweepSeconds * 1000 < Date.now()) await probeAt(queues.maintenance, { destinationId, shopId, lane }, 0);
      }
    },
    dropOldBodies: () => dropOldBodies(pool, config.keepDeliveriesDays),
    graceMs: config.sweepSeconds * 1000,
    onSwept: (counts: { inbox: number; behind: number; failed: number }) => {
      for (const [what, count] of Object.entries(counts)) metrics.swept.inc({ what }, count);
      swept(log, counts);
    },
  };
}

async function retryFailed({ deliveries, submissions }: Queues): Promise<number> {
  let count = 0;
  for (const queue of [deliveries, submissions]) {
    const { failed = 0 } = await queue.getJobCounts('failed');
    if (failed > 0) await queue.retryJobs({ state: 'failed', count: 500 });
    count += failed;
  }
  return count;
}

function probeDeps({ core: { pool, destinations }, submitter, metrics, core }: WorkersOptions, lane: StoreLane) {
  return {
    candidates: (scope: Scope, size: number) => probeCandidates(pool, scope, size),
    tried: (orderId: number) => stampTried(pool, orderId),
    visit: async (orderId: number) => {
      let sent = false;
      const began = Date.now();
      const visited = await submitter.visit({
        orderId,
        probe: true,
        onSent: () => {
          sent = true;
        },
      });
      noteVisit({ log: core.log, metrics }, { orderId, ms: Date.now() - began, visited });
      return { visited, sent };
    },
    fetchLater: (orderId: number, host: string) => lane.add({ orderId, host, summary: dashboardSummary({ snapshot: null }) }),
    resume: async (scope: Scope) => {
      await destinations.resume(scope);
    },
    onFailed: (orderId: number, err: unknown) => probeFailed(core.log, { orderId, err }),
  };
}
