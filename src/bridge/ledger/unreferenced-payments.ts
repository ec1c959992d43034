import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { orderStates } from '../order/order-state.ts';

const gatewayRow = rowsOf('orders', z.object({ connectionId: z.string(), gateway: z.string(), orders: z.int(), referenced: z.int() }));

/** Of one gateway's newest paid orders: how many there are, and how many have a transaction id. */
export type GatewayReferences = z.output<typeof gatewayRow.schema>;

// Of each state the newest, in the order of the index of states: by the id alone the whole table may be read for a store with few orders.
const NEWEST = `select n.id from unnest($3::text[]) s (state) cross join lateral
  (select id from orders where connection_id = c.id and state >= s.state and state <= s.state order by state desc, id desc limit $2) n order by n.id desc limit $2`;

/** Of the newest `size` orders of each of these connections, by the gateway that alone paid them. */
export function gatewayReferences(pool: Pool, connectionIds: readonly string[], size: number): Promise<GatewayReferences[]> {
  return readRows(pool, gatewayRow, {
    text: `select c.id as "connectionId", o.facts -> 'snapshot' -> 'gateways' ->> 0 as gateway, count(*) as orders,
       count(*) filter (where o.facts -> 'snapshot' ->> 'transactionId' is not null
         or jsonb_path_exists(o.facts, '$.transactions.* ? (@.reference != null)')) as referenced
     from connections c cross join lateral
       (select facts from order_facts where order_ref in (${NEWEST})) o
     where c.id = any($1) and o.facts -> 'snapshot' ->> 'payment' = 'paid' and jsonb_array_length(o.facts -> 'snapshot' -> 'gateways') = 1 group by 1, 2`,
    values: [connectionIds, size, Object.keys(orderStates)],
  });
}
