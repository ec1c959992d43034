import { type Connection, SCOPES_WARNING, type StoreHost, TOPIC_MISMATCH_WARNING } from '../connections/connection.ts';
import { hostOf, hostOwner, isElsewhere, knownHosts } from '../connections/host-owner.ts';
import type { Claim } from '../order/decisions/claim.ts';
import { isBasket, type OrderKey, type OrderNews } from '../order/facts/facts.ts';
import type { Problem } from '../order/facts/failure.ts';
import type { Notice, PrivacyRequest, Storefront, Storefronts } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/registry.ts';
import type { BegunSend } from './attempt-ports.ts';
import { AskLater, type HandleUninstalled } from './handle-uninstalled.ts';
import type { AcceptedDelivery } from './jobs.ts';
import type { Notify } from './notify.ts';
import type { Claimed } from './process-order.ts';

/** One verified delivery with the order that it is about. */
export type OrderDelivery = { delivery: AcceptedDelivery; key: OrderKey; news: OrderNews; quietSeconds: number };

/** An order as a delivery left it. */
export type RecordedOrder = {
  id: number;
  connectionId: string;
  revision: number;
  /** False if nothing changed that a record depends on. */
  raised: boolean;
  /** When to submit at the earliest, ms since 1970. */
  dueAt: number;
  /** It is claimed for this process, and its first step is journaled; null: it is not. */
  claimed: Claimed | null;
};

export type Recorded = { orders: RecordedOrder[]; duplicates: number };

/** New orders that are due may be processed at once: so many, none of these connections. `now`: ms since 1970. */
export type FirstAttemptOptions = {
  size: number;
  notOf: readonly string[];
  leaseMs: number;
  now: number;
  /** The first step of an attempt, if that is sure; null: the attempt decides. */
  plan(claim: Claim): Promise<BegunSend | null>;
};

/** Where new orders are processed without a detour by the ledger's index. */
export type FirstAttempts = {
  /** Of so many orders; null: none may be now. */
  capacity(orders: number): Promise<FirstAttemptOptions | null>;
  take(orders: readonly Claimed[], slots: number): void;
};

/** A delivery that is no news of an order, and what is kept of it. */
export type NotedDelivery = {
  delivery: AcceptedDelivery;
  outcome: 'ignored' | 'warning' | 'closed' | 'privacy' | 'review';
  code: string | null;
  detail: string | null;
};

/**
 * News of an order that names a host which is not known as the store's. `undecided`: by `store`, the store's name as it was read, no host is.
 * `elsewhere`: it is the store of another connection of the same app, so that the delivery can't decide.
 */
export type UnknownHost = { delivery: AcceptedDelivery; host: string; store: string | null; undecided: boolean; elsewhere?: boolean };

export type RecorderLedger = {
  recordOrders(items: OrderDelivery[], firstAttempts: FirstAttemptOptions | null): Promise<Recorded>;
  /** Ids of the store's orders that are known to have this refund. */
  ordersOfRefund(store: Omit<OrderKey, 'orderId'>, refundId: string): Promise<string[]>;
  note(noted: NotedDelivery): Promise<void>;
  pinStore(connectionId: string, store: string): Promise<string>;
  /** The connections that have this host, or had it. */
  connectionsOfStore(platform: string, host: string): Promise<readonly Connection[]>;
  /** Says whose the delivery is: the store's (it goes on), quarantined (it was kept for a person), or not the store's (it was counted). */
  admit(unknown: UnknownHost): Promise<StoreHost['ownership']>;
  warn(connectionId: string, kind: string, words: string): Promise<void>;
  endWarning(connectionId: string, kind: string): Promise<unknown>;
  privacy(about: PrivacyCall): Promise<void>;
};

/** `arrivedAt`: of the request. */
type PrivacyCall = { connection: Connection; store: string; request: PrivacyRequest; arrivedAt: string };

type RecordDeps = {
  ledger: RecorderLedger;
  storefronts: Storefronts;
  connection(id: string): Promise<Connection>;
  notify: Notify;
  firstAttempts: FirstAttempts;
  uninstalled: HandleUninstalled;
  quietSeconds: number;
  now(): number;
  onMerged(count: { merged: number; duplicates: number }): void;
};

