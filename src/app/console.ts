import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import { requestFailed } from '../bridge/bridge-events.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import { type Became, whatBecame } from '../bridge/ledger/run-store.ts';
import { type StoreFigures, storeFigures } from '../bridge/ledger/store-figures.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import type { ConnectRouters } from '../connect/connect-routers.ts';
import type { ConsoleDeps, RecentStores, StoreDeps } from '../console/base/console-deps.ts';
import { consoleRouter } from '../console/console-router.ts';
import { type DashboardPass, dashboardPass } from '../console/dashboard-pass.ts';
import { orderWarnings } from '../operations/connections/order-warnings.ts';
import type { CountedRuns } from '../operations/desk/show-run.ts';
import type { PausableQueue } from '../operations/health/queue-states.ts';
import type { BackfillDeps } from '../operations/reconciliation/backfill.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { openComplianceAccess } from './compliance-access.ts';
import { openComplianceClient } from './compliance-client.ts';
import { openConnect } from './connect.ts';
import { openEntry } from './console-entry.ts';
import type { Core } from './core.ts';
import type { Queues } from './queues.ts';
import { openReconcile, storeOpener } from './reconcile-access.ts';
import { readPageDeps } from './reconciler.ts';
import { openRecordAccess } from './record-access.ts';
import { createStoreFetch } from './store-fetch.ts';
import type { Verdicts } from './verdicts.ts';
import { watchDeps } from './watchdog.ts';
import { receiverUrl, webhookBase } from './webhook-base.ts';

const MOST_RUNS = 20;
const COUNTED_RUN_MS = 15_000;
const KNOWN_RUN_MS = 3_600_000;
/** How long somebody who looks at a large run waits for a fresher count. */
const RUN_WAIT_MS = 40;

type ConsoleParts = {
  core: Core;
  queues: Queues;
  every: readonly PausableQueue[];
  verdicts: Verdicts;
  service: ComplianceService | null;
  isStopping(): boolean;
};

/** `merchants`: the pages by which they connect their stores. `pass`: who of those who are signed in may see the dashboard of the queues. */
export type Console = { router: Router; pass: DashboardPass; merchants: ConnectRouters };

/** The pages for people, wired to what they show and do. */
export async function openConsole(parts: ConsoleParts, resources: AsyncDisposableStack): Promise<Console> {
  const { log } = parts.core;
  const deps = await consoleDeps(parts, resources);
  return {
    router: consoleRouter({ deps, log: { failed: (error, about) => requestFailed(log, error, about) } }),
    pass: dashboardPass(deps),
    merchants: openConnect(parts.core, deps),
  };
}

export async function consoleDeps({ core, queues, every, verdicts, ...rest }: ConsoleParts, resources: AsyncDisposableStack): Promise<ConsoleDeps> {
  const { pool, config, connections, destinations, apps } = core;
  const records = resources.use(await openRecordAccess(core));
  const compliance = resources.use(await openComplianceAccess(core));
  const client = resources.use(openComplianceClient(config));
  const { maintenance, notify, addDeliveries } = queues;
  return {
    ...{ pool, config, connections, destinations, apps, notify, addDeliveries, records, compliance, client, ...rest },
    entry: openEntry(core, resources),
    queues: every,
    runs: countedRuns(core),
    probe: (scope) => probeAt(maintenance, scope, 0),
    stores: storeDeps(core, queues, resources),
    ...openBackground(core, resources),
    readVerdict: verdicts.read,
    now: () => new Date(),
  };
}

const BEHIND_ANSWER = { method: 'POST', client: null, requestId: 'background' };
const BACKGROUND_SHARE = { mostMs: 10_000, keepMs: 5_000 };

/** What goes on behind answers ends by itself when the process stops; the connections that it uses are closed after it. */
function openBackground({ log, stop }: Core, resources: AsyncDisposableStack): Pick<ConsoleDeps, 'background' | 'stop'> {
  const stopping = new AbortController();
  const going = new Set<Promise<unknown>>();
  resources.defer(() => stop.wait('work behind pages', Promise.all(going), BACKGROUND_SHARE));
  resources.defer(() => stopping.abort());
  const background = (work: Promise<unknown>) => {
    const ended = work.catch((err: unknown) => requestFailed(log, err, BEHIND_ANSWER)).finally(() => going.delete(ended));
    going.add(ended);
  };
  return { background, stop: stopping.signal };
}

const SAID_MS = 60_000;
const COUNTED_MS = 10_000;

/** How long somebody waits whose press asks a store. */
const ASKED_MS = 20_000;

function storeDeps(core: Core, queues: Queues, resources: AsyncDisposableStack): StoreDeps {
  const { config } = core;
  const stop = new AbortController();
  resources.defer(() => stop.abort());
  const openStore = storeOpener(core, () => AbortSignal.any([stop.signal, AbortSignal.timeout(ASKED_MS)]));
  const reading = { ...readPageDeps({ core, queues }), openStore };
  const base = () => webhookBase(config);
  return {
    ...{ storefronts, watch: watchDeps(core, storefronts), fetchJson: createStoreFetch(config), base, recent: recentStores(core), reading },
    openReading: async (by, signal) => {
      const moveRecordFrom: BackfillDeps['moveRecordFrom'] = (...moved) => core.connections.moveRecordFrom(...moved);
      return { ...(await openReconcile(core, queues, { signal, by })), moveRecordFrom };
    },
    receiver: () => receiverUrl(config),
  };
}

/** Each order of a run is looked up: one of 100,000 takes seconds, for which no page waits, and which are not spent at each look. */
function countedRuns({ pool }: Core): CountedRuns {
  const fresh = new AnswerCache<Became[]>({ size: MOST_RUNS, freshMs: () => COUNTED_RUN_MS, now: Date.now });
  const known = new AnswerCache<Became[]>({ size: MOST_RUNS, freshMs: () => KNOWN_RUN_MS, now: Date.now });
  return {
    became(id) {
      const counting = fresh.get(id, () => known.fresh(id, () => whatBecame(pool, id)));
      return Promise.race([counting, sleep(RUN_WAIT_MS, known.known(id) ?? null)]);
    },
  };
}

/** They look at many orders of each store, and change slowly. */
function recentStores({ pool }: Core): RecentStores {
  const said = new AnswerCache<ReadonlyMap<string, string[]>>({ size: 1, freshMs: () => SAID_MS, now: Date.now });
  const counted = new AnswerCache<StoreFigures>({ size: 1, freshMs: () => COUNTED_MS, now: Date.now });
  return {
    ordersSay: (connections) => said.get('', () => orderWarnings(pool, connections, Date.now())),
    figures: () => counted.get('', () => storeFigures(pool)),
  };
}
