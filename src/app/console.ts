import { setTimeout as sleep } from 'node:timers/promises';
import type { Router } from 'express';
import { entryMailFailed, entryRefused, requestFailed } from '../bridge/bridge-events.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import { type StoreFigures, storeFigures } from '../bridge/ledger/connections/store-figures.ts';
import { type Became, whatBecame } from '../bridge/ledger/review/bulk-action-store.ts';
import { storefronts } from '../bridge/storefronts/registry.ts';
import { consoleUrl } from '../config/config.ts';
import { openInspections } from '../connect/base/dry-run.ts';
import { type ConnectRouters, connectRouters } from '../connect/connect-router.ts';
import type { ConsoleDeps, EntryDeps, EntryMail, Oidc, RecentStores, RefusedEntry, StoreDeps } from '../console/base/console-deps.ts';
import { consoleRouter } from '../console/console-router.ts';
import { type DashboardPass, dashboardPass } from '../console/dashboard-pass.ts';
import { bulkActions } from '../operations/bulk-actions.ts';
import { orderWarnings } from '../operations/connections/connection-warnings.ts';
import type { PausableQueue } from '../operations/destinations/destinations.ts';
import { createPasswords, SignInThrottle } from '../operations/people/sign-in.ts';
import type { BackfillDeps } from '../operations/reconciliation/backfill.ts';
import type { CountedBulkActions } from '../operations/review/show-bulk-action.ts';
import { type TaskRunDeps, taskRun } from '../operations/tasks/begin-task.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import { openOrNull } from '../platform/seal.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { receiverUrl, webhookBase } from './addresses.ts';
import { openComplianceAccess, openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';
import type { HealthReader } from './health-reader.ts';
import { identityProvider } from './identity-provider.ts';
import { entryMailer } from './mail-transport.ts';
import type { Queues } from './queues.ts';
import { openReconcile, storeOpener } from './reconcile-access.ts';
import { openRecordAccess } from './record-access.ts';
import { runKinds } from './run-kinds.ts';
import { createStoreFetch, openStoreKeys } from './store-access.ts';
import { readPageDeps } from './store-reader.ts';
import { watchDeps } from './watchdog.ts';

const MOST_BULK_ACTIONS = 20;
const COUNTED_BULK_ACTION_MS = 15_000;
const KNOWN_MS = 3_600_000;
/** How long somebody who looks at a large bulk action waits for a fresher count. */
const COUNT_WAIT_MS = 40;

type ConsoleParts = {
  core: Core;
  queues: Queues;
  every: readonly PausableQueue[];
  healthReader: HealthReader;
  service: ComplianceService | null;
  isStopping(): boolean;
  demoOwner?: string | undefined;
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

export async function consoleDeps(
  { core, queues, every, healthReader, demoOwner, ...rest }: ConsoleParts,
  resources: AsyncDisposableStack,
): Promise<ConsoleDeps> {
  const { pool, config, connections, destinations, apps } = core;
  const records = resources.use(await openRecordAccess(core));
  const compliance = resources.use(await openComplianceAccess(core));
  const client = resources.use(openComplianceClient(config));
  const { maintenance, notify, keepDeliveries: addDeliveries } = queues;
  return {
    ...{ pool, config, connections, destinations, apps, notify, addDeliveries, records, compliance, client, ...rest },
    entry: { ...openEntry(core, resources), demoOwner: demoOwner ?? null },
    queues: every,
    bulkActions: countedBulkActions(core),
    probe: (scope) => probeAt(maintenance, scope, 0),
    stores: storeDeps(core, queues, resources),
    ...openBackground(core, queues, resources),
    readHealth: healthReader.read,
    now: () => new Date(),
  };
}

const IN_BACKGROUND = { method: 'POST', client: null, requestId: 'background' };
const BACKGROUND_SHARE = { mostMs: 10_000, keepMs: 5_000 };

/** What goes on behind answers ends by itself when the process stops; the connections that it uses are closed after it. */
function openBackground(core: Core, queues: Queues, resources: AsyncDisposableStack): Pick<ConsoleDeps, 'background' | 'jobs' | 'stop'> {
  const { config, connections, log, pool, stop } = core;
  const stopping = new AbortController();
  const going = new Set<Promise<unknown>>();
  resources.defer(() => stop.wait('work behind pages', Promise.all(going), BACKGROUND_SHARE));
  resources.defer(() => stopping.abort());
  const openReading: TaskRunDeps['openReading'] = async (by, signal) => {
    const moveRecordFrom: BackfillDeps['moveRecordFrom'] = (...moved) => connections.moveRecordFrom(...moved);
    return { ...(await openReconcile(core, queues, { signal, by })), moveRecordFrom };
  };
  const jobs = runKinds(core, {
    ...bulkActions(core, queues.notify),
    task: taskRun({ pool, connections, openReading, receiver: () => receiverUrl(config) }),
  });
  resources.defer(() => stop.wait('what was begun on pages', jobs[Symbol.asyncDispose](), BACKGROUND_SHARE));
  const background = (work: Promise<unknown>) => {
    const ended = work.catch((err: unknown) => requestFailed(log, err, IN_BACKGROUND)).finally(() => going.delete(ended));
    going.add(ended);
  };
  return { background, jobs, stop: stopping.signal };
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
    receiver: () => receiverUrl(config),
  };
}

/** Each order of a bulk action is looked up: one of 100,000 takes seconds, for which no page waits, and which are not spent at each look. */
function countedBulkActions({ pool }: Core): CountedBulkActions {
  const fresh = new AnswerCache<Became[]>({ size: MOST_BULK_ACTIONS, freshMs: () => COUNTED_BULK_ACTION_MS, now: Date.now });
  const known = new AnswerCache<Became[]>({ size: MOST_BULK_ACTIONS, freshMs: () => KNOWN_MS, now: Date.now });
  return {
    became(id) {
      const counting = fresh.get(id, () => known.fresh(id, () => whatBecame(pool, id)));
      return Promise.race([counting, sleep(COUNT_WAIT_MS, known.known(id) ?? null)]);
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

const SHARE = { mostMs: 2_000, keepMs: 4_000 };
const LOGGED_A_MINUTE = 20;

/** How people come into the console. */
function openEntry(core: Core, resources: AsyncDisposableStack): Omit<EntryDeps, 'demoOwner'> {
  const now = () => performance.now();
  const write = rateLimit<RefusedEntry>((refused, leftOut) => entryRefused(core.log, { ...refused, leftOut }), { most: LOGGED_A_MINUTE, now });
  const ways = { post: openPost(core, resources), oidc: openOidc(core) };
  const factor = { sealer: core.sealer, isFactorRequired: core.config.secondFactor === 'required' };
  return {
    passwords: createPasswords(),
    throttle: new SignInThrottle({ now }),
    linkThrottle: new SignInThrottle({ now }),
    ...factor,
    url: consoleUrl(core.config),
    ...ways,
    onRefused: write,
  };
}

/** Any process that has the key opens what another one sealed. */
const PASSAGE = { table: 'cookie', column: 'oidc', id: '' };

function openOidc({ config, sealer }: Core): Oidc | null {
  const { oidc = null } = config;
  const provider = identityProvider(config);
  if (oidc === null || provider === null) return null;
  return { provider, rules: oidc, seal: (text) => sealer.seal(text, PASSAGE), open: (sealed) => openOrNull(sealer, sealed, PASSAGE) };
}

/** Null: there is no mail server, or no address that a mail could name. */
function openPost({ config, log, stop }: Core, resources: AsyncDisposableStack): EntryDeps['post'] {
  const mailer = entryMailer(config);
  if (mailer === null) return null;
  const send = async (make: () => Promise<EntryMail | null>): Promise<void> => {
    const mail = await make();
    const why = mail && (await mailer(mail));
    if (why !== null) entryMailFailed(log, { why });
  };
  const running = new Set<Promise<void>>();
  resources.defer(() => stop.wait('mails of links', Promise.all(running), SHARE));
  return (make) => {
    const one = send(make)
      .catch((err: unknown) => entryMailFailed(log, { why: 'a fault of ours', err }))
      .finally(() => running.delete(one));
    running.add(one);
  };
}

/** The pages by which merchants connect their stores; served wherever the console is, always on PORT. */
function openConnect(core: Core, deps: ConsoleDeps): ConnectRouters {
  const { log, sealer } = core;
  const { tokens } = openStoreKeys(core);
  return connectRouters({
    deps: { ...deps, sealer, tokens, inspections: openInspections(Date.now) },
    log: { failed: (error, about) => requestFailed(log, error, about) },
  });
}
