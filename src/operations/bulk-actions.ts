import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Notify } from '../bridge/delivery/notify.ts';
import {
  type BulkAction,
  leaseBulkAction,
  leaveBulkAction,
  leftOfBulkAction,
  readBulkAction,
  renewBulkAction,
} from '../bridge/ledger/review/bulk-action-store.ts';
import { type OrderInReview, releaseFromReview } from '../bridge/ledger/review/release-from-review.ts';
import { releasableOf, resolveMany } from '../bridge/ledger/review/resolutions.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import type { Actor } from '../platform/trail/trail.ts';
import { Refusal } from './refusal.ts';

/** `background`: keeps what goes on after an answer; its failure is logged, and a stop of the process waits for it. */
export type BulkActionDeps = WorkDeps & { background(work: Promise<unknown>): void };

export type Begun = { bulkAction: string };

/** A bulk action of more than one page goes on behind the answer; what is done by then is seen at once. */
const ANSWER_MS = 500;

/** Works on a bulk action, or goes on with one that was cut short: whoever asks is answered within a second. */
export async function beginWork(deps: BulkActionDeps, { bulkAction: id, by }: { bulkAction: string; by: Actor }): Promise<Begun> {
  const bulkAction = await takeBulkAction(deps.pool, id);
  const work = workOnBulkAction(deps, bulkAction, by);
  if (bulkAction.orders > BULK_PAGE) deps.background(work);
  await (bulkAction.orders > BULK_PAGE ? Promise.race([work, sleep(ANSWER_MS)]) : work);
  return { bulkAction: id };
}

/** A bulk action that nobody works on is this process’s, until it leaves it. */
export async function takeBulkAction(pool: Pool, id: string): Promise<BulkAction> {
  const bulkAction = await readBulkAction(pool, id);
  if (bulkAction !== null && (await leaseBulkAction(pool, id))) return bulkAction;
  throw new Refusal(
    'conflict',
    { en: 'these orders are being decided already', bg: 'тези поръчки вече се решават' },
    { advice: { en: 'the page of what was done shows how far that came', bg: 'страницата на стореното показва докъде е стигнало' } },
  );
}

export type WorkDeps = { pool: Pool; notify: Notify; now(): Date; isStopping?(): boolean };

/** `done`: how many were released or resolved; the others could not be by then. */
export type BulkActionWork = { done: number };

/** Short enough that nobody waits for it, and no stop. */
export const BULK_PAGE = 300;

/** How the orders of a bulk action are decided; a bulk action of an issue releases. */
const decision = z.object({ what: z.enum(['release', 'not-a-sale', 'elsewhere']), why: z.string() });
export type BulkDecision = z.output<typeof decision>;

/** Does to each order of a bulk action that is left what the bulk action is about, page by page, and ends early where the process stops. The caller holds the bulk action. */
export async function workOnBulkAction(deps: WorkDeps, { id, about, orders }: Pick<BulkAction, 'id' | 'about' | 'orders'>, by: Actor): Promise<BulkActionWork> {
  const { pool } = deps;
  const decided = decision.safeParse(about).data ?? { what: 'release', why: '' };
  let [done, from] = [0, 1];
  try {
    for (; from <= orders && deps.isStopping?.() !== true; from += BULK_PAGE) {
      const left = await leftOfBulkAction(pool, id, { from, to: from + BULK_PAGE - 1 });
      done += await decide(deps, left, { ...decided, by });
      await renewBulkAction(pool, id);
    }
  } finally {
    await leaveBulkAction(pool, id, { hasEnded: from > orders });
  }
  return { done };
}

async function decide({ pool, notify, now }: WorkDeps, left: readonly OrderInReview[], { what, why, by }: BulkDecision & { by: Actor }): Promise<number> {
  if (left.length === 0) return 0;
  const ids = left.map(({ id }) => id);
  if (what !== 'release') return (await resolveMany(pool, ids, { how: what, by, why, at: now().toISOString() })).length;
  const notified = await releaseFromReview(pool, await releasableOf(pool, ids), { by, why: why === '' ? undefined : why });
  notify(notified);
  return notified.length;
}
