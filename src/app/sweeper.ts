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
import { dropBlocked } from '../platform/jobs/job-store.ts';
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
export async function sweep({ core, queues, metrics, takenOver }: SweepParts): Promise<void> {
  const inbox = await emptyInbox(core, queues);
  const failed = await retryFailed(queues);
  await probeOverdue(core, queues);
  await dropOld(core);
  await eraseLeft(core);
  const counts = { inbox, recovered: takenOver(), failed };
  for (const [what, count] of Object.entries(counts)) metrics.swept.inc({ what }, count);
  swept(core.log, counts);
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

/** Erases what a privacy request could not reach at once. */
async function eraseLeft({ pool }: Core): Promise<void> {
  try {
    await finishErasures(pool, { olderThanMs: MERGED_MS, size: ERASURES });
  } finally {
    await eraseUnread(pool, MOST_SEARCHING_MS);
  }
}

/** What became of many orders at once is looked at in the days after it. */
const KEEP_DAYS = 90;
/** The law gives a month to carry out what a buyer asks for; what a service could not be told by then is not asked by this list. */
const KEEP_BLOCKED_DAYS = 30;

async function dropOld({ pool, config: { keepDeliveriesDays, keepDays, dataDir } }: Core): Promise<void> {
  const now = new Date();
  await dropOldBodies(pool, { days: keepDeliveriesDays, decidedDays: keepDays.unreadable, now });
  await dropOldArrivals(pool, { days: keepDays.arrivals, now });
  await forgetOldBuyers(pool, { days: keepDays.buyers, now });
  await dropOldExports(pool, { days: keepDays.exports, now });
  await dropBlocked(pool, { days: KEEP_BLOCKED_DAYS, now });
  await dropOldSessions(pool);
  await dropOldLinks(pool);
  await dropOldBulkActions(pool, { days: KEEP_DAYS, now });
  await dropOldTasks(pool, { days: KEEP_DAYS, now });
  await dropOldFiles(mailFiles({ dataDir }), { days: keepDays.outbox, now });
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