/** Merges accepted deliveries into the ledger and wakes the submitter. At-least-once in, the same state out. */
export async function recordDeliveries(deps: RecordDeps, deliveries: readonly AcceptedDelivery[]): Promise<void> {
  const orders: OrderDelivery[] = [];
  const others: Other[] = [];
  for (const delivery of deliveries) {
    const connection = await deps.connection(delivery.connectionId);
    const { normalized } = delivery;
    const isOrder = normalized.kind === 'order' && !isMoot(connection, normalized.news);
    if (isOrder) orders.push(...(await orderDelivery(deps, { connection, delivery, news: normalized.news })));
    else others.push({ connection, delivery });
  }
  if (orders.length > 0) await recordOrders(deps, orders);
  for (const other of others) await recordOther(deps, other);
}

/** A delivery that is no news of an order. */
type Other = { connection: Connection; delivery: AcceptedDelivery };

async function recordOrders(deps: RecordDeps, orders: OrderDelivery[]): Promise<void> {
  const recorded = await recordAndBegin(deps, orders);
  deps.onMerged({ merged: orders.length - recorded.duplicates, duplicates: recorded.duplicates });
  deps.notify(recorded.orders.filter(({ raised, claimed }) => raised && claimed === null));
}

/** What can't be begun at once is recorded all the same: its attempt finds out why. */
async function recordAndBegin({ ledger, firstAttempts, now }: RecordDeps, orders: OrderDelivery[]): Promise<Recorded> {
  // Slots are not kept for orders that wait for the end of their quiet time.
  const at = now();
  const due = orders.filter(({ delivery, quietSeconds }) => Date.parse(delivery.arrivedAt) + quietSeconds * 1000 <= at).length;
  const capacity = due === 0 ? null : await firstAttempts.capacity(due);
  if (capacity === null) return ledger.recordOrders(orders, null);
  let begun: Recorded | null = null;
  try {
    begun = await ledger.recordOrders(orders, capacity).catch(() => null);
  } finally {
    firstAttempts.take(begun?.orders.flatMap(({ claimed }) => claimed ?? []) ?? [], capacity.size);
  }
  return begun ?? ledger.recordOrders(orders, null);
}

type News = { connection: Connection; delivery: AcceptedDelivery; news: OrderNews };

/** Empty: the delivery names another host than the store's. */
async function orderDelivery(deps: RecordDeps, { connection, delivery, news }: News): Promise<OrderDelivery[]> {
  const store = await storeOf(deps, { connection, delivery, news });
  if (store === null) return [];
  const key = { shopId: connection.shopId, platform: connection.platform, store, orderId: news.orderId };
  return [{ delivery, key, news, quietSeconds: connection.settings.quietSeconds ?? deps.quietSeconds }];
}

/** The name that the order is filed under, pinned by the first delivery; null: it is of another host, such as that of a copy of the site. */
async function storeOf(deps: RecordDeps, { connection, delivery, news }: Omit<News, 'news'> & Partial<News>): Promise<string | null> {
  const { store } = delivery;
  const storefront = storefrontOf(deps.storefronts, connection.platform);
  const named = store === null ? null : hostOwner(storefront, connection, store);
  const isAttempt = news?.snapshot !== undefined && isBasket(news.snapshot);
  if (named?.owner === 'other' && isAttempt) return leaveOut(deps, delivery);
  if (named !== null && named.owner !== 'ours') {
    const undecided = named.owner === 'first' || knownHosts(storefront, connection).length === 0;
    const { host } = named;
    const elsewhere = await isOfAnother(deps, connection, host);
    const ownership = await deps.ledger.admit({ delivery, host, store: connection.store, undecided, elsewhere });
    // The connection may be newer than this reader knew.
    if (ownership === 'quarantined' && isAttempt) return leaveOut(deps, delivery);
    if (ownership !== 'ours') return null;
  }
  if (connection.store !== null) return connection.store;
  return deps.ledger.pinStore(connection.id, store ?? connection.name);
}

async function isOfAnother({ ledger, storefronts }: RecordDeps, connection: Connection, host: string): Promise<boolean> {
  // With a host that is the store's, or with this one quarantined, the delivery decides nothing anyway.
  if (connection.hosts.some((one) => one.ownership === 'ours' || one.host === host)) return false;
  const storefront = storefrontOf(storefronts, connection.platform);
  // Without an app a secret is of one store; who gave the same one twice connected that store twice.
  if (storefront.appWide === undefined) return false;
  return isElsewhere(storefront, { connection, host }, await ledger.connectionsOfStore(connection.platform, host));
}

