import { findOrders, type OrdersWanted } from '../../bridge/ledger/find-orders.ts';
import { insertRun } from '../../bridge/ledger/run-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { type Begun, beginWork, type RunDeps, takeRun } from '../runs/begin-work.ts';
import { type RunDecision, type RunWork, type WorkDeps, workOnRun } from '../runs/work-on-run.ts';
import { MOST_COUNTED } from './find-orders.ts';

/** What is done to all of them. `about`: how they were chosen, in words for people. */
export type Decision = RunDecision & { ids: readonly number[]; about: string; by: Actor };

/** `run`: by which it is found again. */
export type Decided = RunWork & { run: string };

/** Releases or settles many parked orders, and keeps that as a run, before anything is done: whoever comes back sees what became of them. */
export async function decideMany(deps: WorkDeps, decision: Decision): Promise<Decided> {
  const run = await keepRun(deps.pool, decision);
  return { run, ...(await workOnRun(deps, await takeRun(deps.pool, run), decision.by)) };
}

/** The same, answered within a second: what is not done by then goes on in the background. */
export async function beginMany(deps: RunDeps, decision: Decision): Promise<Begun> {
  return beginWork(deps, { run: await keepRun(deps.pool, decision), by: decision.by });
}

async function keepRun(pool: Pool, { ids, about, by, why, what }: Decision): Promise<string> {
  if (ids.length === 0) throw new Refusal('invalid', { en: 'no order is chosen', bg: 'не е избрана поръчка' });
  if (ids.length > MOST_COUNTED) {
    throw new Refusal('invalid', {
      en: `more than ${MOST_COUNTED} orders are chosen; narrow the list`,
      bg: `избрани са повече от ${MOST_COUNTED} поръчки; стеснете списъка`,
    });
  }
  const decision = { what, why } satisfies RunDecision;
  return insertRun(pool, { who: by, act: what === 'release' ? 'order.released' : 'order.settled', about: { words: about, ...decision }, orders: [...ids] });
}

/** The ids of all orders that are wanted, one more than may be chosen at most. */
export async function chosenByList({ pool }: { pool: Pool }, wanted: OrdersWanted): Promise<number[]> {
  return (await findOrders(pool, wanted, { after: null, limit: MOST_COUNTED + 1 })).map(({ id }) => id);
}
