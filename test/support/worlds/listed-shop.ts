import type { Connection } from '../../../src/bridge/connections/connection.ts';
import type { OrderNews } from '../../../src/bridge/order/facts/facts.ts';
import type { ReadableStore } from '../../../src/bridge/reconciliation/read-page.ts';
import { standard } from '../../../src/bridge/storefronts/standard/standard.ts';
import type { OrderSummary } from '../../../src/bridge/storefronts/store-reader.ts';

/** The orders of an own shop, as it would list them; a delivery of them is up to the test. */
export class ListedShop {
  readonly orders = new Map<string, Record<string, unknown>>();
  /** Orders that are too old for its key. */
  readonly hidden = new Set<string>();
  /** Orders placed before are hidden from its key. */
  since: string | null = null;

  save(order: Record<string, unknown>): Record<string, unknown> {
    this.orders.set(String(order['id']), order);
    return order;
  }

  /** What customers paid and kept. */
  get kept(): string[] {
    return this.#summaries()
      .map(({ orderId, kept }) => `${orderId}: ${kept}`)
      .toSorted();
  }

  opened(connection: Connection): ReadableStore {
    return {
      connection,
      storeName: null,
      showsSince: async () => this.since,
      changedSince: async ({ since, after, size }) => {
        const all = this.#summaries()
          .filter(({ updatedAt }) => updatedAt >= since)
          .toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt));
        const from = Number(after ?? 0);
        return { summaries: all.slice(from, from + size), next: all.length > from + size ? String(from + size) : null };
      },
      ordersById: async (sought) => {
        const ids = sought.map(({ orderId }) => orderId);
        const news = ids.flatMap((id) => (this.orders.has(id) ? [this.#news(id)] : []));
        const absent = ids.filter((id) => !this.orders.has(id));
        return { news, gone: absent.filter((id) => !this.hidden.has(id)), unknown: absent.filter((id) => this.hidden.has(id)) };
      },
    };
  }

  #news(id: string): OrderNews {
    const normalized = standard.normalize({ topic: '', deliveryId: null, store: null }, { data: { order: this.orders.get(id) } });
    if (normalized.kind !== 'order') throw new Error(JSON.stringify(normalized));
    return normalized.news;
  }

  #summaries(): OrderSummary[] {
    return [...this.orders.keys()].map((id) => {
      const { snapshot } = this.#news(id);
      if (snapshot === undefined) throw new Error(`order ${id} has no state`);
      const { updatedAt, status, lifecycle, payment, test, currency, total, number, paidAt, placedAt, refunds } = snapshot;
      const back = (refunds ?? []).reduce((sum, { amount }) => sum + Number(amount), 0);
      const state = { updatedAt, status, lifecycle, payment, test, currency, total, number, soldAt: paidAt ?? placedAt, createdAt: placedAt };
      return { orderId: id, ...state, kept: (Number(total) - back).toFixed(2), refundIds: refunds?.map(({ id: refund }) => refund) ?? null };
    });
  }
}
