import { rowUnreadable, swept } from '../bridge/bridge-events.ts';
import { probeAt } from '../bridge/delivery/maintenance-worker.ts';
import { dropOldArrivals, dropOldBodies } from '../bridge/ledger/deliveries/delivery-store.ts';
import { moveInbox } from '../bridge/ledger/deliveries/inbox-store.ts';
import { dropOldLinks } from '../bridge/ledger/people/link-store.ts';
import { dropOldSessions } from '../bridge/ledger/people/session-store.ts';
import { eraseUnread, finishErasures, forgetOldBuyers } from '../bridge/ledger/privacy/erasures.ts';
import { dropOldExports } from '../bridge/ledger/privacy/privacy-exports.ts';
import { dropOldBulkActions } from '../bridge/ledger/review/bulk-action-store.ts';
import { dropOldTasks } from '../bridge/ledger/sync/task-store.ts';
import { eachStep } from '../platform/jobs/job-kind.ts';
import { dropOldFiles } from '../platform/mail/drop-old-files.ts';
import type { Core } from './core.ts';
import { mailFiles } from './mail-transport.ts';
import type { Metrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';

/** `takenOver`: how many orders of dead workers were taken over since the last sweep. */
export type SweepParts = { core: Core; queues: Queues; metrics: Metrics; takenOver(): number };

/** What was being merged while a privacy request came is merged or given up by then. */
const MERGED_MS = 60_000;
const ERASURES = 1_000;
/** In each sweep: searching takes time from webhooks and attempts. */
const MOST_SEARCHING_MS = 500;
const INBOX_PAGE = 50;
const MOST_PAGES = 200;

/** Queues again what was lost on the way: inbox rows, failed jobs, forgotten probes. In bounded pages. Then it drops what was kept long enough. */
export async function sweep({ core, queues, metrics, takenOver }: SweepParts, signal: AbortSignal): Promise<void> {
  const counts = { inbox: 0, recovered: takenOver(), failed: 0 };
  const steps = [
    async () => {
      counts.inbox = await emptyInbox(core, queues);
    },
    async () => {
      counts.failed = await retryFailed(queues);
    },
    () => probeOverdue(core, queues),
    ...dropOld(core),
    // What a privacy request could not reach at once.
    () => finishErasures(core.pool, { olderThanMs: MERGED_MS, size: ERASURES }),
    () => eraseUnread(core.pool, MOST_SEARCHING_MS),
  ];
  try {
    await eachStep(signal, steps);
  } finally {
    for (const [what, count] of Object.entries(counts)) metrics.swept.inc({ what }, count);
    swept(core.log, counts);
  }
}

async function emptyInbox({ pool, log }: Core, queues: Queues): Promise<number> {
  let moved = 0;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await moveInbox(pool, {
      size: INBOX_PAGE,
      add: (deliveries) => queues.addDeliveries({ v: 1, deliveries }),
      onUnreadable: (err, review) => rowUnreadable(log, err, review),
    });
    moved += page;
    if (page === 0) break;
  }
  return moved;
}

/** Scopes whose pause is over, but whose probe was lost. */
async function probeOverdue({ config, destinations }: Core, { maintenance }: Queues): Promise<void> {
  for (const { destinationId, shopId, callType, until } of await destinations.pauses()) {
    if (Date.parse(until) + config.sweepSeconds * 1000 < Date.now()) await probeAt(maintenance, { destinationId, shopId, callType }, 0);
  }
}

/** What became of many orders at once is looked at in the days after it. */
const KEEP_DAYS = 90;

function dropOld({ pool, config: { keepDeliveriesDays, keepDays, dataDir } }: Core): (() => Promise<unknown>)[] {
  const now = new Date();
  return [
    () => dropOldBodies(pool, { days: keepDeliveriesDays, decidedDays: keepDays.unreadable, now }),
    () => dropOldArrivals(pool, { days: keepDays.arrivals, now }),
    () => forgetOldBuyers(pool, { days: keepDays.buyers, now }),
    () => dropOldExports(pool, { days: keepDays.exports, now }),
    () => dropOldSessions(pool),
    () => dropOldLinks(pool),
    () => dropOldBulkActions(pool, { days: KEEP_DAYS, now }),
    () => dropOldTasks(pool, { days: KEEP_DAYS, now }),
    () => dropOldFiles(mailFiles({ dataDir }), { days: keepDays.outbox, now }),
  ];
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
