import { setTimeout as sleep } from 'node:timers/promises';
import { holdRun, type Run, readRun } from '../../bridge/ledger/run-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { RUN_PAGE, type WorkDeps, workOnRun } from './work-on-run.ts';

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
