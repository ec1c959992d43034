import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';

const orderRows = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), number: z.string().nullable(), connectionId: z.string(), state: z.string() }));

/** The order that a record is of; `shopId` null: of any shop. Null: no order of the ledger has it. */
export async function orderOfRecord(pool: Pool, shopId: string | null, complianceId: string): Promise<z.output<typeof orderRows.schema> | null> {
  return readRow(pool, orderRows, {
    text: `select id, order_id as "orderId", number, connection_id as "connectionId", state from orders
      where compliance_id = $2 and ($1::uuid is null or shop_id = $1) order by id limit 1`,
    values: [shopId, complianceId],
  });
}
