import { storeOrders } from '../../bridge/ledger/orders/store-orders.ts';
import { isDeleted, type Snapshot } from '../../bridge/order/facts/facts.ts';
import { UnreadableStore as StoreNotRead } from '../../bridge/reconciliation/open-readable-store.ts';
import type { ReadableStore } from '../../bridge/reconciliation/read-page.ts';
import { PAGE, SMALL_PAGE } from '../../bridge/reconciliation/sync-run.ts';
import { type ChangedPage, latest, type OrderSummary, type SoughtOrder } from '../../bridge/storefronts/store-reader.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { errorWords } from '../../platform/error-words.ts';
import { quotedFailure } from '../words.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { isInWindow, soldAtOf, type Window } from './window.ts';

/** What a store said, by the platform's id. `unknown`: orders of which it does not say whether it has them. `listedAt`: when the list began, ms since 1970. */
export type ListedStore = { store: ReadableStore; summaries: Map<string, OrderSummary>; gone: Map<string, SoughtOrder>; unknown: string[]; listedAt: number };

/** Why a store was not read, for people. `isFailure`: it should have been. */
type NotRead = { why: LocalizedText };

type Reading = { window: Window; onRead(count: number): void };

/** Lists what changed in a store since the window began, and asks for the orders of the window that this list does not name. */
export async function readStore(deps: ReconcileDeps, store: ReadableStore, { window, onRead }: Reading): Promise<ListedStore> {
  const summaries = new Map<string, OrderSummary>();
  const listedAt = deps.now();
  for await (const page of listedPages(store, { since: window.from, after: null })) {
    latest(page.summaries, { id: ({ orderId }) => orderId, changedAt: ({ updatedAt }) => updatedAt, among: summaries });
    onRead(summaries.size);
  }
  const read: ListedStore = { store, summaries, gone: new Map(), unknown: [], listedAt };
  await seek(read, await unnamed(deps, read, window));
  return read;
}

async function unnamed({ pool }: ReconcileDeps, { store, summaries }: ListedStore, window: Window): Promise<SoughtOrder[]> {
  const sought = new Map<string, SoughtOrder>();
  for await (const page of storeOrders(pool, store.connection, { since: window.from })) {
    for (const { platformId, facts, current, state } of page) {
      const { snapshot } = facts;
      const soldAt = soldAtOf(facts, window);
      const isIdle = current === null && (state === 'removed' || state === 'ignored' || state === 'waiting');
      if (snapshot === null || soldAt === null || isIdle || summaries.has(platformId) || !isInWindow(window, { soldAt, month: null })) continue;
      if (!isDeleted(facts, snapshot) || current !== null) sought.set(platformId, { orderId: platformId, placedAt: snapshot.placedAt });
    }
  }
  return [...sought.values()];
}

async function seek({ store, summaries, gone, unknown }: ListedStore, sought: readonly SoughtOrder[]): Promise<void> {
  for (let at = 0; at < sought.length; at += PAGE) {
    const found = await store.ordersById(sought.slice(at, at + PAGE));
    for (const { orderId, snapshot } of found.news) if (snapshot !== undefined) summaries.set(orderId, summaryOf(orderId, snapshot));
    for (const one of sought) if (found.gone.includes(one.orderId)) gone.set(one.orderId, one);
    unknown.push(...found.unknown);
  }
}

function summaryOf(orderId: string, snapshot: Snapshot): OrderSummary {
  const { updatedAt, status, lifecycle, payment, test, currency, total, number, paidAt, placedAt, createdAt, kept, refunds } = snapshot;
  const state = { updatedAt, status, lifecycle, payment, test, currency, total, number };
  return {
    orderId,
    ...state,
    soldAt: paidAt ?? placedAt,
    createdAt: new Date(createdAt).toISOString(),
    kept: kept ?? null,
    refundIds: refunds?.map(({ id }) => id) ?? null,
  };
}

const FULL = 'в момента се четат толкова магазини, колкото е позволено наведнъж';

/** The words of a store that could not be read, also by an error in orderbridge: the other stores are read all the same. An abort is thrown. */
export function notRead(thrown: unknown): NotRead {
  if (thrown instanceof Error && thrown.name === 'AbortError') throw thrown;
  const words = thrown instanceof StoreNotRead ? thrown.message : `internal.unexpected: an error in orderbridge (${errorWords(thrown)})`;
  const { en, bg } = thrown instanceof StoreNotRead && thrown.kind === 'full' ? { en: words, bg: FULL } : quotedFailure(words);
  return { why: { en: `the store could not be read: ${en}`, bg: `магазинът не можа да бъде прочетен: ${bg}` } };
}

/** `isFirst`: of this run. `isAnew`: the list was begun anew. */
type Place = { after: string | null; size: number; isFirst: boolean; isAnew: boolean };

/**
 * What changed in a store since an instant, page by page, from where an earlier list ended; from the beginning, once, if the store does not take that place
 * any more. A store that can't give a large page gives smaller ones.
 */
export async function* listedPages(store: ReadableStore, { since, after }: { since: string; after: string | null }): AsyncGenerator<ChangedPage> {
  let at: Place = { after, size: PAGE, isFirst: true, isAnew: false };
  while (at.isFirst || at.after !== null) {
    const { after: from, size } = at;
    const page = await store.changedSince({ since, after: from, size }).catch((thrown: unknown) => insteadOf(at, thrown));
    if ('summaries' in page) yield page;
    at = 'summaries' in page ? { ...at, after: page.next, isFirst: false } : page;
  }
}

/** Where to read in place of a page that can't be had. */
function insteadOf(at: Place, thrown: unknown): Place {
  if (!(thrown instanceof StoreNotRead)) throw thrown;
  if (thrown.wasTooMuch && at.size > SMALL_PAGE) return { ...at, size: SMALL_PAGE };
  if (at.isAnew || at.after === null || !(at.isFirst || thrown.refusesPlace)) throw thrown;
  return { ...at, after: null, isFirst: true, isAnew: true };
}
