import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Connection } from '../connections/connection.ts';

/** Moves the orders that other connections took of this store to this one, so that what waits goes on with its keys and settings. */
export async function moveOrders(tx: Queryable, { id, shopId, platform, store }: Pick<Connection, 'id' | 'shopId' | 'platform' | 'store'>): Promise<void> {
  if (store === null) return;
  // A shop of many years may take longer than other statements are allowed to.
  await tx.query(`set local statement_timeout = '10min'`);
  await tx.query(MOVE, [id, shopId, platform, store]);
}

// Locked in the order in which deliveries lock them.
const MOVE = `with theirs as (
    select o.id from orders o where o.shop_id = $2 and o.platform = $3 and o.store = $4 and o.connection_id <> $1
    order by coalesce(o.platform_id, o.order_id), o.id for no key update)
  update orders o set connection_id = $1 from theirs where o.id = theirs.id`;
