import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { OrderKey } from '../order/order-key.ts';

const orderRows = rowsOf('orders', z.object({ order_id: z.string() }));

/** The platform's ids of a store's orders that are known to have a refund. It reads all of the store's orders: refunds are deleted by hand, and rarely. */
export async function ordersOfRefund(pool: Pool, { shopId, platform, store }: Omit<OrderKey, 'orderId'>, refundId: string): Promise<string[]> {
  const rows = await readRows(pool, orderRows, {
    text: `select coalesce(platform_id, order_id) as order_id from orders join order_facts on order_ref = id where shop_id = $1 and platform = $2 and store = $3
      and (facts -> 'refunds' ? $4 or facts @> jsonb_build_object('snapshot', jsonb_build_object('refunds', jsonb_build_array(jsonb_build_object('id', $4::text)))))
      group by 1 order by min(id)`,
    values: [shopId, platform, store, refundId],
  });
  return rows.map(({ order_id }) => order_id);
}
