import { type OrdersFilter, listOrders as ordersInLedger } from '../../bridge/ledger/order-view.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';

/** Orders, the newest first; `more`: further ones fit, beyond `limit`. */
export async function listOrders(
  { pool }: { pool: Pool },
  { limit, ...filter }: OrdersFilter & { limit: number },
): Promise<{ orders: OrderBrief[]; more: boolean }> {
  const views = await ordersInLedger(pool, { ...filter, limit: limit + 1 });
  return { orders: views.slice(0, limit).map(orderBrief), more: views.length > limit };
}
