import type { Connection } from '../connections/connection.ts';
import type { OrderNews } from '../order/facts.ts';
import type { OrderKey } from '../order/order-key.ts';
import type { PrivacyRequest } from '../storefronts/contract.ts';
import type { AcceptedDelivery, OrderSummary } from './jobs.ts';
import type { Wake } from './wake.ts';

/** One verified delivery with the order that it is about. */
export type OrderDelivery = { delivery: AcceptedDelivery; key: OrderKey; news: OrderNews; settleSeconds: number };

/** What the submitter needs to wake up; no personal data, because the dashboard shows it. */
export type RecordedOrder = {
  id: number;
  revision: number;
  /** False if nothing changed that a record depends on. */
  raised: boolean;
  /** When to submit at the earliest, ms since 1970. */
  dueAt: number;
  summary: OrderSummary;
};

/** A delivery that is no news of an order, and what is kept of it. */
export type NotedDelivery = {
  delivery: AcceptedDelivery;
  outcome: 'ignored' | 'warning' | 'closed' | 'privacy' | 'parked';
  code: string | null;
  detail: string | null;
};

export type RecorderLedger = {
  recordOrders(items: OrderDelivery[]): Promise<{ orders: RecordedOrder[]; duplicates: number }>;
  note(noted: NotedDelivery): Promise<void>;
  pinStore(connectionId: string, store: string): Promise<string>;
  warn(connectionId: string, kind: string, words: string): Promise<void>;
  close(connectionId: string): Promise<unknown>;
  privacy(about: PrivacyCall): Promise<void>;
};

/** `ownIds`: deliveries that are recorded together with the request, and are in the ledger by now. */
export type PrivacyCall = { connection: Connection; store: string; request: PrivacyRequest; ownIds: ReadonlySet<string> };

export type RecordDeps = {
  ledger: RecorderLedger;
  connection(id: string): Promise<Connection>;
  wake: Wake;
  settleSeconds: number;
  onMerged(count: { merged: number; duplicates: number }): void;
};

/** Merges accepted deliveries into the ledger and wakes the submitter. At-least-once in, the same state out. */
export async function recordDeliveries(deps: RecordDeps, deliveries: readonly AcceptedDelivery[]): Promise<void> {
  const orders: OrderDelivery[] = [];
  const others: Omit<Other, 'ownIds'>[] = [];
  for (const delivery of deliveries) {
    const connection = await deps.connection(delivery.connectionId);
    if (delivery.normalized.kind === 'order') orders.push(await orderDelivery(deps, { connection, delivery, news: delivery.normalized.news }));
    else others.push({ connection, delivery });
  }
  if (orders.length > 0) await recordOrders(deps, orders);
  // After the orders that came with it: an erasure must find the data that it erases.
  const ownIds = new Set(deliveries.map(({ id }) => id));
  for (const other of others) await recordOther(deps, { ...other, ownIds });
}

type Other = { connection: Connection; delivery: AcceptedDelivery; ownIds: ReadonlySet<string> };

async function recordOrders(deps: RecordDeps, orders: OrderDelivery[]): Promise<void> {
  const recorded = await deps.ledger.recordOrders(orders);
  deps.onMerged({ merged: orders.length - recorded.duplicates, duplicates: recorded.duplicates });
  await deps.wake(recorded.orders.filter(({ raised }) => raised));
}

async function orderDelivery(
  deps: RecordDeps,
  { connection, delivery, news }: { connection: Connection; delivery: AcceptedDelivery; news: OrderNews },
): Promise<OrderDelivery> {
  const store = await storeOf(deps, connection, delivery);
  const key = { shopId: connection.shopId, platform: connection.platform, store, orderId: news.orderId };
  return { delivery, key, news, settleSeconds: connection.settings.settleSeconds ?? deps.settleSeconds };
}

/** The store's name is pinned by the first delivery: a header that changes later must not make a second order of each. */
async function storeOf(deps: RecordDeps, connection: Connection, { store }: AcceptedDelivery): Promise<string> {
  const pinned = connection.store ?? (await deps.ledger.pinStore(connection.id, store ?? connection.name));
  if (store !== null && store !== pinned)
    await deps.ledger.warn(connection.id, 'store', `deliveries now name the store ${store}; orders stay filed under ${pinned}`);
  return pinned;
}

async function recordOther(deps: RecordDeps, { connection, delivery, ownIds }: Other): Promise<void> {
  const { normalized } = delivery;
  switch (normalized.kind) {
    case 'order':
    case 'ignored':
      return;
    case 'warning':
      await deps.ledger.warn(connection.id, 'delivery', normalized.warning);
      return deps.ledger.note({ delivery, outcome: 'warning', code: null, detail: normalized.warning });
    case 'closed':
      await deps.ledger.close(connection.id);
      return deps.ledger.note({ delivery, outcome: 'closed', code: null, detail: 'the store uninstalled the app' });
    case 'privacy':
      await deps.ledger.privacy({ connection, store: await storeOf(deps, connection, delivery), request: normalized.request, ownIds });
      return deps.ledger.note({ delivery: { ...delivery, body: null }, outcome: 'privacy', code: null, detail: normalized.request.action });
    case 'unreadable': {
      const [first] = normalized.problems;
      const detail = normalized.problems.map((problem) => problem.detail).join('; ');
      return deps.ledger.note({ delivery, outcome: 'parked', code: first.code, detail });
    }
  }
}
