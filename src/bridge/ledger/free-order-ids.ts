import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { OrderKey } from '../order/order-key.ts';

const takenRows = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), isOfId: z.boolean() }));

/** `known`: the orders of this id that are locked; `count`: how many ids are needed. */
type Wanted = { key: OrderKey; known: readonly number[]; count: number };

/**
 * Ids of the ledger for new orders of one platform id: ID for the first one, then ID~2 and on; what a store itself calls ID~2 is passed over.
 * Null: another transaction has just made an order of this id.
 */
export async function freeOrderIds(tx: Queryable, { key, known, count }: Wanted): Promise<string[] | null> {
  const { shopId, platform, store, orderId } = key;
  const first = known.length === 0 ? [orderId] : [];
  const ids = [...first, ...Array.from({ length: known.length + count + SPARE }, (_, at) => `${orderId}~${at + 2}`)];
  const taken = await readRows(tx, takenRows, {
    text: `select id, order_id as "orderId", coalesce(platform_id, order_id) = $5 as "isOfId" from orders
      where shop_id = $1 and platform = $2 and store = $3 and (order_id = any($4) or platform_id = $5)`,
    values: [shopId, platform, store, ids, orderId],
  });
  if (taken.some(({ id, isOfId }) => isOfId && !known.includes(id))) return null;
  const free = ids.filter((id) => !taken.some((row) => row.orderId === id)).slice(0, count);
  if (free.length < count) throw new Error(`no id is left for another order ${orderId}`);
  return free;
}

/** More than a store's own ids of that form will ever be in the way. */
const SPARE = 20;
