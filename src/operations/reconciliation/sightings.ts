import type { Connection } from '../../bridge/connections/connection.ts';
import { type StoreOrder, storeOrders } from '../../bridge/ledger/store-orders.ts';
import type { Desired } from '../../bridge/order/decisions/desired.ts';
import { wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { isBasket, isDeleted } from '../../bridge/order/facts/facts.ts';
import type { Terms } from '../../bridge/order/facts/settings.ts';
import { compareHead, isOlderThere, type KnownHead } from '../../bridge/reconciliation/compare-head.ts';
import type { StoreWord } from '../../bridge/reconciliation/difference.ts';
import { paidAsWanted, paidByList } from '../../bridge/reconciliation/order-words.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { OrderHead } from '../../bridge/storefronts/store-reader.ts';
import type { StoreRead } from './read-store.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { soldAtOf, soldAtOfHead, type Window } from './window.ts';

/** An order as the sides have it. `wanted`: by the ledger's facts. `soldAt`: ISO instant. */
export type Sighting = {
  orderId: string;
  head: OrderHead | null;
  order: StoreOrder | null;
  wanted: Desired | null;
  soldAt: string | null;
  store: StoreWord;
};

/** What was read of the other sides; null: not. */
export type Sources = { connection: Connection; window: Window; store: StoreRead | null };

/** Of the records that the service lists. */
export type RecordIds = { complianceIds: readonly string[]; internalIds: readonly string[] };

/** Every order that the store lists, or the ledger has of the window or of these records, with the store's word on it. */
export async function sightings(deps: ReconcileDeps, { connection, window, store }: Sources, { complianceIds, internalIds }: RecordIds): Promise<Sighting[]> {
  const heads = store?.heads ?? new Map<string, OrderHead>();
  const known = await deps.knownHeads(connection, [...heads.keys()]);
  const terms = termsOf(connection);
  const seen = new Set<string>();
  const found: Sighting[] = [];
  const query = { since: window.from, platformIds: [...heads.keys(), ...internalIds], complianceIds };
  for await (const page of storeOrders(deps.pool, connection, query)) {
    for (const order of page) {
      const wanted = wantedOf(order, terms);
      // Of several orders of one id the list means the first one.
      const head = seen.has(order.platformId) ? null : (heads.get(order.platformId) ?? null);
      seen.add(order.platformId);
      const word = storeWord({ store, connection, head, known: known.get(order.platformId) ?? [] }, { order, wanted });
      found.push({
        orderId: order.key.orderId,
        head,
        order,
        wanted,
        soldAt: soldAtOf(order.facts, window) ?? (head === null ? null : soldAtOfHead(head, window)),
        store: word,
      });
    }
  }
  const strangers = [...heads.values()].filter((head) => !seen.has(head.orderId) && !isBasket(head));
  return [...found, ...strangers.map((head) => stranger(head, { connection, window }))];
}

function stranger(head: OrderHead, { connection, window }: Pick<Sources, 'connection' | 'window'>): Sighting {
  const store: StoreWord = { is: 'there', knowledge: 'unknown', paid: head.lifecycle === 'trashed' ? null : paidByList(head, connection) };
  return { orderId: head.orderId, head, order: null, wanted: null, soldAt: soldAtOfHead(head, window), store };
}

type Listed = { store: StoreRead | null; connection: Connection; head: OrderHead | null; known: readonly KnownHead[] };

function storeWord({ store, connection, head, known }: Listed, { order, wanted }: { order: StoreOrder; wanted: Desired }): StoreWord {
  const { snapshot } = order.facts;
  if (store === null) return { is: 'unread' };
  if (head === null) {
    const isGone = store.gone.has(order.platformId);
    return isGone ? { is: 'gone', known: snapshot !== null && (snapshot.lifecycle === 'trashed' || isDeleted(order.facts, snapshot)) } : { is: 'unread' };
  }
  const knowledge = compareHead(head, known);
  if (head.lifecycle === 'trashed') return { is: 'gone', known: knowledge === 'known' };
  if (isOlderThere(head, known, store.listedAt)) return { is: 'there', knowledge, isOlder: true, paid: paidByList(head, connection) };
  const standing = order.standing?.record ?? null;
  const paid = knowledge === 'known' ? paidAsWanted(asKnown(head, order), { facts: order.facts, wanted, standing }) : paidByList(head, connection);
  return { is: 'there', knowledge, paid };
}

// Of an order that changed since it was listed the ledger knows more than the list.
function asKnown(head: OrderHead, { facts: { snapshot } }: StoreOrder): OrderHead {
  return snapshot !== null && snapshot.updatedAt !== head.updatedAt ? { ...head, kept: null } : head;
}

export function termsOf({ platform, destinationId, recordFrom, trialSince, gaps, settings }: Connection): Terms {
  const { gateways, transactionComesLater, refundsVanish } = storefrontOf(storefronts, platform);
  const terms = { destinationId, recordFrom, onTrial: trialSince !== null, gaps, settings };
  return { ...terms, gateways, transactionComesLater, refundsVanish: refundsVanish === true };
}
