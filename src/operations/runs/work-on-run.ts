import { z } from 'zod';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { releasableOf, settleMany } from '../../bridge/ledger/decide-many.ts';
import { type OrderInReview, releaseFromReview } from '../../bridge/ledger/release-from-review.ts';
import { leaveRun, leftOfRun, type Run, stampRun } from '../../bridge/ledger/run-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';

export type WorkDeps = { pool: Pool; notify: Notify; now(): Date; isStopping?(): boolean };

/** `done`: how many were released or settled; the others could not be by then. */
export type RunWork = { done: number };

/** Short enough that nobody waits for it, and no stop. */
export const RUN_PAGE = 300;

/** How the orders of a run are decided; a run of a desk releases. */
const decision = z.object({ what: z.enum(['release', 'not-a-sale', 'elsewhere']), why: z.string() });
export type RunDecision = z.output<typeof decision>;

/** Does to each order of a run that is left what the run is about, page by page, and ends early where the process stops. The caller holds the run. */
export async function workOnRun(deps: WorkDeps, { id, about, orders }: Pick<Run, 'id' | 'about' | 'orders'>, by: Actor): Promise<RunWork> {
  const { pool } = deps;
  const decided = decision.safeParse(about).data ?? { what: 'release', why: '' };
  let [done, from] = [0, 1];
  try {
    for (; from <= orders && deps.isStopping?.() !== true; from += RUN_PAGE) {
      const left = await leftOfRun(pool, id, { from, to: from + RUN_PAGE - 1 });
      done += await decide(deps, left, { ...decided, by });
      await stampRun(pool, id);
    }
  } finally {
    await leaveRun(pool, id, { hasEnded: from > orders });
  }
  return { done };
}

async function decide({ pool, notify, now }: WorkDeps, left: readonly OrderInReview[], { what, why, by }: RunDecision & { by: Actor }): Promise<number> {
  if (left.length === 0) return 0;
  const ids = left.map(({ id }) => id);
  if (what !== 'release') return (await settleMany(pool, ids, { how: what, by, why, at: now().toISOString() })).length;
  const notified = await releaseFromReview(pool, await releasableOf(pool, ids), { by, why: why === '' ? undefined : why });
  notify(notified);
  return notified.length;
}
