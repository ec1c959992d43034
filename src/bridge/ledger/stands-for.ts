import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Claim } from '../order/claim.ts';
import type { StandsFor } from '../order/conclude.ts';

const standsForRows = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), connectionId: z.string() }));

/** Which other order of the shop has this record; where the service named none, which one has a record under the claimed order's id. */
export async function standsForIn(pool: Pool, { id, key }: Claim, complianceId: string | null): Promise<StandsFor | null> {
  return readRow(pool, standsForRows, {
    text: `select id, order_id as "orderId", connection_id as "connectionId" from orders
      where shop_id = $1 and id <> $2 and (compliance_id = $3 or ($3::text is null and compliance_id is not null and order_id = $4)) order by id limit 1`,
    values: [key.shopId, id, complianceId, key.orderId],
  });
}
