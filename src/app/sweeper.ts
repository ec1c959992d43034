import { join } from 'node:path';
import { rowUnreadable, swept } from '../bridge/bridge-events.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import type { SweepDeps } from '../bridge/delivery/sweep.ts';
import { dropOldBulkActions } from '../bridge/ledger/bulk-action-store.ts';
import { dropOldArrivals, dropOldBodies } from '../bridge/ledger/delivery-store.ts';
import { eraseUnread, finishErasures, forgetOldBuyers } from '../bridge/ledger/erasures.ts';
import { moveInbox } from '../bridge/ledger/inbox-store.ts';
import { dropOldLinks } from '../bridge/ledger/link-store.ts';
import { dropUnsupported } from '../bridge/ledger/outbox-job-store.ts';
import { dropOldExports } from '../bridge/ledger/privacy-exports.ts';
import { dropOldSessions } from '../bridge/ledger/session-store.ts';
import { dropOldTasks } from '../bridge/ledger/task-store.ts';
import { dropOldFiles } from '../platform/mail/drop-old-files.ts';
import type { Core } from './core.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';

/** `takenOver`: how many orders of dead workers were taken over since the last sweep. */
type Parts = { core: Core; queues: Queues; metrics: Metrics; takenOver(): number };

/** What was being merged while a privacy request came is merged or given up by then. */
const MERGED_MS = 60_000;
const ERASURES = 1_000;
/** In each sweep: searching takes time from webhooks and attempts. */
const MOST_SEARCHING_MS = 500;

/** The sweeper, wired: ledger, queues, pauses. */
export function sweepDeps({ core, queues, metrics, takenOver }: Parts): SweepDeps {
  const { pool, config, log, destinations } = core;
  return {
    moveInbox: (size) =>
      moveInbox(pool, {
        size,
        add: (deliveries) => queues.addDeliveries({ v: 1, deliveries }),
        onUnreadable: (err, review) => rowUnreadable(log, err, review),
      }),
    takenOver,
    retryFailed: () => retryFailed(queues),
    probeOverdue: async () => {
      for (const { destinationId, shopId, callType, until } of await destinations.pauses()) {
        if (Date.parse(until) + config.sweepSeconds * 1000 < Date.now()) await probeAt(queues.maintenance, { destinationId, shopId, callType }, 0);
      }
    },
    dropOld: () => dropOld(core),
    finishErasures: async () => {
      try {
        await finishErasures(pool, { olderThanMs: MERGED_MS, size: ERASURES });
      } finally {
        await eraseUnread(pool, MOST_SEARCHING_MS);
      }
    },
    onSwept: (counts) => {
      for (const [what, count] of Object.entries(counts)) metrics.swept.inc({ what }, count);
      swept(log, counts);
    },
  };
}

/** What became of many orders at once is looked at in the days after it. */
const KEEP_DAYS = 90;

async function dropOld({ pool, config: { keepDeliveriesDays, keepDays, dataDir } }: Core): Promise<void> {
  const now = new Date();
  await dropOldBodies(pool, { days: keepDeliveriesDays, decidedDays: keepDays.unreadable, now });
  await dropOldArrivals(pool, { days: keepDays.arrivals, now });
  await forgetOldBuyers(pool, { days: keepDays.buyers, now });
  await dropOldExports(pool, { days: keepDays.exports, now });
  await dropUnsupported(pool, now);
  await dropOldSessions(pool);
  await dropOldLinks(pool);
  await dropOldBulkActions(pool, { days: KEEP_DAYS, now });
  await dropOldTasks(pool, { days: KEEP_DAYS, now });
  await dropOldFiles(join(dataDir, 'outbox'), { days: keepDays.outbox, now });
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
