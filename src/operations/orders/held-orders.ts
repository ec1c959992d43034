import type { Connection } from '../../bridge/connections/connection.ts';
import { termsOf } from '../../bridge/delivery/terms-of.ts';
import type { KeptOrder } from '../../bridge/ledger/kept-order.ts';
import { type OrderHold, orderHolds } from '../../bridge/ledger/order-holds.ts';
import { storeReadStates } from '../../bridge/ledger/reading-store.ts';
import { storePauses } from '../../bridge/ledger/store-calls.ts';
import { isBehind } from '../../bridge/order/claim.ts';
import { goesOnWithout, toFetch } from '../../bridge/order/to-fetch.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { pausesOfStore } from '../connections/store-pauses.ts';

/** By the orders' ids, what queued ones wait for: a paused compliance service, or their store, whose API must say what its webhooks left out. */
export async function heldOrders(pool: Pool, orders: readonly KeptOrder[], connections: readonly Connection[]): Promise<ReadonlyMap<number, OrderHold>> {
  const queued = orders.filter(({ state }) => state === 'queued');
  if (queued.length === 0) return new Map();
  const ids = queued.map(({ id }) => id);
  const byId = new Map(connections.map((connection) => [connection.id, connection]));
  const asking = queued.flatMap((order) => {
    const connection = byId.get(order.connectionId);
    return connection !== undefined && waitsForStore(order, connection) ? [{ order, connection }] : [];
  });
  const holds = await orderHolds(pool, ids);
  if (asking.length === 0) return holds;
  const [pauses, states] = await Promise.all([storePauses(pool), storeReadStates(pool)]);
  const byStore = asking.map(({ order, connection }) => {
    const [pause] = pausesOfStore(connection, pauses);
    const { code, detail } = pause ?? failureIn(states.get(connection.id)?.last?.error ?? null);
    return [order.id, { shopId: null, code, detail, since: order.dirtySince ?? order.updatedAt }] as const;
  });
  return new Map([...byStore, ...holds]);
}

/** It was tried at least once. */
function waitsForStore(order: KeptOrder, connection: Connection): boolean {
  if (connection.access === null || order.attempts === 0 || !isBehind(order)) return false;
  const { facts, record, complianceId, destinationId, orderId } = order;
  const standing = record === null || complianceId === null || destinationId === null ? null : { record, complianceId, destinationId };
  const decidable = { ...order, key: { orderId }, facts: { ...facts, customer: { kind: 'none' as const } }, standing, previous: null };
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  const missing = toFetch(decidable, terms);
  return missing !== null && !goesOnWithout(decidable, terms, missing);
}

/** What the last reading of the store failed with, which is not the order's own try. */
function failureIn(error: string | null): Pick<OrderHold, 'code' | 'detail'> {
  const [, code, detail] = /^(storefront\.(?:unreachable|refused)): (.+)$/s.exec(error ?? '') ?? [];
  if (code === undefined || detail === undefined) return { code: 'storefront.unreachable', detail: 'it is called again at growing intervals' };
  return { code: code === 'storefront.refused' ? code : 'storefront.unreachable', detail };
}
