import type { Queue } from 'bullmq';
import { Gauge, type Registry } from 'prom-client';
import { countAlerts } from '../../bridge/ledger/alerts/alert-outbox.ts';
import { countQuarantinedHosts } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { inboxSize } from '../../bridge/ledger/deliveries/inbox-store.ts';
import { backlog } from '../../bridge/ledger/orders/pending-orders.ts';
import { countInReview, countUnconfirmed } from '../../bridge/ledger/orders/read-orders.ts';
import { storePauses } from '../../bridge/ledger/sync/store-calls.ts';
import { longestUnread } from '../../bridge/ledger/sync/sync-store.ts';
import { countBroken } from '../../bridge/ledger/sync/watch-store.ts';
import { countJobs, type JobCount } from '../../platform/jobs/job-store.ts';
import { throttled } from '../../platform/throttled.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import type { Core } from '../core.ts';
import type { HealthReader } from '../health-reader.ts';
import { incidentsOf } from './status-router.ts';

/** The least time between two readings, and how long a scrape waits for one. */
export type GaugePace = { everyMs: number; timeoutMs: number };

type GaugesOptions = {
  core: Core;
  registry: Registry;
  /** Those whose jobs are counted, and those that this process works on. */
  queues: { counted: readonly Pick<Queue, 'name' | 'getJobCounts'>[]; worked: readonly Pick<Queue, 'name' | 'isPaused'>[] };
  /** Null where our compliance service is not served. */
  service: Pick<ComplianceService, 'attention'> | null;
  healthReader: Pick<HealthReader, 'read'>;
  pace: GaugePace;
};

type Gauges = {
  /** Before each scrape. Waits a moment for what is being read; what takes longer is in a later scrape. */
  refresh(): Promise<void>;
  /** The queues that somebody paused, as far as is known. */
  pausedQueues(): Promise<string[]>;
};

/** All gauges together are read in 100 ms, however large the ledger is. */
export const USUAL_PACE: GaugePace = { everyMs: 15_000, timeoutMs: 50 };
const QUEUE_MS = 1_500;

/** Every gauge, each source on its own: one that is down or slow holds up no other. */
export function openGauges({ core, registry, queues, service, healthReader, pace: given }: GaugesOptions): Gauges {
  const pace = { ...given, now: () => performance.now() };
  let paused: string[] = [];
  const ofQueues = addQueueGauges(registry, async () => {
    const read = await withTimeout(QUEUE_MS, readQueues(queues));
    paused = Object.entries(read.isPaused).flatMap(([name, isPaused]) => (isPaused ? [name] : []));
    return read;
  });
  const queuesRead = throttled(ofQueues, pace);
  const sources = [
    addWorkGauges(registry, () => readWork(core)),
    addAlertGauges(registry, () => countAlerts(core.pool)),
    addJobGauge(registry, () => countJobs(core.pool)),
    addIncidentGauge(registry, async () => incidentsOf(await healthReader.read())),
    ...(service === null ? [] : [addComplianceGauges(registry, () => service.attention())]),
  ].map((source) => throttled(source, pace));
  return {
    refresh: async () => void (await Promise.all([queuesRead, ...sources].map((source) => source()))),
    pausedQueues: async () => {
      await queuesRead();
      return paused;
    },
  };
}

async function readWork({ pool, destinations }: Core): Promise<WorkGauges> {
  const [review, unconfirmed, hosts, pauses, stores, broken, unreadSeconds, { pending, oldestSeconds }, inbox] = await Promise.all([
    countInReview(pool),
    countUnconfirmed(pool),
    countQuarantinedHosts(pool),
    destinations.pauses(),
    storePauses(pool),
    countBroken(pool),
    longestUnread(pool),
    backlog(pool),
    inboxSize(pool),
  ]);
  return {
    review: hosts === 0 ? review : { ...review, 'store.other': hosts },
    unconfirmed,
    paused: pauses.length,
    storesPaused: stores.length,
    subscriptionsBroken: broken,
    unreadSeconds,
    pending,
    oldestSeconds,
    inbox,
  };
}

