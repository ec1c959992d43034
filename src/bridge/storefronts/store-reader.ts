import type { Lifecycle, OrderNews, PaymentState, Snapshot } from '../order/facts/facts.ts';
import type { StoreAccess, StoreMeans } from './contract.ts';

/** What a storefront reads of its stores as a second source beside webhooks. */

/** An order as its store lists it: enough to see whether all of it is known. Instants in UTC with milliseconds, money as decimal text. */
export type OrderSummary = {
  /** The platform's own id. */
  orderId: string;
  /** What people call the order. */
  number: string;
  /** As the snapshot that would be read of it now has them. */
  updatedAt: string;
  status: string;
  lifecycle: Lifecycle;
  payment: PaymentState;
  test: boolean;
  currency: string;
  total: string;
  /** A total that the snapshot may make in another way, and that is not compared with it: then every change of money moves `updatedAt`. */
  totalMayDiffer?: true;
  /** When it was paid, where the store says so, else when it was placed. */
  soldAt: string;
  /** When it was created, by which its record is dated; absent: as `soldAt`. */
  createdAt?: string;
  /** What the customer paid and was not given back; null: this list does not say it. */
  kept: string | null;
  /** Deleted for good, and still listed as such: no state of it is newer than that. */
  isGone?: true;
  /** Ids of its refunds; null: this list does not name them. */
  refundIds: readonly string[] | null;
};

/** `after`: where the page before ended, as it said; null: the first page. `size` may be less than that of the page before. */
export type ChangedQuery = { since: string; after: string | null; size: number };

/** `next`: where the next page begins, null if there is none; it stays valid for days, so that a sync run can go on after a crash. */
export type ChangedPage = { summaries: OrderSummary[]; next: string | null };

/** `placedAt`: when it was placed, if that is known; some stores show only orders of the last days. */
export type SoughtOrder = { orderId: string; placedAt: string | null };

/** `gone`: the store says that there is no such order. `unknown`: it does not say it, such as for one that is too old for the key. */
export type FoundOrders = { news: OrderNews[]; gone: string[]; unknown: string[] };

/** One webhook of a store. `attemptedAt`: when it last tried to deliver; null: never, or it does not say. */
export type Subscription = {
  id: string;
  topic: string;
  address: string;
  /** paused: by a person. disabled: by the store. */
  state: 'active' | 'paused' | 'disabled';
  attemptedAt: string | null;
  /** It does not bring all: some events alone, some fields alone, or a format that is not read here. Absent: it brings all. */
  narrowed?: Narrowed;
  /** What else a person should know of it, and what to do. */
  remark?: string;
};

export type Narrowed = 'filter' | 'fields' | 'format';

/** `secret` null: the platform signs with the secret of the app. */
export type WantedSubscription = { topic: string; address: string; secret: string | null };

/** The webhooks of a store, by its API. All throw as `StoreApi.complete`; `storefront.refused` if the key may not write. */
export type Subscriptions = {
  /** Those of the store, whosever they are; or, where the platform shows no others, of this app. */
  list(access: StoreAccess, means: StoreMeans): Promise<Subscription[]>;
  /** One that is there already and brings all is fine; one that does not is replaced. */
  create(access: StoreAccess, wanted: WantedSubscription, means: StoreMeans): Promise<Subscription>;
  /** One that is gone already is fine. */
  remove(access: StoreAccess, id: string, means: StoreMeans): Promise<void>;
  /** Those of the storefront's topics that can be subscribed so; absent: all. */
  topics?: readonly string[];
  /** Webhooks that people made, or other apps, are in no list: that a topic has none proves nothing where its deliveries come. */
  hidesOthers?: true;
  /** Listing takes no right of its own: a key that is refused the list is let in nowhere. */
  showsAccess?: true;
  /** Each has a secret of its own. */
  hasSecrets: boolean;
  /** A new secret that the platform's own forms leave as it is. */
  newSecret(): string;
  /** Where a person finds them, and what to do there for this topic, in one or two sentences. */
  steps(wanted: { topic: string; address: string }): string;
};

/** A store's API as a second source of its orders: what is read is the news that webhooks give. All throw as `StoreApi.complete`. */
export type StoreReader = {
  /**
   * Every order that changed at `since` or later, oldest change first, those in the trash included; an order may come twice, and one that changes
   * meanwhile is not left out. What the store deleted for good is in no list.
   */
  changedSince?(access: StoreAccess, query: ChangedQuery, means: StoreMeans): Promise<ChangedPage>;
  /** The list is one list, sorted by change throughout, so that it can be begun anew at any change that it came to. */
  isSorted?: true;
  /** Orders placed before that instant (ISO) are hidden from this key; null, or absent: none are. */
  showsSince?(access: StoreAccess, means: StoreMeans): Promise<string | null>;
  /** How far behind the newest change that it lists the store's list may be, ms. */
  lagMs?: number;
  /** The name by which webhooks of this store call it, as `Envelope.store` has it; absent: no webhook names its store. */
  storeName?(access: StoreAccess, means: StoreMeans): Promise<string>;
  /** How many whole orders one call reads, so that it ends in time: what it read is lost if it does not. Absent: 100. */
  ordersAtOnce?: number;
  /** Whole orders, at most `ordersAtOnce`. */
  ordersById?(access: StoreAccess, sought: readonly SoughtOrder[], means: StoreMeans): Promise<FoundOrders>;
  /** What is wrong with the access, as sentences that say what to do; empty: it works. Throws only what is a defect. */
  checkAccess?(access: StoreAccess, means: StoreMeans): Promise<string[]>;
  subscriptions?: Subscriptions;
};

/** How things of a list are told apart, and when each changed; `among`: those that were listed before. */
type Listing<One> = { id(one: One): string; changedAt(one: One): string; among?: Map<string, One> };

/** What a store listed, by its id: of a thing that it listed twice the state that changed later, or, if both changed at once, the one listed later. */
export function latest<One>(listed: Iterable<One>, { id, changedAt, among = new Map() }: Listing<One>): Map<string, One> {
  for (const one of listed) {
    const known = among.get(id(one));
    if (known === undefined || changedAt(one) >= changedAt(known)) among.set(id(one), one);
  }
  return among;
}

// One second, and one more for clocks that differ.
const SECOND_IS_OVER_MS = 2_000;

/**
 * That an order which changed at `updatedAt` (ISO) was read from the API at `now` (ms since 1970). Times of change have whole seconds: what was read before
 * that second was over may not be all that happened in it.
 */
export function readAt(updatedAt: string, now: number): Pick<Snapshot, 'readAt'> {
  return now >= Date.parse(updatedAt) + SECOND_IS_OVER_MS ? { readAt: new Date(now).toISOString() } : {};
}
