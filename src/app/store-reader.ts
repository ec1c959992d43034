import { setTimeout as delay } from 'node:timers/promises';
import type { Queue } from 'bullmq';
import { storeReadAnew, storeSynced } from '../bridge/bridge-events.ts';
import { SCOPES_WARNING } from '../bridge/connections/connection.ts';
import { knownSummaries, noteHanded } from '../bridge/ledger/sync/known-summaries.ts';
import { addStores, beginReading, createReadingLedger, readSoon } from '../bridge/ledger/sync/sync-store.ts';
import { noteUnread } from '../bridge/ledger/sync/unread-orders.ts';
import { type OpenStoreDeps, openReadableStore } from '../bridge/reconciliation/open-readable-store.ts';
import { readConnection } from '../bridge/reconciliation/read-connection.ts';
import type { ReadPageDeps } from '../bridge/reconciliation/read-page.ts';
import type { ReadConnectionDeps } from '../bridge/reconciliation/reading-deps.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import { storefrontOf } from '../bridge/storefronts/registry.ts';
import { DONE, each, type JobEnd, type Run, whole } from '../platform/jobs/job-kind.ts';
import type { Job } from '../platform/jobs/job-store.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { Core } from './core.ts';
import { noteStoreApi } from './note-warnings.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { openReadingCalls, openStoreKeys } from './store-access.ts';

export type StoreReaderOptions = { core: Core; queues: Queues; metrics: Metrics; storefronts: Storefronts };

/** A store is read on when little is queued. Orders that wait in the ledger cost no memory, and a backlog of one merchant must not keep the stores of others unread. */
const MOST_DELIVERIES = 200;
const LOOK_MS = 250;
const QUEUE_MS = 5_000;

/** Reads the stores of this deployment when they are due, and hands over what is unknown or stale here. */
export function syncRuns(options: StoreReaderOptions): Record<'sync' | 'sync-stores', Run> {
  const { core, storefronts } = options;
  const { pool } = core;
  const deps = readingDeps(options);
  const platforms = Object.values(storefronts).flatMap(({ name, api }) => (api?.changedSince === undefined ? [] : [name]));
  let hasBegun = false;
  return {
    'sync-stores': whole(async () => {
      if (!hasBegun) await readSoon(pool, deps.periodMs);
      hasBegun = true;
      await addStores(pool, { platforms, periodMs: deps.periodMs });
    }),
    sync: each((job, signal) => read({ core, storefronts, deps }, job, signal)),
  };
}

/** How a page is compared with the ledger, and handed over. */
export function readPageDeps({ core, queues }: Pick<StoreReaderOptions, 'core' | 'queues'>): ReadPageDeps {
  const { pool } = core;
  return {
    knownSummaries: (connection, orderIds) => knownSummaries(pool, connection, orderIds),
    handOver: async (deliveries) => {
      await noteHanded(pool, deliveries);
      await queues.keepDeliveries({ v: 1, deliveries });
    },
    noteUnread: (connectionId, summaries) => noteUnread(pool, connectionId, summaries),
    now: Date.now,
  };
}

/** How stores are opened for reading. */
export function openStoreDeps(core: Pick<Core, 'config' | 'log' | 'pool' | 'sealer' | 'appCache'>): OpenStoreDeps {
  return { stores: openReadingCalls(core), ...openStoreKeys(core), now: Date.now };
}

function readingDeps(options: StoreReaderOptions): Omit<ReadConnectionDeps, 'ledger'> {
  const { core, queues, metrics } = options;
  const opening = openStoreDeps(core);
  return {
    page: readPageDeps(options),
    open: (given) => openReadableStore(opening, given),
    capacity: (signal) => capacity(queues, signal),
    noteStoreApi: async (id, refusal) => {
      await noteStoreApi(core, id, refusal);
      if (refusal === null) await core.connections.endWarning(id, SCOPES_WARNING);
    },
    periodMs: core.config.reconcileSeconds * 1000,
    now: Date.now,
    random: Math.random,
    onSynced: (event) => storeSynced(core.log, event),
    onAnew: (event) => storeReadAnew(core.log, event),
    onPage: ({ unknown, stale, missed }) => {
      for (const [what, count] of Object.entries({ unknown, stale, missed })) metrics.readOrders.inc({ what }, count);
    },
  };
}

type Wired = Pick<StoreReaderOptions, 'core' | 'storefronts'> & { deps: Omit<ReadConnectionDeps, 'ledger'> };

async function read({ core, storefronts, deps }: Wired, { key: id, lease }: Job, signal: AbortSignal): Promise<JobEnd> {
  const connection = await core.cache.fresh(id);
  const api = connection === null ? undefined : storefrontOf(storefronts, connection.platform).api;
  if (connection === null || connection.closedAt !== null || api?.changedSince === undefined) return DONE;
  // Its key does not open, which is a warning of its own.
  if (connection.access === null) return { is: 'again', ms: deps.periodMs };
  const reading = await beginReading(core.pool, id, lease);
  const ledger = createReadingLedger(core.pool, lease);
  return readConnection({ ...deps, ledger }, reading, { connection, access: connection.access, api, signal });
}

async function capacity({ deliveries }: Queues, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    if ((await waiting(deliveries)) < MOST_DELIVERIES) return;
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** A queue that is down takes nothing. */
async function waiting(queue: Pick<Queue, 'getJobCounts'>): Promise<number> {
  const counts = await withTimeout(QUEUE_MS, queue.getJobCounts('waiting', 'prioritized', 'active')).catch(() => null);
  return counts === null ? Number.POSITIVE_INFINITY : Object.values(counts).reduce((sum, count) => sum + count, 0);
}
