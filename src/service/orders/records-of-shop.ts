import type pg from 'pg';
import { z } from 'zod';
import type { TaxRecord } from '../../contract/record.ts';
import { isoText } from '../../platform/postgres/iso-text.ts';

/** A record with the sums that the service derived, in decimal text. No personal data. */
export type ShopRecord = {
  id: string;
  createdAt: string;
  hasCustomer: boolean;
  record: TaxRecord;
  totals: { total: string; netTotal: string; totalVat: string; totalDiscount: string };
};

const shopRecord = z.object({
  id: z.string(),
  createdAt: z.string(),
  hasCustomer: z.boolean(),
  record: z.object({
    internalId: z.string(),
    internalNumber: z.string(),
    internalCreatedAt: z.string(),
    lineItems: z.array(
      z.object({ name: z.string(), quantity: z.number(), price: z.string(), discount: z.string(), vatRate: z.string(), vatGroup: z.string() }),
    ),
    paymentType: z.string(),
    paymentProcessorName: z.string().nullable(),
    transactionId: z.string().nullable(),
    precision: z.int(),
    currency: z.string(),
  }),
  totals: z.object({ total: z.string(), netTotal: z.string(), totalVat: z.string(), totalDiscount: z.string() }),
});

const SELECT = `
  select id, ${isoText('created_at')} as "createdAt", customer is not null as "hasCustomer",
    json_build_object('internalId', internal_id, 'internalNumber', internal_number, 'internalCreatedAt', internal_created_at, 'lineItems', line_items,
      'paymentType', payment_type, 'paymentProcessorName', payment_processor_name, 'transactionId', transaction_id, 'precision', precision, 'currency', currency) as record,
    json_build_object('total', total::text, 'netTotal', net_total::text, 'totalVat', total_vat::text, 'totalDiscount', total_discount::text) as totals
  from compliance.orders where shop_id = $1 order by created_at, id`;

/** The records that stand in a shop, oldest first: what a ledger is compared with. */
export async function recordsOfShop(pool: pg.Pool, shopId: string): Promise<ShopRecord[]> {
  const { rows } = await pool.query(SELECT, [shopId]);
  return z.array(shopRecord).parse(rows);
}
