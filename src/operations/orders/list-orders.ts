import { keptOrders, type OrdersFilter } from '../../bridge/ledger/kept-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';

/** Orders, the newest first; `more`: further ones fit, beyond `limit`. `unreadable`: rows of the page that can't be read, by table, id and field. */
export async function listOrders(
  { pool }: { pool: Pool },
  { limit, ...filter }: OrdersFilter & { limit: number },
): Promise<{ orders: OrderBrief[]; unreadable: readonly Error[]; more: boolean }> {
  const { orders, unreadable } = await keptOrders(pool, { ...filter, limit: limit + 1 });
  return { orders: orders.slice(0, limit).map(orderBrief), unreadable, more: orders.length + unreadable.length > limit };
}
