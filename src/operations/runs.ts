import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Notify } from '../bridge/delivery/notify.ts';
import { type OrderInReview, releaseFromReview } from '../bridge/ledger/release-from-review.ts';
import { releasableOf, resolveMany } from '../bridge/ledger/resolutions.ts';
import { holdRun, leaveRun, leftOfRun, type Run, readRun, stampRun } from '../bridge/ledger/run-store.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import type { Actor } from '../platform/trail/trail.ts';
import { Refusal } from './refusal.ts';

/** `background`: keeps what goes on after an answer; its failure is logged, and a stop of the process waits for it. */
export type RunDeps = WorkDeps & { background(work: Promise<unknown>): void };

export type Begun = { run: string };

/** A run of more than one page goes on behind the answer; what is done by then is seen at once. */
const ANSWER_MS = 500;

/** Works on a run, or goes on with one that was cut short: whoever asks is answered within a second. */
export async function beginWork(deps: RunDeps, { run: id, by }: { run: string; by: Actor }): Promise<Begun> {
  const run = await takeRun(deps.pool, id);
  const work = workOnRun(deps, run, by);
  if (run.orders > RUN_PAGE) deps.background(work);
  await (run.orders > RUN_PAGE ? Promise.race([work, sleep(ANSWER_MS)]) : work);
  return { run: id };
}

/** A run that nobody works on is this process’s, until it leaves it. */
export async function takeRun(pool: Pool, id: string): Promise<Run> {
  const run = await readRun(pool, id);
  if (run !== null && (await holdRun(pool, id))) return run;
  throw new Refusal(
    'conflict',
    { en: 'these orders are being decided already', bg: 'тези поръчки вече се решават' },
    { advice: { en: 'the page of what was done shows how far that came', bg: 'страницата на стореното показва докъде е стигнало' } },
  );
}

export type WorkDeps = { pool: Pool; notify: Notify; now(): Date; isStopping?(): boolean };

/** `done`: how many were released or resolved; the others could not be by then. */
export type RunWork = { done: number };

/** Short enough that nobody waits for it, and no stop. */
export const RUN_PAGE = 300;

/** How the orders of a run are decided; a run of an issue releases. */
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
  if (what !== 'release') return (await resolveMany(pool, ids, { how: what, by, why, at: now().toISOString() })).length;
  const notified = await releaseFromReview(pool, await releasableOf(pool, ids), { by, why: why === '' ? undefined : why });
  notify(notified);
  return notified.length;
}
