import type { Notify } from '../../bridge/delivery/notify.ts';
import { joinOrder, renameOrder, type SplitOrMerged, separateOrder, type Undecided, undecidedBeside } from '../../bridge/ledger/review/split-or-merge.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { Refusal } from '../refusal.ts';
import { namedOrders } from './named-order.ts';

type Deps = { pool: Pool; notify: Notify };

/** `orderId`: the order's id from now on, here and at the compliance service. */
export type SplitOrMerge = { orderId: string };

/**
 * A person says that an order which came under the id of another one, or whose id another order's record has at the compliance service, is a sale
 * of its own. `named` may name either order; if several wait for this, it refuses and lists them.
 */
export async function splitOrder(deps: Deps, named: string, said?: Authorship): Promise<SplitOrMerge> {
  const { orders, conflicts, undecided } = await toSplitOrMerge(deps, named);
  const { id } = theOne(named, orders, [...undecided, ...conflicts]);
  const isConflict = conflicts.some((one) => one.id === id);
  return notified(deps, named, await (isConflict ? renameOrder : separateOrder)(deps.pool, id, said));
}

/** A person says that an order which came under the id of another one is that one: its facts are merged into the first. */
export async function mergeOrder(deps: Deps, named: string, said?: Authorship): Promise<SplitOrMerge> {
  const { orders, undecided } = await toSplitOrMerge(deps, named);
  return notified(deps, named, await joinOrder(deps.pool, theOne(named, orders, undecided).id, said));
}

type Ids = readonly Pick<Undecided, 'id'>[];

async function toSplitOrMerge({ pool }: Deps, named: string): Promise<{ orders: Ids; conflicts: Undecided[]; undecided: Undecided[] }> {
  const orders = await namedOrders({ pool }, named);
  const conflicts = orders.filter(({ state, review }) => state === 'review' && review?.code === 'compliance.conflict');
  const ids = orders.map(({ id }) => id);
  return { orders, conflicts, undecided: await undecidedBeside(pool, ids) };
}

function theOne(named: string, orders: Ids, waiting: readonly Undecided[]): Undecided {
  const exact = orders.length === 1 ? waiting.find(({ id }) => id === orders[0]?.id) : undefined;
  const [first, ...others] = waiting;
  if (first === undefined) {
    const said = { en: `nobody is asked whether ${named} is another order`, bg: `никой не пита дали ${named} е друга поръчка` };
    throw new Refusal('conflict', {
      ...said,
      advice: '`orderbridge review` lists what waits for a person',
    });
  }
  if (exact !== undefined || others.length === 0) return exact ?? first;
  throw new Refusal('conflict', {
    en: `${named} names several orders that wait for this`,
    bg: `${named} е име на няколко поръчки, които чакат това`,
    advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
    choices: { header: ['id', 'connection', 'order'], rows: waiting.map(({ id, connectionId, orderId }) => [`id:${id}`, connectionId, orderId]) },
  });
}

async function notified({ notify }: Deps, named: string, done: SplitOrMerged): Promise<SplitOrMerge> {
  if (done.is === 'changed') {
    const said = { en: `the order ${named} has changed meanwhile`, bg: `поръчка ${named} междувременно се промени` };
    throw new Refusal('conflict', {
      ...said,
      advice: '`orderbridge review` shows what it waits for now',
    });
  }
  if (done.is === 'recorded') {
    throw new Refusal('conflict', {
      en: `something of the order ${named} is recorded already, or may be: it keeps its id`,
      bg: `нещо от поръчка ${named} вече е записано или може да е: тя остава със своя идентификатор`,
      advice: '`orderbridge order` shows it',
    });
  }
  notify([{ id: done.id, dueAt: 0 }]);
  return { orderId: done.orderId };
}
