import { z } from 'zod';
import { taxRecord } from '../../../src/contract/record.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { RECORD_OF_ORDER } from '../../../src/service/orders/order-dto.ts';

const shopRecord = z.object({
  id: z.string(),
  createdAt: z.string(),
  hasCustomer: z.boolean(),
  record: taxRecord,
  totals: z.object({ total: z.string(), netTotal: z.string(), totalVat: z.string(), totalDiscount: z.string() }),
});
const shopRecords = rowsOf('compliance.orders', shopRecord);

/** A record with the sums that the service computed, as decimal text. No personal data. */
export type ShopRecord = z.output<typeof shopRecord>;

const SELECT = `
  select id, ${isoText('created_at')} as "createdAt", customer is not null as "hasCustomer", ${RECORD_OF_ORDER} as record,
    json_build_object('total', total::text, 'netTotal', net_total::text, 'totalVat', total_vat::text, 'totalDiscount', total_discount::text) as totals
  from compliance.orders o where shop_id = $1 order by created_at, id`;

/** The records of a shop, oldest first: a ledger is compared with them. */
export function recordsOfShop(pool: Pool, shopId: string): Promise<ShopRecord[]> {
  return readRows(pool, shopRecords, { text: SELECT, values: [shopId] });
}
