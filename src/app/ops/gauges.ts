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
import { countJobs } from '../../platform/jobs/job-store.ts';
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

const INCIDENT = 'What is not right, by code of the health status: how many orders, webhooks or months it concerns, at least 1; 0: nothing';

/** Every gauge, each source on its own: one that is down or slow holds up no other. */
export function openGauges({ core, registry, queues, service, healthReader, pace: given }: GaugesOptions): Gauges {
  const pace = { ...given, now: () => performance.now() };
  const gauge = gaugesOf(registry);
  let paused: string[] = [];
  const keptQueues = async () => {
    const read = await withTimeout(QUEUE_MS, readQueues(queues));
    paused = Object.entries(read.paused).flatMap(([name, isPaused]) => (isPaused === 1 ? [name] : []));
    return read;
  };
  const queuesRead = throttled(setting(queueGauges(gauge), keptQueues), pace);
  const sources = [
    setting(workGauges(gauge), () => readWork(core)),
    setting({ alerts: gauge('alert_messages', 'Alerts that wait to be sent, and those of the last day that no try got through', 'state') }, async () => ({
      alerts: await countAlerts(core.pool),
    })),
    setting({ jobs: gauge('background_jobs', 'Background jobs by kind and state', 'kind', 'state') }, async () => ({
      jobs: (await countJobs(core.pool)).map(({ kind, state, count }) => [kind, state, count] as const),
    })),
    setting({ incidents: gauge('incident', INCIDENT, 'code', 'level') }, async () => ({
      incidents: incidentsOf(await healthReader.read()).map(({ code, level, count }) => [code, level, count] as const),
    })),
    ...(service === null ? [] : [setting(complianceGauges(gauge), () => service.attention())]),
  ].map((source) => throttled(source, pace));
  return {
    refresh: async () => void (await Promise.all([queuesRead, ...sources].map((source) => source()))),
    pausedQueues: async () => {
      await queuesRead();
      return paused;
    },
  };
}

async function readWork({ pool, destinations }: Core) {
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
    oldestSeconds: oldestSeconds ?? 0,
    inbox,
  };
}

/** By queue: the jobs in each state; and whether somebody paused it: 1. */
async function readQueues({ counted, worked }: GaugesOptions['queues']) {
  const [jobs, paused] = await Promise.all([
    Promise.all(counted.map(async (queue) => [queue.name, await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed')] as const)),
    Promise.all(worked.map(async (queue) => [queue.name, (await queue.isPaused()) ? 1 : 0] as const)),
  ]);
  return {
    jobs: jobs.flatMap(([queue, counts]) => Object.entries(counts).map(([state, count]) => [queue, state, count] as const)),
    paused: Object.fromEntries(paused),
  };
}

/** A value; values by the label of a gauge; or values after those of its labels. */
type Sample = number | Readonly<Record<string, number>> | readonly (readonly [...labels: string[], value: number])[];

/** A gauge, as how it is set: to a value, or to all the values that it has from then on. */
type SetGauge = (sample: Sample) => void;
type AddGauge = (name: string, help: string, ...labelNames: string[]) => SetGauge;

function gaugesOf(registry: Registry): AddGauge {
  return (name, help, ...labelNames) => {
    const gauge = new Gauge({ name: `orderbridge_${name}`, help, labelNames, registers: [registry] });
    return (sample) => {
      if (typeof sample === 'number') return gauge.set(sample);
      gauge.reset();
      for (const row of Array.isArray(sample) ? sample : Object.entries(sample)) gauge.labels(...row.slice(0, -1)).set(row.at(-1));
    };
  };
}

/** Reads anew, and sets the gauges of the same names; if reading fails, they stay as they were. */
function setting<Read extends Record<string, Sample>>(gauges: Record<keyof Read, SetGauge>, read: () => Promise<Read>): () => Promise<void> {
  return async () => {
    for (const [name, sample] of Object.entries(await read())) gauges[name]?.(sample);
  };
}

function queueGauges(gauge: AddGauge) {
  return {
    jobs: gauge('jobs', 'Jobs by queue and state', 'queue', 'state'),
    paused: gauge('queue_paused', '1: somebody paused this queue, and nothing is taken from it', 'queue'),
  };
}

/** What is left to do, and what waits for a person. */
function workGauges(gauge: AddGauge) {
  return {
    review: gauge('review_orders', 'Orders in review by code; as store.other, hosts whose webhooks are quarantined', 'code'),
    unconfirmed: gauge('unconfirmed_orders', 'Orders whose create or delete has no known outcome'),
    paused: gauge('destinations_paused', 'Destinations (or shops of them) that are paused'),
    storesPaused: gauge('stores_paused', 'Stores whose API is paused, or keys that one refuses'),
    subscriptionsBroken: gauge('subscriptions_broken', 'Connections whose store has something wrong with its webhooks'),
    unreadSeconds: gauge('store_unread_seconds', 'Since when a store was not read by its API, of the one that waits longest'),
    pending: gauge('backlog_orders', 'Orders whose record is pending, or whose receipt is still to be requested'),
    oldestSeconds: gauge('backlog_oldest_seconds', 'Age of the oldest order that is pending'),
    inbox: gauge('inbox_deliveries', 'Deliveries in the inbox table'),
  };
}

function complianceGauges(gauge: AddGauge) {
  return {
    ordersWithoutRate: gauge('compliance_orders_without_rate', 'Recorded orders whose exchange rate is missing'),
    mails: gauge('compliance_mails', 'Mails that wait, and those that reached no recipient', 'state'),
    monthMailsFailed: gauge('compliance_month_mails_failed', 'Mails about audit files that did not reach their address, of months that are not settled'),
    months: gauge('compliance_months', 'Audit files that are blocked, made and not marked as filed, or so after their term', 'state'),
    outstanding: gauge('compliance_outstanding_orders', 'Paid orders that are not recorded, as the programs that record them last reported'),
  };
}
