import { deliveriesInReview, type KeptDelivery, type QuarantinedHost, quarantinedHosts } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { keptOrders } from '../../bridge/ledger/orders/read-orders.ts';
import { type ReviewExample, type ReviewGroup, reviewExamples, reviewGroups } from '../../bridge/ledger/review/review-groups.ts';
import { orderStates } from '../../bridge/order/decisions/order-state.ts';
import { failureWords } from '../../bridge/order/facts/failure.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sofiaDay } from '../../service/law/calendar.ts';
import { deadlineOf, listingMonth } from '../../service/law/deadlines.ts';
import { type FindConnection, type StoreNames, storeNames } from '../connections/known-connection.ts';
import { type OrderBrief, orderBrief, todoOf } from './order-report.ts';
import { sumWords } from './sum-words.ts';

/** The orders of one store that wait for one reason. */
export type ReviewAt = {
  connectionId: string;
  /** What people call the store. */
  store: string;
  orders: number;
  /** What their customers paid, before refunds, such as `36.00 EUR + 12.00 USD`; null: not known. */
  total: string | null;
  /** ISO instant of the first one's creation; null: not known. */
  oldest: string | null;
  /** The month whose file would be the first to miss one of them, and the last day on which that can be filed; null: all of them have a record. */
  month: { month: string; due: string } | null;
  /** The newest ones. */
  examples: ReviewExample[];
};

/** Everything that waits for one reason: `code` is that of a failure, or `unconfirmed`. */
export type ReviewReason = { code: string; means: string; todo: string; orders: number; total: string | null; stores: ReviewAt[] };

/** `nameOf`: what people call the store of a connection. */
type ReviewList = { reasons: ReviewReason[]; deliveries: WaitingDelivery[]; stores: WaitingStore[]; nameOf: StoreNames };

const UNCONFIRMED = {
  means: orderStates.unconfirmed.means,
  todo: 'Look at the compliance service: if the record is there, `orderbridge confirm ORDER --recorded ITS_ID`; if it is not, `orderbridge confirm ORDER --not-recorded`.',
};

/** What waits for a person: orders counted by reason and store, the largest groups first; webhooks that can't be read, and hosts, one by one. */
export async function listReview({ pool, connections, now }: { pool: Pool; connections: FindConnection; now(): Date }): Promise<ReviewList> {
  const [groups, deliveries, hosts, all] = await Promise.all([reviewGroups(pool), deliveriesInReview(pool), quarantinedHosts(pool), connections.list()]);
  const examples = await reviewExamples(
    pool,
    groups.flatMap(({ newest }) => newest),
  );
  const nameOf = storeNames(all);
  const around = { nameOf, today: sofiaDay(now().toISOString()), examples: new Map(examples.map((one) => [one.id, one])) };
  const byCode = Map.groupBy(groups, ({ code }) => code ?? 'unconfirmed');
  const reasons = [...byCode].map(([code, of]) => reason(code, of, around)).toSorted((a, b) => b.orders - a.orders || a.code.localeCompare(b.code));
  return { reasons, deliveries: deliveries.map(waitingDelivery), stores: hosts.map(waitingStore), nameOf };
}

type TextContext = { nameOf: StoreNames; today: string; examples: ReadonlyMap<number, ReviewExample> };

function reason(code: string, groups: readonly ReviewGroup[], around: TextContext): ReviewReason {
  const { means, todo } = code === 'unconfirmed' ? UNCONFIRMED : failureWords(code);
  const stores = [...Map.groupBy(groups, ({ connectionId }) => connectionId)].map(([id, of]) => atStore(id, of, around));
  return { code, means, todo, orders: ordersIn(groups), total: sumWords(groups), stores: stores.toSorted((a, b) => b.orders - a.orders) };
}

function atStore(connectionId: string, groups: readonly ReviewGroup[], { nameOf, today, examples }: TextContext): ReviewAt {
  const oldest = first(groups);
  const unrecorded = first(groups.filter((group) => group.unrecorded > 0));
  const month = unrecorded === null ? null : listingMonth(unrecorded, today);
  return {
    connectionId,
    store: nameOf(connectionId),
    orders: ordersIn(groups),
    total: sumWords(groups),
    oldest: oldest === null ? null : new Date(oldest).toISOString(),
    month: month === null ? null : { month, due: deadlineOf(month) },
    examples: groups.flatMap(({ newest }) => newest.flatMap((id) => examples.get(id) ?? [])),
  };
}

function ordersIn(groups: readonly ReviewGroup[]): number {
  return groups.reduce((sum, { orders }) => sum + orders, 0);
}

function first(groups: readonly ReviewGroup[]): string | null {
  const times = groups.flatMap(({ oldest }) => (oldest === null || Number.isNaN(Date.parse(oldest)) ? [] : [oldest]));
  return times.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}

const MOST = 10_000;

export type WaitingOrder = OrderBrief & { todo: string | null };
export type WaitingDelivery = KeptDelivery & { todo: string };
/** A host that webhooks of a connection name, and that is not known as its store's; `deliveries` counts those that are quarantined. */
export type WaitingStore = QuarantinedHost & { code: 'store.other'; todo: string };

/** `cutAt`: only so many of a kind are listed, the newest; null: all are. `unreadable`: rows that can't be read, by table, id and field. */
export type Waiting = {
  orders: WaitingOrder[];
  deliveries: WaitingDelivery[];
  stores: WaitingStore[];
  unreadable: readonly Error[];
  cutAt: number | null;
};

/** Everything that waits for a person, with what to do: unconfirmed orders, ones in review, webhooks that can't be read, and hosts of which nobody said whose they are. */
export async function listWaiting({ pool }: { pool: Pool }, most = MOST): Promise<Waiting> {
  const [review, lost, deliveries, hosts] = await Promise.all([
    keptOrders(pool, { state: 'review', limit: most }),
    keptOrders(pool, { state: 'unconfirmed', limit: most }),
    deliveriesInReview(pool),
    quarantinedHosts(pool),
  ]);
  return {
    orders: [...lost.orders, ...review.orders].map((view) => ({ ...orderBrief(view), todo: todoOf(view) })),
    deliveries: deliveries.map(waitingDelivery),
    stores: hosts.map(waitingStore),
    unreadable: [...lost.unreadable, ...review.unreadable],
    cutAt: [review, lost].some(({ orders, unreadable }) => orders.length + unreadable.length === most) ? most : null,
  };
}

function waitingDelivery(delivery: KeptDelivery): WaitingDelivery {
  return { ...delivery, todo: deliveryTodo(delivery) };
}

function waitingStore(quarantined: QuarantinedHost): WaitingStore {
  return { ...quarantined, code: 'store.other', todo: hostWords(quarantined) };
}

function hostWords({ connectionId, host }: QuarantinedHost): string {
  return failureWords('store.other').todo.replaceAll('CONNECTION', connectionId).replaceAll('HOST', host);
}

/** What a person does about a delivery that waits. */
export function deliveryTodo({ id, code, kept }: Pick<KeptDelivery, 'id' | 'code' | 'kept'>): string {
  if (kept) return failureWords(code ?? 'payload.unreadable').todo.replaceAll('DELIVERY', id);
  return `Its body is gone, so it can’t be replayed: save the order in the store, which sends it again, and \`orderbridge delivery dismiss ${id}\`.`;
}
