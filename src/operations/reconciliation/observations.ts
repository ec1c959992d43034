import type { Connection } from '../../bridge/connections/connection.ts';
import { type StoreOrder, storeOrders } from '../../bridge/ledger/store-orders.ts';
import type { Desired } from '../../bridge/order/decisions/desired.ts';
import { wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { isBasket, isDeleted } from '../../bridge/order/facts/facts.ts';
import type { Terms } from '../../bridge/order/facts/settings.ts';
import { compareSummary, isOlderThere, type KnownSummary } from '../../bridge/reconciliation/compare-summary.ts';
import type { StoreWord } from '../../bridge/reconciliation/difference.ts';
import { paidAsWanted, paidByList } from '../../bridge/reconciliation/order-words.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { OrderSummary } from '../../bridge/storefronts/store-reader.ts';
import type { StoreRead } from './read-store.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { soldAtOf, soldAtOfSummary, type Window } from './window.ts';

/** An order as the sources have it. `wanted`: by the ledger's facts. `soldAt`: ISO instant. */
export type Observation = {
  orderId: string;
  summary: OrderSummary | null;
  order: StoreOrder | null;
  wanted: Desired | null;
  soldAt: string | null;
  store: StoreWord;
};

/** What was read of the other sources; null: not. */
export type Sources = { connection: Connection; window: Window; store: StoreRead | null };

/** Of the records that the service lists. */
export type RecordIds = { complianceIds: readonly string[]; internalIds: readonly string[] };

/** Every order that the store lists, or the ledger has of the window or of these records, with the store's word on it. */
export async function observations(
  deps: ReconcileDeps,
  { connection, window, store }: Sources,
  { complianceIds, internalIds }: RecordIds,
): Promise<Observation[]> {
  const summaries = store?.summaries ?? new Map<string, OrderSummary>();
  const known = await deps.knownSummaries(connection, [...summaries.keys()]);
  const terms = termsOf(connection);
  const seen = new Set<string>();
  const found: Observation[] = [];
  const query = { since: window.from, platformIds: [...summaries.keys(), ...internalIds], complianceIds };
  for await (const page of storeOrders(deps.pool, connection, query)) {
    for (const order of page) {
      const wanted = wantedOf(order, terms);
      // Of several orders of one id the list means the first one.
      const summary = seen.has(order.platformId) ? null : (summaries.get(order.platformId) ?? null);
      seen.add(order.platformId);
      const word = storeWord({ store, connection, summary, known: known.get(order.platformId) ?? [] }, { order, wanted });
      found.push({
        orderId: order.key.orderId,
        summary,
        order,
        wanted,
        soldAt: soldAtOf(order.facts, window) ?? (summary === null ? null : soldAtOfSummary(summary, window)),
        store: word,
      });
    }
  }
  const strangers = [...summaries.values()].filter((summary) => !seen.has(summary.orderId) && !isBasket(summary));
  return [...found, ...strangers.map((summary) => stranger(summary, { connection, window }))];
}

function stranger(summary: OrderSummary, { connection, window }: Pick<Sources, 'connection' | 'window'>): Observation {
  const store: StoreWord = { is: 'there', knowledge: 'unknown', paid: summary.lifecycle === 'trashed' ? null : paidByList(summary, connection) };
  return { orderId: summary.orderId, summary, order: null, wanted: null, soldAt: soldAtOfSummary(summary, window), store };
}

type Listed = { store: StoreRead | null; connection: Connection; summary: OrderSummary | null; known: readonly KnownSummary[] };

function storeWord({ store, connection, summary, known }: Listed, { order, wanted }: { order: StoreOrder; wanted: Desired }): StoreWord {
  const { snapshot } = order.facts;
  if (store === null) return { is: 'unread' };
  if (summary === null) {
    const isGone = store.gone.has(order.platformId);
    return isGone ? { is: 'gone', known: snapshot !== null && (snapshot.lifecycle === 'trashed' || isDeleted(order.facts, snapshot)) } : { is: 'unread' };
  }
  const knowledge = compareSummary(summary, known);
  if (summary.lifecycle === 'trashed') return { is: 'gone', known: knowledge === 'known' };
  if (isOlderThere(summary, known, store.listedAt)) return { is: 'there', knowledge, isOlder: true, paid: paidByList(summary, connection) };
  const standing = order.standing?.record ?? null;
  const paid = knowledge === 'known' ? paidAsWanted(asKnown(summary, order), { facts: order.facts, wanted, standing }) : paidByList(summary, connection);
  return { is: 'there', knowledge, paid };
}

// Of an order that changed since it was listed the ledger knows more than the list.
function asKnown(summary: OrderSummary, { facts: { snapshot } }: StoreOrder): OrderSummary {
  return snapshot !== null && snapshot.updatedAt !== summary.updatedAt ? { ...summary, kept: null } : summary;
}

export function termsOf({ platform, destinationId, recordFrom, trialSince, gaps, settings }: Connection): Terms {
  const { gateways, transactionComesLater, refundsVanish } = storefrontOf(storefronts, platform);
  const terms = { destinationId, recordFrom, onTrial: trialSince !== null, gaps, settings };
  return { ...terms, gateways, transactionComesLater, refundsVanish: refundsVanish === true };
}
