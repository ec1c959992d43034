import { z } from 'zod';
import { recordLine } from '../../../contract/record.ts';
import type { RateAmounts } from '../../rates/by-rate.ts';
import { declaredAmounts } from '../../rates/declared-amounts.ts';
import { storedRate } from '../../rates/stored-rate.ts';

/** The kept row of a sale that a file lists, as it is stored with `filed_sales`. */
export const storedEntry = z.object({
  line_items: z.array(recordLine),
  currency: z.string(),
  precision: z.int(),
  accounting_currency: z.enum(['BGN', 'EUR']),
  exchange: storedRate.nullable(),
});

/** The declared amounts of a sale by VAT rate, which were not kept with it when it was recorded; null if they can't be computed any more. */
export function entryRates(entry: z.output<typeof storedEntry>): readonly RateAmounts[] | null {
  const { line_items: lineItems, currency, precision, accounting_currency: to, exchange: rate } = entry;
  return declaredAmounts({ lineItems, currency, precision }, { to, rate })?.byRate ?? null;
}
