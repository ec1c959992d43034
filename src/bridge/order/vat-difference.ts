import { decimalsOf, parseMoney } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalVatOf } from '../../contract/totals.ts';
import type { Snapshot } from './facts.ts';
import { isUntaxed } from './untaxed-prices.ts';

/**
 * True if the VAT that the service derives from this record differs from what the storefront calculated for the whole order.
 * Rounding makes a cent of difference now and then: it is counted, not corrected. After a refund there is nothing to compare.
 */
export function vatDiffers(record: TaxRecord, snapshot: Snapshot | null): boolean {
  // A store that reckons no taxes says nothing of them.
  if (snapshot === null || isUntaxed(snapshot) || snapshot.currency !== record.currency || (snapshot.refunds ?? []).length > 0) return false;
  const decimals = decimalsOf(record.currency);
  const theirs = parseMoney(snapshot.vat ?? '', decimals);
  if (theirs === undefined) return false;
  return totalVatOf({ lines: record.lineItems, precision: decimals }) !== theirs;
}