/** A draft is no sale, and its body is never kept. */
async function leaveOut({ ledger }: RecordDeps, delivery: AcceptedDelivery): Promise<null> {
  await ledger.note({ delivery, outcome: 'ignored', code: 'store.other', detail: 'a draft of another host than the store’s' });
  return null;
}

/** Only with a key of the store's API can it be found out how an order changed; its own webhook comes without one. */
function isMoot({ access }: Connection, { changed }: OrderNews): boolean {
  return changed === true && access === null;
}

/** The delivery by which its order lists the refund may be recorded after the word of its deletion: by another worker, or when the database works again. */
const UNLISTED_MS = 24 * 3_600_000;

async function recordDeletedRefund(deps: RecordDeps, { connection, delivery }: Other, refundId: string): Promise<void> {
  const store = await storeOf(deps, { connection, delivery });
  if (store === null) return;
  const orderIds = await deps.ledger.ordersOfRefund({ shopId: connection.shopId, platform: connection.platform, store }, refundId);
  const ageMs = deps.now() - Date.parse(delivery.arrivedAt);
  // Seldomer with its age, since all of the store's orders are read.
  if (orderIds.length === 0 && ageMs < UNLISTED_MS) throw new AskLater(4 * ageMs);
  if (orderIds.length === 0) return deps.ledger.note({ delivery, outcome: 'ignored', code: null, detail: `no known order lists the refund ${refundId}` });
  const news = orderIds.map((orderId) => orderDelivery(deps, { connection, delivery, news: { orderId, withdrawn: [refundId] } }));
  await recordOrders(deps, (await Promise.all(news)).flat());
}

async function recordOther(deps: RecordDeps, other: Other): Promise<void> {
  const { connection, delivery } = other;
  const { normalized } = delivery;
  switch (normalized.kind) {
    case 'order':
      return deps.ledger.note({ delivery, outcome: 'ignored', code: null, detail: 'it does not say what the order is now, and there is no key to look it up' });
    case 'ignored':
      return;
    case 'refund-deleted':
      return recordDeletedRefund(deps, { connection, delivery }, normalized.refundId);
    default:
      return recordNotice(deps, other, normalized);
  }
}

/** A delivery about the connection, or that can't be read: it counts only if it is the store's. */
async function recordNotice(deps: RecordDeps, other: Other, notice: Notice): Promise<void> {
  const { connection, delivery } = other;
  const storefront = storefrontOf(deps.storefronts, connection.platform);
  const whose = await whoseNotice({ storefront, connection, delivery }, (unknown) => deps.ledger.admit(unknown));
  if (whose.is === 'ours') return recordOwn(deps, other, notice);
  if (whose.is === 'unknown') return noteUnknownHost(deps, { delivery, notice, host: whose.host });
}

async function recordOwn({ ledger, uninstalled }: RecordDeps, { connection, delivery }: Other, notice: Notice): Promise<void> {
  switch (notice.kind) {
    case 'warning': {
      const { warning, isTopicMismatch, isPrivate } = notice;
      await ledger.warn(connection.id, isTopicMismatch === true ? TOPIC_MISMATCH_WARNING : 'delivery', warning);
      return ledger.note({ delivery: isPrivate === true ? { ...delivery, body: null } : delivery, outcome: 'warning', code: null, detail: warning });
    }
    case 'closed': {
      const isClosed = (await uninstalled(delivery)) === 'closed';
      return ledger.note({ delivery, outcome: isClosed ? 'closed' : 'ignored', code: null, detail: isClosed ? UNINSTALLED : LET_IN });
    }
    case 'granted':
      return noteGranted(ledger, { connection, delivery }, notice.warning);
    case 'privacy': {
      const store = connection.store ?? (await ledger.pinStore(connection.id, notice.store ?? delivery.store ?? connection.name));
      await ledger.privacy({ connection, store, request: notice.request, arrivedAt: delivery.arrivedAt });
      return ledger.note({ delivery: { ...delivery, body: null }, outcome: 'privacy', code: null, detail: notice.request.action });
    }
    case 'unreadable':
      return ledger.note(review(delivery, notice.problems));
  }
}

