import type { Connection } from '../../bridge/connections/connection.ts';
import { ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import { type Became, type BulkAction, readBulkAction, recordedSums, whatBecame } from '../../bridge/ledger/review/bulk-action-store.ts';
import type { OrderState } from '../../bridge/order/decisions/order-state.ts';
import { missingSettings } from '../../bridge/order/facts/failure.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sumWords } from '../orders/sum-words.ts';
import { documentOf } from '../service/recorded-orders.ts';
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
  /** Of those that are recorded by now, what customers paid, such as `36.00 EUR + 12.00 USD`; null: none is, or there are too many. */
  recordedTotal: string | null;
  /** If it was one: itself. */
  one: OneOfBulkAction | null;
};

/** `recorded`: what its record says; null: it has none. `document`: the number that our own service gave it; null: it gave none. */
type OneOfBulkAction = { id: number; number: string | null; state: OrderState; detail: string | null; recorded: RecordedAs | null };
type RecordedAs = { total: string; paymentType: string; paymentProcessorName: string | null; document: string | null };

/** Null: there is none, it was more than 90 days ago, or its store is none of these shops'. */
export async function showBulkAction(deps: Deps, { id, shops }: SeenShops & { id: string }): Promise<ShownBulkAction | null> {
  const { pool, connections, bulkActions } = deps;
  const bulkAction = await readBulkAction(pool, id);
  if (bulkAction === null) return null;
  const about = readAbout(bulkAction.about);
  if (shops !== null && !(await isSeen(connections, about, shops))) return null;
  const isFew = bulkAction.orders <= MOST_AT_ONCE;
  const [counted, one, sums] = await Promise.all([
    isFew ? whatBecame(pool, id) : bulkActions.became(id),
    theOne(deps, bulkAction),
    isFew ? recordedSums(pool, id) : [],
  ]);
  const became = counted ?? [];
  const of = (is: (typeof became)[number]['is']) => became.filter((some) => some.is === is);
  const isAsked = ({ code, state }: (typeof became)[number]) => code !== '' || state === 'unconfirmed';
  return {
    ...{
      id,
      who: bulkAction.who,
      at: bulkAction.at,
      act: bulkAction.act,
      about,
      orders: bulkAction.orders,
      one,
      isCounted: counted !== null,
      recordedTotal: sumWords(sums),
    },
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

async function theOne({ pool }: Deps, { orders, first }: BulkAction): Promise<ShownBulkAction['one']> {
  const [order] = orders === 1 && first !== null ? await ordersOfIds(pool, [first]) : [];
  if (order === undefined) return null;
  const { id, number, state, complianceId, review, record } = order;
  const document = complianceId === null ? null : await documentOf({ pool }, complianceId);
  return {
    id,
    number,
    state,
    detail: review?.detail ?? null,
    recorded: record === null ? null : { ...recordedAs(record), document: document?.number ?? null },
  };
}

function recordedAs({ lineItems, precision, currency, paymentType, paymentProcessorName }: TaxRecord): Omit<RecordedAs, 'document'> {
  return { total: `${totalsOf({ lines: lineItems, precision }).total} ${currency}`, paymentType, paymentProcessorName };
}

function countOf(some: readonly { count: number }[]): number {
  return some.reduce((sum, { count }) => sum + count, 0);
}
