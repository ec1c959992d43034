import type { Connection } from '../../bridge/connections/connection.ts';
import { ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import { type Became, type BulkAction, readBulkAction, whatBecame } from '../../bridge/ledger/review/bulk-action-store.ts';
import type { OrderState } from '../../bridge/order/decisions/order-state.ts';
import { missingSettings } from '../../bridge/order/facts/failure.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type BulkActionAbout, readAbout } from './check-one.ts';
import { groupId, type IssueGroup, type SeenShops } from './issue-group.ts';

/** `bulkActions`: what became of a large bulk action, as it was a moment ago; null: it is being counted. */
type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> }; bulkActions: CountedBulkActions };
export type CountedBulkActions = { became(id: string): Promise<Became[] | null> };

/** So many are counted while somebody waits: each is looked up. */
const MOST_AT_ONCE = 10_000;

/** Orders of a bulk action that a person is asked about now: similar ones. */
export type IssueInBulkAction = Pick<IssueGroup, 'id' | 'code' | 'pattern' | 'settings' | 'connectionId'> & { orders: number };

/** What somebody did to many orders, and what became of them. */
export type ShownBulkAction = {
  id: string;
  who: string;
  at: string;
  act: string;
  about: BulkActionAbout | null;
  orders: number;
  /** False: there are so many that they are still being counted, and the figures below are not known. */
  isCounted: boolean;
  /** Nothing was done to them yet. */
  left: number;
  /** Those that are left are still to come; if not, they could not be decided with the others. */
  isWorkedOn: boolean;
  underWay: number;
  /** Decided, and nobody is asked. */
  done: { state: OrderState; orders: number }[];
  issues: IssueInBulkAction[];
  /** If it was one: itself. */
  one: { id: number; number: string | null; state: OrderState; complianceId: string | null; detail: string | null } | null;
};

/** Null: there is none, it was more than 90 days ago, or its store is none of these shops'. */
export async function showBulkAction({ pool, connections, bulkActions }: Deps, { id, shops }: SeenShops & { id: string }): Promise<ShownBulkAction | null> {
  const bulkAction = await readBulkAction(pool, id);
  if (bulkAction === null) return null;
  const about = readAbout(bulkAction.about);
  if (shops !== null && !(await isSeen(connections, about, shops))) return null;
  const [counted, one] = await Promise.all([bulkAction.orders <= MOST_AT_ONCE ? whatBecame(pool, id) : bulkActions.became(id), theOne(pool, bulkAction)]);
  const became = counted ?? [];
  const of = (is: (typeof became)[number]['is']) => became.filter((some) => some.is === is);
  const isAsked = ({ code, state }: (typeof became)[number]) => code !== '' || state === 'unconfirmed';
  return {
    ...{ id, who: bulkAction.who, at: bulkAction.at, act: bulkAction.act, about, orders: bulkAction.orders, one, isCounted: counted !== null },
    left: countOf(of('left')),
    isWorkedOn: bulkAction.isWorkedOn,
    underWay: countOf(of('under-way')),
    done: of('done')
      .filter((some) => !isAsked(some))
      .map(({ state, count }) => ({ state, orders: count })),
    issues: of('done')
      .filter(isAsked)
      .map(({ connectionId, code, pattern, count }) => {
        const group = { connectionId, code, pattern };
        return { ...group, id: groupId(group), settings: missingSettings(code, pattern), orders: count };
      }),
  };
}

async function isSeen(connections: Deps['connections'], about: BulkActionAbout | null, shops: readonly string[]): Promise<boolean> {
  return (await connections.list()).some(({ id, shopId }) => id === about?.connectionId && shops.includes(shopId));
}

async function theOne(pool: Pool, { orders, first }: BulkAction): Promise<ShownBulkAction['one']> {
  const [order] = orders === 1 && first !== null ? await ordersOfIds(pool, [first]) : [];
  if (order === undefined) return null;
  const { id, number, state, complianceId, review } = order;
  return { id, number, state, complianceId, detail: review?.detail ?? null };
}

function countOf(some: readonly { count: number }[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}