async function readQueues({ counted, worked }: GaugesOptions['queues']): Promise<QueueGauges> {
  const [jobs, isPaused] = await Promise.all([
    Promise.all(counted.map(async (queue) => [queue.name, await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed')] as const)),
    Promise.all(worked.map(async (queue) => [queue.name, await queue.isPaused()] as const)),
  ]);
  return { jobs: Object.fromEntries(jobs), isPaused: Object.fromEntries(isPaused) };
}

/** Each function adds gauges, and returns how they are read anew; if reading fails, they stay as they were. */
type Refresh = () => Promise<void>;

/** What is left to do, and what waits for a person. */
type WorkGauges = {
  review: Record<string, number>;
  unconfirmed: number;
  paused: number;
  storesPaused: number;
  subscriptionsBroken: number;
  unreadSeconds: number;
  pending: number;
  oldestSeconds: number | null;
  inbox: number;
};

function addWorkGauges(registry: Registry, read: () => Promise<WorkGauges>): Refresh {
  const registers = [registry];
  const review = new Gauge({
    name: 'orderbridge_review_orders',
    help: 'Orders in review by code; as store.other, hosts whose webhooks are quarantined',
    labelNames: ['code'],
    registers,
  });
  const unconfirmed = new Gauge({ name: 'orderbridge_unconfirmed_orders', help: 'Orders whose create or delete has no known outcome', registers });
  const paused = new Gauge({ name: 'orderbridge_destinations_paused', help: 'Destinations (or shops of them) that are paused', registers });
  const stores = new Gauge({ name: 'orderbridge_stores_paused', help: 'Stores whose API is paused, or keys that one refuses', registers });
  const broken = new Gauge({ name: 'orderbridge_subscriptions_broken', help: 'Connections whose store has something wrong with its webhooks', registers });
  const unread = new Gauge({
    name: 'orderbridge_store_unread_seconds',
    help: 'Since when a store was not read by its API, of the one that waits longest',
    registers,
  });
  const pending = new Gauge({
    name: 'orderbridge_backlog_orders',
    help: 'Orders whose record is pending, or whose receipt is still to be requested',
    registers,
  });
  const oldest = new Gauge({ name: 'orderbridge_backlog_oldest_seconds', help: 'Age of the oldest order that is pending', registers });
  const inbox = new Gauge({ name: 'orderbridge_inbox_deliveries', help: 'Deliveries in the inbox table', registers });
  return async () => {
    const work = await read();
    review.reset();
    for (const [code, count] of Object.entries(work.review)) review.set({ code }, count);
    unconfirmed.set(work.unconfirmed);
    paused.set(work.paused);
    stores.set(work.storesPaused);
    broken.set(work.subscriptionsBroken);
    unread.set(work.unreadSeconds);
    pending.set(work.pending);
    oldest.set(work.oldestSeconds ?? 0);
    inbox.set(work.inbox);
  };
}

/** By queue: the jobs in each state; and whether somebody paused it. */
type QueueGauges = { jobs: Record<string, Record<string, number>>; isPaused: Record<string, boolean> };

function addQueueGauges(registry: Registry, read: () => Promise<QueueGauges>): Refresh {
  const registers = [registry];
  const jobs = new Gauge({ name: 'orderbridge_jobs', help: 'Jobs by queue and state', labelNames: ['queue', 'state'], registers });
  const paused = new Gauge({
    name: 'orderbridge_queue_paused',
    help: '1: somebody paused this queue, and nothing is taken from it',
    labelNames: ['queue'],
    registers,
  });
  return async () => {
    const queues = await read();
    jobs.reset();
    for (const [queue, counts] of Object.entries(queues.jobs)) for (const [state, count] of Object.entries(counts)) jobs.set({ queue, state }, count);
    for (const [queue, isPaused] of Object.entries(queues.isPaused)) paused.set({ queue }, isPaused ? 1 : 0);
  };
}

/** Background jobs of the table `jobs`. */
function addJobGauge(registry: Registry, read: () => Promise<readonly JobCount[]>): Refresh {
  const jobs = new Gauge({
    name: 'orderbridge_background_jobs',
    help: 'Background jobs by kind and state',
    labelNames: ['kind', 'state'],
    registers: [registry],
  });
  return async () => {
    const counts = await read();
    jobs.reset();
    for (const { kind, state, count } of counts) jobs.set({ kind, state }, count);
  };
}

/** One series for each code of the health status, and another where a failed check is not of its usual level. */
function addIncidentGauge(registry: Registry, read: () => Promise<readonly { code: string; level: string; count: number }[]>): Refresh {
  const incident = new Gauge({
    name: 'orderbridge_incident',
    help: 'What is not right, by code of the health status: how many orders, webhooks or months it concerns, at least 1; 0: nothing',
    labelNames: ['code', 'level'],
    registers: [registry],
  });
  return async () => {
    const incidents = await read();
    incident.reset();
    for (const { code, level, count } of incidents) incident.set({ code, level }, count);
  };
}

function addAlertGauges(registry: Registry, read: () => Promise<{ waiting: number; failed: number }>): Refresh {
  const alerts = new Gauge({
    name: 'orderbridge_alert_messages',
    help: 'Alerts that wait to be sent, and those of the last day that no try got through',
    labelNames: ['state'],
    registers: [registry],
  });
  return async () => {
    for (const [state, count] of Object.entries(await read())) alerts.set({ state }, count);
  };
}

/** Values of our compliance service. */
type ComplianceGauges = {
  ordersWithoutRate: number;
  mails: { waiting: number; failed: number };
  monthMailsFailed: number;
  months: { blocked: number; unfiled: number; late: number };
  outstanding: number;
};

function addComplianceGauges(registry: Registry, read: () => Promise<ComplianceGauges>): Refresh {
  const registers = [registry];
  const rates = new Gauge({ name: 'orderbridge_compliance_orders_without_rate', help: 'Recorded orders whose exchange rate is missing', registers });
  const mails = new Gauge({
    name: 'orderbridge_compliance_mails',
    help: 'Mails that wait, and those that reached no recipient',
    labelNames: ['state'],
    registers,
  });
  const monthMails = new Gauge({
    name: 'orderbridge_compliance_month_mails_failed',
    help: 'Mails about audit files that did not reach their address, of months that are not settled',
    registers,
  });
  const months = new Gauge({
    name: 'orderbridge_compliance_months',
    help: 'Audit files that are blocked, made and not marked as filed, or so after their term',
    labelNames: ['state'],
    registers,
  });
  const outstanding = new Gauge({
    name: 'orderbridge_compliance_outstanding_orders',
    help: 'Paid orders that are not recorded, as the programs that record them last reported',
    registers,
  });
  return async () => {
    const gauges = await read();
    outstanding.set(gauges.outstanding);
    rates.set(gauges.ordersWithoutRate);
    monthMails.set(gauges.monthMailsFailed);
    for (const [state, count] of Object.entries(gauges.mails)) mails.set({ state }, count);
    for (const [state, count] of Object.entries(gauges.months)) months.set({ state }, count);
  };
}
