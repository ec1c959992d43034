import type { Connection } from '../../bridge/connections/connection.ts';
import { bodiesUntil } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { foldDeliveries, type KnownOrder } from '../../bridge/ledger/orders/fold-deliveries.ts';
import { findOrder, type KeptOrder, ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import { type Facts, noFacts, type OrderNews } from '../../bridge/order/facts/facts.ts';
import type { Problem } from '../../bridge/order/facts/failure.ts';
import { factsOf, merge } from '../../bridge/order/facts/merge.ts';
import { viewOf } from '../../bridge/order/facts/view.ts';
import type { Normalized } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { deliveredAgain, type KeptBody, readKept } from '../connections/store-webhooks.ts';
import { orderSources, type SourceTotal } from '../order-detail/order-sources.ts';
import { type DesiredRecord, expectedRecord } from '../orders/order-report.ts';

/** An order as facts say it, without its buyer; `record`: what should be recorded by them and today's settings, `should` its total. */
export type StoredOrderView = {
  status: string;
  payment: string;
  lifecycle: string;
  kept: SourceTotal;
  refunds: number;
  record: DesiredRecord;
  should: SourceTotal;
};

/** null: no state of it was known. */
export type WebhookChange = { before: StoredOrderView | null; after: StoredOrderView | null };

/**
 * What reading a webhook again would do. Of an order: `id` in the ledger, null: a new one would be made; `isDecided`: its record is decided again;
 * `isKnown`: it says nothing that is not known.
 */
export type ReplayPreview =
  | { is: 'order'; id: number | null; orderId: string; isKnown: boolean; isDecided: boolean; change: WebhookChange }
  | { is: 'unreadable'; problems: readonly Problem[] }
  | { is: 'ignored'; why: string }
  | { is: 'refund-deleted' | 'warning' | 'closed' | 'granted' | 'privacy' };

/** Must a person say twice that they want it? It deletes, ends a connection, or erases. */
export function asksAgain(preview: ReplayPreview): boolean {
  if (preview.is !== 'order') return preview.is === 'closed' || preview.is === 'privacy' || preview.is === 'refund-deleted';
  const { before, after } = preview.change;
  const isGone = after?.lifecycle === 'trashed' && before?.lifecycle !== 'trashed';
  return isGone || (before?.record.kind === 'record' && after?.record.kind === 'nothing');
}

type Kept = { kept: KeptBody; connection: Connection };

/** What reading a webhook again would do, by the facts of now. Nothing is written. */
export async function previewReplay(pool: Pool, { kept, connection, orderRef }: Kept & { orderRef: number | null }): Promise<ReplayPreview> {
  const normalized = await readKept(storefrontOf(storefronts, connection.platform), kept);
  if (normalized.kind === 'unreadable') return { is: 'unreadable', problems: normalized.problems };
  if (normalized.kind === 'ignored') return { is: 'ignored', why: normalized.why };
  if (normalized.kind !== 'order') return { is: normalized.kind };
  const { news } = normalized;
  const order = orderRef === null ? await findOrder(pool, connection.id, news.orderId) : ((await ordersOfIds(pool, [orderRef]))[0] ?? null);
  const key = { shopId: connection.shopId, platform: connection.platform, store: connection.store ?? '', orderId: news.orderId };
  const delivery = { delivery: deliveredAgain(kept, normalized), key, news, quietSeconds: 0 };
  const [fold] = foldDeliveries(order === null ? [] : [knownOf(order)], [delivery]);
  const same = fold?.known === undefined ? null : order;
  const isKnown = fold === undefined || !fold.fold.changed;
  const change = changeOf({ before: same?.facts ?? noFacts, after: fold?.fold.facts ?? noFacts }, { order: same, connection });
  return { is: 'order', id: same?.id ?? null, orderId: news.orderId, isKnown, isDecided: fold?.fold.raised ?? false, change };
}

function knownOf({ id, orderId, facts, customer, revision, recordedRevision, state, review, record, dirtySince, backfilled }: KeptOrder): KnownOrder {
  const rest = { revision, atRest: revision === recordedRevision, isRecorded: record !== null, state, reviewCode: review?.code ?? null };
  return { id, orderId, facts, customer, ...rest, dirty_since: dirtySince, backfilled };
}

/** An order has fewer webhooks, nearly always. */
const MOST_READ = 30;

/** What a webhook changed of its order, by those that came before it. Null: the bodies of some are gone, or can't be read. */
export async function changedBy(
  pool: Pool,
  { id, orderRef, connection }: { id: string; orderRef: number; connection: Connection },
): Promise<WebhookChange | null> {
  const [[order], all] = await Promise.all([ordersOfIds(pool, [orderRef]), bodiesUntil(pool, { id, orderRef }, MOST_READ + 1)]);
  if (order === undefined || all.length === 0 || all.length > MOST_READ) return null;
  let [before, after] = [noFacts, noFacts];
  for (const { body, ...kept } of all) {
    const facts = body === null ? null : newsFacts(await readKept(storefrontOf(storefronts, connection.platform), { ...kept, body }), kept.arrivedAt);
    if (facts === null) return null;
    [before, after] = [after, merge(after, facts)];
  }
  return changeOf({ before, after }, { order, connection });
}

function newsFacts(normalized: Normalized, arrivedAt: string): Facts | null {
  const withdrawn = (refundId: string): OrderNews => ({ orderId: '', withdrawn: [refundId] });
  const news = normalized.kind === 'order' ? normalized.news : normalized.kind === 'refund-deleted' ? withdrawn(normalized.refundId) : null;
  return news === null ? null : factsOf(news, arrivedAt);
}

type FactsOf = { before: Omit<Facts, 'customer'>; after: Omit<Facts, 'customer'> };

function changeOf({ before, after }: FactsOf, of: { order: KeptOrder | null; connection: Connection }): WebhookChange {
  return { before: seenOf(before, of), after: seenOf(after, of) };
}

function seenOf(facts: Omit<Facts, 'customer'>, { order, connection }: { order: KeptOrder | null; connection: Connection }): StoredOrderView | null {
  const view = viewOf({ ...facts, customer: { kind: 'none' } });
  if (view === null || facts.snapshot === null) return null;
  const { shopId } = connection;
  const { orderId = '', mapping = null, backfilled = false, record: recorded = null } = order ?? {};
  const record = expectedRecord({ orderId, shopId, mapping, backfilled, facts, record: recorded, customer: noFacts.customer }, connection);
  const { totals } = orderSources({ facts }, { desired: record, record: null, state: 'queued' });
  const { lifecycle, payment, refunds } = view;
  return { status: facts.snapshot.status, payment, lifecycle, kept: totals.store, refunds: refunds.length, record, should: totals.should };
}
