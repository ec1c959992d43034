import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { type KeptOrder, type OrderPause, pausesOfOrders } from '../../bridge/ledger/orders/read-orders.ts';
import { storePauses } from '../../bridge/ledger/sync/store-calls.ts';
import { storeReadStates } from '../../bridge/ledger/sync/sync-store.ts';
import { isPending } from '../../bridge/order/decisions/claim.ts';
import type { NothingReason } from '../../bridge/order/decisions/desired.ts';
import { goesOnWithout, toFetch } from '../../bridge/order/decisions/next-action.ts';
import type { stateOfNothing } from '../../bridge/order/decisions/order-state.ts';
import { noFacts } from '../../bridge/order/facts/facts.ts';
import { viewOf } from '../../bridge/order/facts/view.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { pauseReason, pausesOfStore } from '../connections/pauses.ts';

/** By the orders' ids, what queued ones wait for: a paused compliance service, or their store, whose API must say what its webhooks left out. */
export async function pausedOrders(pool: Pool, orders: readonly KeptOrder[], connections: readonly Connection[]): Promise<ReadonlyMap<number, OrderPause>> {
  const queued = orders.filter(({ state }) => state === 'queued');
  if (queued.length === 0) return new Map();
  const ids = queued.map(({ id }) => id);
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const asking = queued.flatMap((order) => {
    const connection = byId.get(order.connectionId);
    return connection !== undefined && waitsForStore(order, connection) ? [{ order, connection }] : [];
  });
  const ofOrders = await pausesOfOrders(pool, ids);
  if (asking.length === 0) return ofOrders;
  const [pauses, states] = await Promise.all([storePauses(pool), storeReadStates(pool)]);
  const byStore = asking.map(({ order, connection }) => {
    const [pause] = pausesOfStore(connection, pauses);
    const { code, detail } = pause ?? failureIn(states.get(connection.id)?.last?.error ?? null);
    return [order.id, { shopId: null, code, detail, since: order.dirtySince ?? order.updatedAt }] as const;
  });
  return new Map([...byStore, ...ofOrders]);
}

/** It was tried at least once. */
function waitsForStore(order: KeptOrder, connection: Connection): boolean {
  if (connection.access === null || order.attempts === 0 || !isPending(order)) return false;
  const { facts, record, complianceId, destinationId, orderId } = order;
  const current = record === null || complianceId === null || destinationId === null ? null : { record, complianceId, destinationId };
  const decidable = { ...order, key: { orderId }, facts: { ...facts, customer: { kind: 'none' as const } }, current, previous: null };
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  const missing = toFetch(decidable, terms);
  return missing !== null && !goesOnWithout(decidable, terms, missing);
}

/** What the last reading of the store failed with, which is not the order's own try. */
function failureIn(error: string | null): Pick<OrderPause, 'code' | 'detail'> {
  const [, code, detail] = /^(storefront\.(?:unreachable|refused)): (.+)$/s.exec(error ?? '') ?? [];
  if (code === undefined || detail === undefined) return { code: 'storefront.unreachable', detail: 'it is called again at growing intervals' };
  return { code: code === 'storefront.refused' ? code : 'storefront.unreachable', detail };
}

/** Why a queued order is not sent: “paused: the compliance service does not know this shop since …”. */
export function pauseWords(pause: OrderPause): string {
  return `paused: ${storePauseWords(pause)?.en ?? pauseReason(pause)} since ${pause.since}`;
}

/** Null: it does not wait for its store. */
export function storePauseWords({ code }: Pick<OrderPause, 'code'>): LocalizedText | null {
  return ownValue<LocalizedText>(storePauseTexts, code) ?? null;
}

const storePauseTexts = {
  'storefront.unreachable': {
    en: 'its record depends on what the store’s API must say, which gives no answer',
    bg: 'записът зависи от онова, което трябва да каже API на магазина, а той не отговаря',
  },
  'storefront.refused': {
    en: 'its record depends on what the store’s API must say, which refuses us',
    bg: 'записът зависи от онова, което трябва да каже API на магазина, а той отказва достъп',
  },
} as const satisfies Record<string, LocalizedText>;

type Ignored = { [why in NothingReason]: (typeof stateOfNothing)[why] extends 'ignored' ? why : never }[NothingReason];
type Span = Pick<Connection, 'recordFrom' | 'gaps'>;

const words: Readonly<Record<Ignored, (paidAt: string, span: Span) => string>> = {
  trial: () => 'the store is on trial: nothing is submitted (`orderbridge start-recording`)',
  'before-record-from': (paidAt, { recordFrom }) => `paid ${paidAt}, before recordFrom ${recordFrom} (\`settings\` changes it)`,
  disconnected: (paidAt, { gaps }) => `paid ${paidAt}, while the store was disconnected${gapWords(paidAt, gaps)}`,
  test: () => 'a test order',
  draft: () => 'a draft',
  free: () => 'free, nothing was paid (`freeOrders`)',
  'gift-card': () => 'only gift cards were sold (`giftCards`)',
};

/** Why an order is ignored, as the command line says it, with ISO instants; null: it is not, by today's settings. */
export function ignoredWords({ facts }: Pick<KeptOrder, 'facts'>, why: NothingReason, span: Span): string | null {
  const paidAt = viewOf({ ...facts, customer: noFacts.customer })?.paidAt;
  if (paidAt === undefined || !isIgnored(why)) return null;
  return words[why](new Date(paidAt).toISOString(), span);
}

function isIgnored(why: NothingReason): why is Ignored {
  return why in words;
}

function gapWords(paidAt: string, gaps: Span['gaps']): string {
  const at = Date.parse(paidAt);
  const gap = gaps.find(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until));
  return gap === undefined ? '' : ` (from ${gap.from} until ${gap.until}; \`orderbridge backfill\` takes such orders in)`;
}
