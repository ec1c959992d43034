import { deliveriesInReview } from '../../bridge/ledger/delivery-store.ts';
import { heldHosts } from '../../bridge/ledger/held-deliveries.ts';
import { type ReviewExample, type ReviewGroup, reviewExamples, reviewGroups } from '../../bridge/ledger/review-groups.ts';
import { failureWords } from '../../bridge/order/failure.ts';
import { orderStates } from '../../bridge/order/order-state.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { listingMonth } from '../../service/law/listing-month.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { type StoreNames, storeNames } from '../connections/store-names.ts';
import { type WaitingDelivery, type WaitingStore, waitingDelivery, waitingStore } from './list-waiting.ts';
import { sumWords } from './sum-words.ts';

type Deps = { pool: Pool; connections: FindConnection; now(): Date };

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
export type ReviewList = { reasons: ReviewReason[]; deliveries: WaitingDelivery[]; stores: WaitingStore[]; nameOf: StoreNames };

const UNCONFIRMED = {
  means: orderStates.unconfirmed,
  todo: 'Look at the compliance service: if the record is there, `orderbridge resolve ORDER --recorded ITS_ID`; if it is not, `orderbridge resolve ORDER --not-recorded`.',
};

/** What waits for a person: orders counted by reason and store, the largest groups first; webhooks that can't be read, and hosts, one by one. */
export async function listReview({ pool, connections, now }: Deps): Promise<ReviewList> {
  const [groups, deliveries, hosts, all] = await Promise.all([reviewGroups(pool), deliveriesInReview(pool), heldHosts(pool), connections.list()]);
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

type Around = { nameOf: StoreNames; today: string; examples: ReadonlyMap<number, ReviewExample> };

function reason(code: string, groups: readonly ReviewGroup[], around: Around): ReviewReason {
  const { means, todo } = code === 'unconfirmed' ? UNCONFIRMED : failureWords(code);
  const stores = [...Map.groupBy(groups, ({ connectionId }) => connectionId)].map(([id, of]) => atStore(id, of, around));
  return { code, means, todo, orders: ordersIn(groups), total: sumWords(groups), stores: stores.toSorted((a, b) => b.orders - a.orders) };
}

function atStore(connectionId: string, groups: readonly ReviewGroup[], { nameOf, today, examples }: Around): ReviewAt {
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