const UNINSTALLED = 'the store uninstalled the app';
const LET_IN = 'the store still lets the app in: it was uninstalled earlier, and this came after it was installed again';

async function noteGranted(ledger: RecordDeps['ledger'], { connection, delivery }: Other, warning: string | null): Promise<void> {
  if (warning === null) await ledger.endWarning(connection.id, SCOPES_WARNING);
  else await ledger.warn(connection.id, SCOPES_WARNING, warning);
  const detail = warning ?? 'the app may do all that is needed';
  return ledger.note({ delivery, outcome: warning === null ? 'ignored' : 'warning', code: null, detail });
}

type Foreign = { delivery: AcceptedDelivery; notice: Notice; host: string };

/** Nothing happens to the connection or to anybody's data; what came is noted with its host, so that a person can say whose it is. */
async function noteUnknownHost({ ledger }: RecordDeps, { delivery, notice, host }: Foreign): Promise<void> {
  if (notice.kind === 'unreadable') return ledger.note(review(delivery, notice.problems, `of the host ${host}, which is not known as the store’s: `));
  const detail = `${whatCame(notice)} of the host ${host}, which is not known as the store’s, was left alone`;
  if (notice.kind !== 'warning')
    await ledger.warn(delivery.connectionId, TOPIC_MISMATCH_WARNING, `store.other: ${detail}. ${todo(delivery.connectionId, host)}`);
  return ledger.note({ delivery: { ...delivery, body: null }, outcome: 'warning', code: 'store.other', detail });
}

function review(delivery: AcceptedDelivery, problems: readonly [Problem, ...Problem[]], whose = ''): NotedDelivery {
  return { delivery, outcome: 'review', code: problems[0].code, detail: `${whose}${problems.map(({ detail }) => detail).join('; ')}` };
}

function whatCame({ kind }: Exclude<Notice, { kind: 'unreadable' }>): string {
  if (kind === 'closed') return 'word that the app was uninstalled';
  if (kind === 'granted') return 'word of what the app may do';
  return kind === 'privacy' ? 'a privacy request' : 'an error instead of an order';
}

function todo(connectionId: string, host: string): string {
  return (
    `If the store moved there, say so (\`orderbridge reconnect ${connectionId} --moved ${host}\`) and send it again. If not, someone may be repeating a captured ` +
    'webhook: make a new secret, and give it with `orderbridge rotate-secret`.'
  );
}

/** ours: of the connection's store. unknown: it names a host that is not known as that store's. counted: a person said that it is not; nothing is kept. */
type Whose = { is: 'ours' } | { is: 'unknown'; host: string } | { is: 'counted' };

type Received = { storefront: Storefront; connection: Connection; delivery: AcceptedDelivery };

/**
 * Whose a delivery is that is no news of an order, by the stores that its headers and its signed body name. Unlike an order it never decides about
 * a host. `admit` counts those of hosts that are not the store's.
 */
async function whoseNotice(received: Received, admit: (unknown: UnknownHost) => Promise<StoreHost['ownership']>): Promise<Whose> {
  const { connection, delivery } = received;
  const host = otherHost(received);
  if (host === null) return { is: 'ours' };
  if (connection.hosts.find((one) => one.host === host)?.ownership !== 'not-ours') return { is: 'unknown', host };
  // A person may have said otherwise meanwhile.
  return (await admit({ delivery, host, store: connection.store, undecided: false })) === 'ours' ? { is: 'ours' } : { is: 'counted' };
}

function otherHost({ storefront, connection, delivery }: Received): string | null {
  const named = namesIn(delivery).map((name) => hostOwner(storefront, connection, name));
  const other = named.find(({ owner }) => owner === 'other');
  if (other !== undefined) return other.host;
  const [first, ...rest] = named.filter(({ owner }) => owner === 'first');
  if (first === undefined) return null;
  // Before a first order nothing proves whose an uninstalled app was but the name that a person gave.
  const isProven = delivery.normalized.kind !== 'closed' || first.host === hostOf(storefront, connection.name);
  return isProven && rest.every(({ host }) => host === first.host) ? null : first.host;
}

function namesIn({ store, normalized }: AcceptedDelivery): string[] {
  const inBody = normalized.kind === 'closed' || normalized.kind === 'privacy' ? normalized.store : undefined;
  return [store, inBody].filter((name) => typeof name === 'string');
}
