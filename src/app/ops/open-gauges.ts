import type { Queue } from 'bullmq';
import type { Registry } from 'prom-client';
import { countAlerts } from '../../bridge/ledger/alert-outbox.ts';
import { backlog } from '../../bridge/ledger/behind-store.ts';
import { countHeldHosts } from '../../bridge/ledger/held-deliveries.ts';
import { inboxSize } from '../../bridge/ledger/inbox-store.ts';
import { countInReview, countStates, countUnconfirmed } from '../../bridge/ledger/kept-order.ts';
import { longestUnread } from '../../bridge/ledger/reading-store.ts';
import { storePauses } from '../../bridge/ledger/store-calls.ts';
import { countBroken } from '../../bridge/ledger/watch-store.ts';
import { throttled } from '../../platform/throttled.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';
import type { Core } from '../core.ts';
import type { Verdicts } from '../verdicts.ts';
import {
  addAlertGauges,
  addComplianceGauges,
  addIncidentGauge,
  addQueueGauges,
  addStateGauges,
  addWorkGauges,
  type QueueGauges,
  type WorkGauges,
} from './gauges.ts';
import { incidentsOf } from './public-verdict.ts';

/** The least time between two readings, and how long a scrape waits for one. */
export type GaugePace = { everyMs: number; patienceMs: number };

export type GaugesOptions = {
  core: Core;
  registry: Registry;
  /** Those whose jobs are counted, and those that this process works on. */
  queues: { counted: readonly Pick<Queue, 'name' | 'getJobCounts'>[]; worked: readonly Pick<Queue, 'name' | 'isPaused'>[] };
  /** Null where our compliance service is not served. */
  service: Pick<ComplianceService, 'attention'> | null;
  verdicts: Pick<Verdicts, 'read'>;
  pace: GaugePace;
};

export type Gauges = {
  /** Before each scrape. Waits a moment for what is being read; what takes longer is in a later scrape. */
  refresh(): Promise<void>;
  /** The queues that somebody paused, as far as is known. */
  pausedQueues(): Promise<string[]>;
};

/** All gauges together are read in 100 ms, however large the ledger is. */
export const USUAL_PACE: GaugePace = { everyMs: 15_000, patienceMs: 50 };
const QUEUE_MS = 1_500;

/** Every gauge, each source on its own: one that is down or slow holds up no other. */
export function openGauges({ core, registry, queues, service, verdicts, pace: given }: GaugesOptions): Gauges {
  const pace = { ...given, now: () => performance.now() };
  let paused: string[] = [];
  const ofQueues = addQueueGauges(registry, async () => {
    const read = await withTimeout(QUEUE_MS, readQueues(queues));
    paused = Object.entries(read.isPaused).flatMap(([name, isPaused]) => (isPaused ? [name] : []));
    return read;
  });
  const queuesRead = throttled(ofQueues, pace);
  const sources = [
    // Counting them reads the whole table.
    throttled(
      addStateGauges(registry, () => countStates(core.pool)),
      pace,
    ),
    throttled(
      addWorkGauges(registry, () => readWork(core)),
      pace,
    ),
    throttled(
      addAlertGauges(registry, () => countAlerts(core.pool)),
      pace,
    ),
    queuesRead,
    throttled(
      addIncidentGauge(registry, async () => incidentsOf(await verdicts.read())),
      pace,
    ),
    ...(service === null
      ? []
      : [
          throttled(
            addComplianceGauges(registry, () => service.attention()),
            pace,
          ),
        ]),
  ];
  return {
    refresh: async () => void (await Promise.all(sources.map((source) => source()))),
    pausedQueues: async () => {
      await queuesRead();
      return paused;
    },
  };
}

async function readWork({ pool, destinations }: Core): Promise<WorkGauges> {
  const [review, unconfirmed, hosts, pauses, stores, broken, unreadSeconds, { behind, oldestSeconds }, inbox] = await Promise.all([
    countInReview(pool),
    countUnconfirmed(pool),
    countHeldHosts(pool),
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
    behind,
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
