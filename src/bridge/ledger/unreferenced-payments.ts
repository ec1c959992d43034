import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const gatewayRow = rowsOf('orders', z.object({ connectionId: z.string(), gateway: z.string(), orders: z.int(), referenced: z.int() }));

/** Of one gateway's newest paid orders: how many there are, and how many have a transaction id. */
export type GatewayReferences = z.output<typeof gatewayRow.schema>;

/** Of the newest `size` orders of each of these connections, by the gateway that alone paid them. */
export function gatewayReferences(pool: Pool, connectionIds: readonly string[], size: number): Promise<GatewayReferences[]> {
  return readRows(pool, gatewayRow, {
    text: `select c.id as "connectionId", o.facts -> 'snapshot' -> 'gateways' ->> 0 as gateway, count(*) as orders,
       count(*) filter (where o.facts -> 'snapshot' ->> 'transactionId' is not null
         or jsonb_path_exists(o.facts, '$.transactions.* ? (@.reference != null)')) as referenced
     from connections c cross join lateral
       (select facts from orders where connection_id = c.id order by id desc limit $2) o
     where c.id = any($1) and o.facts -> 'snapshot' ->> 'payment' = 'paid' and jsonb_array_length(o.facts -> 'snapshot' -> 'gateways') = 1 group by 1, 2`,
    values: [connectionIds, size],
  });
}
