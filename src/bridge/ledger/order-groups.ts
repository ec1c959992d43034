import type { OrderDelivery } from '../delivery/record-deliveries.ts';
import type { OrderKey } from '../order/facts/facts.ts';
import { storable } from './json-columns.ts';

/** The deliveries of one id of a platform, under which there may be several orders. */
export type OrderGroup = { key: OrderKey; text: string; deliveries: OrderDelivery[] };

/** In the order of their keys, in which rows are locked. */
export function orderGroups(items: readonly OrderDelivery[]): OrderGroup[] {
  const groups = Map.groupBy(items, ({ key }) => keyText(key));
  return [...groups]
    .map(([text, deliveries]) => ({ text, deliveries, key: storableKey((deliveries[0] as OrderDelivery).key) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** One text per key. */
export function keyText(key: OrderKey): string {
  const { shopId, platform, store, orderId } = storableKey(key);
  return JSON.stringify([shopId, platform, store, orderId]);
}

export function keyColumns({ shopId, platform, store, orderId }: OrderKey) {
  return { shop_id: shopId, platform, store, order_id: orderId };
}

function storableKey({ shopId, platform, store, orderId }: OrderKey): OrderKey {
  return { shopId: shopId.toLowerCase(), platform, store: storable(store), orderId: storable(orderId) };
}
