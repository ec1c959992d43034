import { z } from 'zod';
import { NAMES_A_FIELD } from '../../contract/shop-dto.ts';

const shopType = z.union([z.literal(1), z.literal(2)], 'must be 1 or 2, or null');

/** What a shop may ask for beyond the documented interface. */
export const shopOptions = z.strictObject({
  automaticReceipts: z
    .boolean('must be true or false')
    .describe('Is a receipt issued and mailed for each order paid by PAYMENT_PROCESSOR or VIRTUAL_POS as it is recorded, without being asked for?'),
  receiptEnglish: z.boolean('must be true or false').describe('Are receipts, from the next one on, in English as well as in Bulgarian?'),
  eShopType: shopType
    .nullable()
    .describe('Kind of shop in the audit file: 1 its own domain, 2 a shop in an online platform; null: 2 if the domain has a path, else 1.'),
  refuseEndedCurrencies: z
    .boolean('must be true or false')
    .describe(
      'Is an order refused (422 currency-ended) whose currency had ended when it was made, such as leva after 2026-01-31? The order’s own time decides; replacements of recorded orders pass.',
    ),
});

/** The body of a change: any of them, one at least. */
export const shopOptionsPatch = shopOptions.partial().refine((patch) => Object.keys(patch).length > 0, NAMES_A_FIELD);

export type ShopOptions = z.output<typeof shopOptions>;

/** Columns of a `ShopOptions` in compliance.shops `s`. */
export const SHOP_OPTIONS = `s.automatic_receipts as "automaticReceipts", s.receipt_english as "receiptEnglish", s.e_shop_type as "eShopType",
  s.refuse_ended_currencies as "refuseEndedCurrencies"`;
