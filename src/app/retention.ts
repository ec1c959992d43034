import { dropOldArrivals, dropOldBodies } from '../bridge/ledger/deliveries/delivery-store.ts';
import { dropOldEvents } from '../bridge/ledger/events/event-store.ts';
import { dropOldLinks } from '../bridge/ledger/people/link-store.ts';
import { dropOldSessions } from '../bridge/ledger/people/session-store.ts';
import { eraseUnread, finishErasures, forgetOldBuyers } from '../bridge/ledger/privacy/erasures.ts';
import { dropOldExports } from '../bridge/ledger/privacy/privacy-exports.ts';
import { dropOldBulkActions } from '../bridge/ledger/review/bulk-action-store.ts';
import { dropOldTasks } from '../bridge/ledger/sync/task-store.ts';
import { dropOldFiles } from '../platform/mail/drop-old-files.ts';
import type { Core } from './core.ts';
import { mailFiles } from './mail-transport.ts';

/** What was being merged while a privacy request came is merged or given up by then. */
const MERGED_MS = 60_000;
const ERASURES = 1_000;
/** In each sweep: searching takes time from webhooks and attempts. */
const MOST_SEARCHING_MS = 500;

/** What became of many orders at once is looked at in the days after it. */
const KEEP_DAYS = 90;

export function dropOld({ pool, config: { keepDeliveriesDays, keepDays, dataDir } }: Core): (() => Promise<unknown>)[] {
  const now = new Date();
  return [
    () => dropOldBodies(pool, { days: keepDeliveriesDays, decidedDays: keepDays.unreadable, now }),
    () => dropOldArrivals(pool, { days: keepDays.arrivals, now }),
    () => forgetOldBuyers(pool, { days: keepDays.buyers, now }),
    () => dropOldExports(pool, { days: keepDays.exports, now }),
    () => dropOldSessions(pool),
    () => dropOldLinks(pool),
    () => dropOldBulkActions(pool, { days: KEEP_DAYS, now }),
    () => dropOldEvents(pool, { days: keepDays.outbox, now }),
    () => dropOldTasks(pool, { days: KEEP_DAYS, now }),
    () => dropOldFiles(mailFiles({ dataDir }), { days: keepDays.outbox, now }),
  ];
}

/** Steps that erase what a privacy request could not reach at once. */
export function eraseLeft({ pool }: Core): (() => Promise<unknown>)[] {
  return [() => finishErasures(pool, { olderThanMs: MERGED_MS, size: ERASURES }), () => eraseUnread(pool, MOST_SEARCHING_MS)];
}
