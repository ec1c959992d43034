import { randomUUID } from 'node:crypto';
import type { OrderDelivery } from '../../../src/bridge/delivery/record-deliveries.ts';
import { findOrder, type KeptOrder, keptOrders } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { recordOrders } from '../../../src/bridge/ledger/orders/record-store.ts';
import type { OrderNews, Snapshot } from '../../../src/bridge/order/facts/facts.ts';
import { at, line, snapshot } from '../samples/order-facts.ts';
import type { Bridge } from './bridge.ts';

/** When the coat was placed; nothing in it is the cap’s. */
export const JULY = '2026-07-01T10:00:00Z';
export const AUGUST = '2026-08-01T10:00:00Z';
export const mariasName = { firstName: 'Мария' };
export const ivansName = { firstName: 'Иван' };

export const coat = (values: Partial<Snapshot> = {}): OrderNews =>
  sold({ createdAt: JULY, updatedAt: at('07:00'), lines: [line({ id: '70', name: 'Coat' })], ...values });
export const cap = (values: Partial<Snapshot> = {}): OrderNews =>
  sold({ createdAt: AUGUST, updatedAt: at('08:00'), lines: [line({ id: '80', name: 'Cap' })], ...values });

export function sold(values: Partial<Snapshot>): OrderNews {
  const customer = values.createdAt === JULY ? mariasName : ivansName;
  return { orderId: '700', snapshot: snapshot({ transactionId: null, digest: JSON.stringify(values), ...values }), customer };
}

/** A connection, and how the news of its store is recorded: each call is one batch. */
export async function store(bridge: Bridge) {
  const { connection } = await bridge.connect();
  const { id: connectionId, shopId, platform } = connection;
  const item = (news: OrderNews): OrderDelivery => {
    const normalized = { kind: 'order', news } as const;
    const of = {
      id: randomUUID(),
      connectionId,
      arrivedAt: new Date().toISOString(),
      topic: 'order.updated',
      platformDeliveryId: null,
      store: null,
      body: null,
    };
    return { delivery: { ...of, normalized }, key: { shopId, platform, store: 'corner', orderId: news.orderId }, news, quietSeconds: 0 };
  };
  const record = (...news: OrderNews[]) => recordOrders(bridge.pool, news.map(item));
  return { connectionId, record, scope: (...orderIds: string[]) => ({ shopId, platform, store: 'corner', orderIds, until: new Date().toISOString() }) };
}

/** Each order of the ledger: id, state, code. */
export async function names(bridge: Bridge): Promise<string[]> {
  return (await keptOrders(bridge.pool, {})).orders
    .map(({ orderId, state, review }) => [orderId, state, ...(review === null ? [] : [review.code])].join(' '))
    .toSorted();
}

export async function kept(bridge: Bridge, connectionId: string, orderId: string): Promise<KeptOrder> {
  const order = await findOrder(bridge.pool, connectionId, orderId);
  if (order === null) throw new Error(`there is no order ${orderId}`);
  return order;
}
