import { z } from 'zod';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { ORDER_STATES } from '../order/order-state.ts';
import { orderState } from './stored-order.ts';

const orderRows = rowsOf('orders', z.object({ number: z.string().nullable(), orderId: z.string(), at: z.string(), state: orderState }));

/** `at`: when it first came. */
export type LastOrder = z.output<typeof orderRows.schema>;

/** The order of a connection that came last; null: there is none. The newest of each state is at the end of an index. */
export function lastOrder(db: Queryable, connectionId: string): Promise<LastOrder | null> {
  return readRow(db, orderRows, {
    text: `select o.number, o.order_id as "orderId", ${isoText('o.created_at')} as at, o.state from unnest($2::text[]) s (state)
      cross join lateral (select * from orders where connection_id = $1 and state = s.state order by id desc limit 1) o order by o.id desc limit 1`,
    values: [connectionId, ORDER_STATES],
  });
}
