import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Notify } from '../bridge/delivery/notify.ts';
import { leftOfBulkAction, readBulkAction } from '../bridge/ledger/review/bulk-action-store.ts';
import { type OrderInReview, releaseFromReview } from '../bridge/ledger/review/release-from-review.ts';
import { releasableOf, resolveMany } from '../bridge/ledger/review/resolutions.ts';
import type { Actor } from '../platform/audit-log/audit-log.ts';
import { DONE, each, type Run } from '../platform/jobs/job-kind.ts';
import type { RunningJobs } from '../platform/jobs/run-jobs.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { Refusal } from './refusal.ts';

/** `jobs`: those of this process, of which bulk actions are a kind. */
export type BulkActionDeps = { pool: Pool; jobs: Pick<RunningJobs, 'runNow'> };

/** `background`: keeps what goes on after an answer; its failure is logged. */
export type BackgroundDeps = BulkActionDeps & { background(work: Promise<unknown>): void };

export type BegunBulkAction = { bulkAction: string };

/** A bulk action of more than one page goes on behind the answer; what is done by then is seen at once. */
const ANSWER_MS = 500;

/** Works on a bulk action that was just kept: anyone who asks is answered within a second. */
export async function beginWork(deps: BackgroundDeps, { bulkAction: id, orders }: BegunBulkAction & { orders: number }): Promise<BegunBulkAction> {
  const work = workOnBulkAction(deps, id);
  if (orders > BULK_PAGE) deps.background(work);
  await (orders > BULK_PAGE ? Promise.race([work, sleep(ANSWER_MS)]) : work);
  return { bulkAction: id };
}

/** Works on a bulk action to its end; if this process dies, another one goes on. */
export async function workOnBulkAction({ jobs }: BulkActionDeps, id: string): Promise<void> {
  const end = await jobs.runNow('bulk-action', id);
  if (end?.is === 'failed') throw new Error(end.why);
  if (end !== null) return;
  throw new Refusal('conflict', {
    en: 'these orders are being decided already',
    bg: 'тези поръчки вече се решават',
    advice: { en: 'the page of what was done shows how far that came', bg: 'страницата на стореното показва докъде е стигнало' },
  });
}

type RunDeps = { pool: Pool; notify: Notify; now(): Date };

/** Short enough that nobody waits for it, and no stop. */
export const BULK_PAGE = 300;

/** How the orders of a bulk action are decided; a bulk action of an issue releases. */
const decision = z.object({ what: z.enum(['release', 'not-a-sale', 'elsewhere']), why: z.string() });
export type BulkDecision = z.output<typeof decision>;

/** How bulk actions are run, whichever process does. */
export function bulkActions({ pool }: { pool: Pool }, notify: Notify): { 'bulk-action': Run } {
  return { 'bulk-action': bulkActionRun({ pool, notify, now: () => new Date() }) };
}

/** Does to each order of a bulk action that is left what the bulk action is about, page by page. */
export function bulkActionRun(deps: RunDeps): Run {
  return each(async ({ key }, signal) => {
    const bulkAction = await readBulkAction(deps.pool, key);
    if (bulkAction === null) return DONE;
    const { who, about, orders } = bulkAction;
    const decided = decision.safeParse(about).data ?? { what: 'release', why: '' };
    for (let from = 1; from <= orders; from += BULK_PAGE) {
      if (signal.aborted) return { is: 'waits', ms: 0 };
      await decide(deps, await leftOfBulkAction(deps.pool, key, { from, to: from + BULK_PAGE - 1 }), { ...decided, by: who });
    }
    return DONE;
  });
}

async function decide({ pool, notify, now }: RunDeps, left: readonly OrderInReview[], { what, why, by }: BulkDecision & { by: Actor }): Promise<void> {
  if (left.length === 0) return;
  const ids = left.map(({ id }) => id);
  if (what === 'release') notify(await releaseFromReview(pool, await releasableOf(pool, ids), { by, why: why === '' ? undefined : why }));
  else await resolveMany(pool, ids, { how: what, by, why, at: now().toISOString() });
}
