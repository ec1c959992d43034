import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../connections/connection.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import type { OrderNews } from '../order/facts/facts.ts';
import { type ChangedPage, type ChangedQuery, type FoundOrders, latest, type OrderSummary, type SoughtOrder } from '../storefronts/store-reader.ts';
import { compareSummary, isOlderThere, type Knowledge, type KnownSummary } from './compare-summary.ts';

/** The topic of news that were read from a store, not sent by it. */
export const READ_TOPIC = 'reconcile';

/** A store that can be read, and one request to it. */
export type ReadableStore = {
  connection: Connection;
  /** The name by which webhooks call the store; null: none does. */
  storeName: string | null;
  changedSince(query: ChangedQuery): Promise<ChangedPage>;
  ordersById(sought: readonly SoughtOrder[]): Promise<FoundOrders>;
  /** As `StoreReader.ordersAtOnce`. */
  ordersAtOnce?: number | undefined;
  /** Orders placed before that instant (ISO) are hidden from its key; null, or absent: none are. */
  showsSince?(): Promise<string | null>;
};

export type ReadPageDeps = {
  /** By the platform's id; orders that are not known are absent. */
  knownSummaries(connection: Connection, orderIds: readonly string[]): Promise<Map<string, KnownSummary[]>>;
  /** Resolves when the queue has them, or the inbox. */
  handOver(deliveries: AcceptedDelivery[]): Promise<void>;
  /** Keeps which orders of a page could not be read whole, and of which the store shows an older state. */
  noteUnread(connectionId: string, summaries: SummariesRead): Promise<void>;
  now(): number;
};

/** As much of a listed order as is kept until it is read whole. */
export type OutdatedOrder = Pick<OrderSummary, 'orderId' | 'number' | 'updatedAt'>;

/**
 * `unread`: those that the store lists, but does not show, or not as an order that can be read. `read`: those of which all is known, or on its way; `older`:
 * those of them of which it shows an older state than before, if that was looked at.
 */
export type SummariesRead = { unread: readonly OutdatedOrder[]; read: readonly OutdatedOrder[]; older?: readonly OrderSummary[] };

export type SummaryRead = { summary: OrderSummary; is: Knowledge };

/** One page of a store's changes. */
export type PageRead = { summaries: SummaryRead[]; next: string | null };

/** Orders that are read whole by one call, where the storefront names no number. */
const AT_ONCE = 100;

export function ordersAtOnce({ ordersAtOnce: most = AT_ONCE }: Pick<ReadableStore, 'ordersAtOnce'>): number {
  return most;
}

/** Reads one page of what changed in a store, and compares it with the ledger. */
export async function readPage(deps: ReadPageDeps, store: ReadableStore, query: ChangedQuery): Promise<PageRead> {
  const listedAt = deps.now();
  const { summaries: listed, next } = await store.changedSince(query);
  const known = await knownOf(deps, store, listed);
  const summaries = listed.map((summary) => ({ summary, is: compareSummary(summary, known.get(summary.orderId) ?? []) }));
  const read = summaries.filter(({ is }) => is === 'known').map(({ summary }) => summary);
  const older = read.filter((summary) => isOlderThere(summary, known.get(summary.orderId) ?? [], listedAt));
  await deps.noteUnread(store.connection.id, { unread: [], read, older });
  return { summaries, next };
}

/** The orders of a page that are unknown or stale here. */
export function outdatedOf({ summaries }: Pick<PageRead, 'summaries'>): OutdatedOrder[] {
  const outdated = summaries.flatMap(({ summary, is }) => (is === 'known' ? [] : [summary]));
  const each = latest(outdated, { id: ({ orderId }) => orderId, changedAt: ({ updatedAt }) => updatedAt });
  return [...each.values()].map(({ orderId, number, updatedAt }) => ({ orderId, number, updatedAt }));
}

/** Hands orders of a page to the recorder, whole: the news that webhooks would have given. */
export async function handOverOutdated(
  deps: ReadPageDeps,
  store: ReadableStore,
  outdated: readonly OutdatedOrder[],
): Promise<{ handed: number; unread: string[] }> {
  const known = await knownOf(deps, store, outdated);
  const wasDeleted = (orderId: string) => known.get(orderId)?.some(({ isDeleted }) => isDeleted) === true;
  const sought = outdated.map(({ orderId }) => ({ orderId, placedAt: null }));
  const { handed, unread } = await handOverWhole(deps, store, { sought, wasDeleted });
  const isUnread = ({ orderId }: OutdatedOrder) => unread.includes(orderId);
  await deps.noteUnread(store.connection.id, { unread: outdated.filter(isUnread), read: outdated.filter((one) => !isUnread(one)) });
  return { handed, unread };
}

function knownOf(deps: ReadPageDeps, { connection }: ReadableStore, orders: readonly OutdatedOrder[]): Promise<Map<string, KnownSummary[]>> {
  return deps.knownSummaries(
    connection,
    orders.map(({ orderId }) => orderId),
  );
}

export type Sought = {
  sought: readonly SoughtOrder[];
  /** A webhook said that it is gone: if the store has it, it is back. */
  wasDeleted(orderId: string): boolean;
  /** They are recorded whenever they were paid. */
  takenIn?: true;
};

/** Reads orders whole and hands them over, one call's after the other; one that the store says is gone, as deleted. */
export async function handOverWhole(
  deps: ReadPageDeps,
  store: ReadableStore,
  { sought, wasDeleted, takenIn }: Sought,
): Promise<{ handed: number; gone: string[]; unread: string[] }> {
  const gone: string[] = [];
  const unread: string[] = [];
  let handed = 0;
  for (let at = 0, most = ordersAtOnce(store); at < sought.length; at += most) {
    // What is read is the state of no later moment than this: a webhook that comes meanwhile is newer.
    const arrivedAt = new Date(deps.now()).toISOString();
    const found = await store.ordersById(sought.slice(at, at + most));
    const back = found.news.map((news) => (wasDeleted(news.orderId) && isThere(news) ? { ...news, restored: true as const } : news));
    const deleted = found.gone.map((orderId): OrderNews => ({ orderId, deleted: true }));
    const all = [...back, ...deleted];
    if (all.length > 0) await deps.handOver(all.map((news) => deliveryOf(store, news, { arrivedAt, takenIn })));
    handed += all.length;
    gone.push(...found.gone);
    unread.push(...found.unknown);
  }
  return { handed, gone, unread };
}

function isThere({ snapshot }: OrderNews): boolean {
  return snapshot !== undefined && snapshot.lifecycle !== 'trashed';
}

type Found = { arrivedAt: string; takenIn: true | undefined };

function deliveryOf({ connection, storeName }: ReadableStore, news: OrderNews, { arrivedAt, takenIn }: Found): AcceptedDelivery {
  return {
    id: randomUUIDv7(),
    connectionId: connection.id,
    arrivedAt,
    topic: READ_TOPIC,
    platformDeliveryId: null,
    store: storeName,
    body: null,
    normalized: { kind: 'order', news },
    ...(takenIn === undefined ? {} : { takenIn }),
  };
}
