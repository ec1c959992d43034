import { changedSince, chooseInReview, type OrdersWanted, type SeenOrders, seeInReview } from '../../bridge/ledger/orders/find-orders.ts';
import { beginBulkAction, whatBecame } from '../../bridge/ledger/review/bulk-action-store.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type BackgroundDeps, type BegunBulkAction, type BulkActionDeps, type BulkDecision, beginWork, workOnBulkAction } from '../bulk-actions.ts';
import { Refusal } from '../refusal.ts';
import { MOST_COUNTED } from './find-orders.ts';

/** What is done to all of them. `about`: how they were chosen, in words for people. */
export type Decision = BulkDecision & { ids: readonly number[]; about: string; by: Actor };

/** `bulkAction`: by which it is found again. `done`: how many were released or resolved; the others could not be by then. */
export type DecidedOrders = BegunBulkAction & { done: number };

/** Releases or resolves many orders in review, and keeps that as a bulk action, before anything is done: anyone who comes back sees what became of them. */
export async function decideMany(deps: BulkActionDeps, decision: Decision): Promise<DecidedOrders> {
  const bulkAction = await keepBulkAction(deps.pool, decision);
  await workOnBulkAction(deps, bulkAction);
  const became = await whatBecame(deps.pool, bulkAction);
  return { bulkAction, done: became.reduce((sum, { is, count }) => (is === 'left' ? sum : sum + count), 0) };
}

/** The same, answered within a second: what is not done by then goes on in the background. */
export async function beginMany(deps: BackgroundDeps, decision: Decision): Promise<BegunBulkAction> {
  return beginWork(deps, { bulkAction: await keepBulkAction(deps.pool, decision), orders: decision.ids.length });
}

async function keepBulkAction(pool: Pool, { ids, about, by, why, what }: Decision): Promise<string> {
  if (ids.length === 0) throw new Refusal('invalid', { en: 'no order is chosen', bg: 'не е избрана поръчка' });
  if (ids.length > MOST_COUNTED) {
    throw new Refusal('invalid', {
      en: `more than ${MOST_COUNTED} orders are chosen; narrow the list`,
      bg: `избрани са повече от ${MOST_COUNTED} поръчки; стеснете списъка`,
    });
  }
  const decision = { what, why } satisfies BulkDecision;
  return beginBulkAction(pool, {
    who: by,
    act: what === 'release' ? 'order.released' : 'order.resolved',
    about: { words: about, ...decision },
    orders: [...ids],
  });
}

/** All orders in review that are wanted, one more than may be chosen at most; `digest`: of what they are, as `seenByList` had it. */
export function chosenByList({ pool }: { pool: Pool }, wanted: OrdersWanted): Promise<{ ids: number[]; digest: string }> {
  return chooseInReview(pool, wanted, MOST_COUNTED + 1);
}

/** What somebody sees who acts on all that are wanted. */
export function seenByList({ pool }: { pool: Pool }, wanted: OrdersWanted): Promise<SeenOrders> {
  return seeInReview(pool, wanted, MOST_COUNTED + 1);
}

const MOST_NAMED = 10;

/** What people call those of them that changed since they were seen; `at`: as `seenByList` had it. */
export async function changedSinceSeen({ pool }: { pool: Pool }, ids: readonly number[], at: string): Promise<string[]> {
  const since = new Date(at);
  return Number.isNaN(since.getTime()) ? [] : changedSince(pool, ids, { at: since, most: MOST_NAMED });
}
