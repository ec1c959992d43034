import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../connections/connection.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import type { OrderNews } from '../order/facts.ts';
import type { ChangedPage, FoundOrders, OrderHead, SoughtOrder } from '../storefronts/store-reader.ts';
import { compareHead, isOlderThere, type Knowledge, type KnownHead } from './compare-head.ts';

/** The topic of news that were read from a store, not sent by it. */
export const READ_TOPIC = 'reconcile';

/** A store that can be read, and one request to it. */
export type ReadableStore = {
  connection: Connection;
  /** The name by which webhooks call the store; null: none does. */
  storeName: string | null;
  changedSince(query: { since: string; after: string | null; size: number }): Promise<ChangedPage>;
  ordersById(sought: readonly SoughtOrder[]): Promise<FoundOrders>;
  /** Orders placed before that instant (ISO) are hidden from its key; null, or absent: none are. */
  showsSince?(): Promise<string | null>;
};

export type ReadPageDeps = {
  /** By the platform's id; orders that are not known are absent. */
  knownHeads(connection: Connection, orderIds: readonly string[]): Promise<Map<string, KnownHead[]>>;
  /** Resolves when the queue has them, or the inbox. */
  handOver(deliveries: AcceptedDelivery[]): Promise<void>;
  /** Keeps which orders of a page could not be read whole, and of which the store shows an older state. */
  noteUnread(connectionId: string, heads: HeadsRead): Promise<void>;
  now(): number;
};

/**
 * `unread`: those that the store lists, but does not show, or not as an order that can be read. `read`: those of which all is known, or on its way; `older`:
 * those of them of which it shows an older state than before.
 */
export type HeadsRead = { unread: readonly OrderHead[]; read: readonly OrderHead[]; older: readonly OrderHead[] };

export type HeadRead = { head: OrderHead; is: Knowledge };

/** One page of a store's changes. `handed`: how many orders the recorder gets; `unread`: those that could not be read whole. */
export type PageRead = { heads: HeadRead[]; next: string | null; handed: number; unread: string[] };

export type PageQuery = { since: string; after: string | null; size: number; heal: boolean };

/** Orders that are read whole by one request. */
const AT_ONCE = 100;

/**
 * Reads one page of what changed in a store, compares it with the ledger, and hands what is unknown or stale here to the recorder, whole: the news
 * that webhooks would have given. Without `heal` it only compares.
 */
export async function readPage(deps: ReadPageDeps, store: ReadableStore, { heal, ...query }: PageQuery): Promise<PageRead> {
  const listedAt = deps.now();
  const { heads: listed, next } = await store.changedSince(query);
  const known = await deps.knownHeads(
    store.connection,
    listed.map(({ orderId }) => orderId),
  );
  const heads = listed.map((head) => ({ head, is: compareHead(head, known.get(head.orderId) ?? []) }));
  const behind = heads.filter(({ is }) => is !== 'known').map(({ head }) => head);
  const sought = [...new Map(behind.map((head) => [head.orderId, { orderId: head.orderId, placedAt: null }])).values()];
  if (!heal) return { heads, next, handed: 0, unread: [] };
  const wasDeleted = (orderId: string) => known.get(orderId)?.some(({ isDeleted }) => isDeleted) === true;
  const { handed, unread } = await handOverWhole(deps, store, { sought, wasDeleted });
  const isUnread = ({ orderId }: OrderHead) => unread.includes(orderId);
  const older = listed.filter((head) => isOlderThere(head, known.get(head.orderId) ?? [], listedAt));
  await deps.noteUnread(store.connection.id, { unread: listed.filter(isUnread), read: listed.filter((head) => !isUnread(head)), older });
  return { heads, next, handed, unread };
}

export type Sought = {
  sought: readonly SoughtOrder[];
  /** A webhook said that it is gone: if the store has it, it is back. */
  wasDeleted(orderId: string): boolean;
  /** They are recorded whenever they were paid. */
  takenIn?: true;
};

/** Reads orders whole and hands them over; one that the store says is gone, as deleted. */
export async function handOverWhole(
  deps: ReadPageDeps,
  store: ReadableStore,
  { sought, wasDeleted, takenIn }: Sought,
): Promise<{ handed: number; gone: string[]; unread: string[] }> {
  const gone: string[] = [];
  const unread: string[] = [];
  let handed = 0;
  for (let at = 0; at < sought.length; at += AT_ONCE) {
    // What is read is the state of no later moment than this: a webhook that comes meanwhile is newer.
    const arrivedAt = new Date(deps.now()).toISOString();
    const found = await store.ordersById(sought.slice(at, at + AT_ONCE));
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
