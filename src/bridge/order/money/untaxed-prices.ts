import { decimalsOf, parseMoney } from '../../../contract/money.ts';
import type { TaxRecord } from '../../../contract/record.ts';
import { totalVatOf } from '../../../contract/totals.ts';
import type { Snapshot } from '../facts/facts.ts';
import { canonicalRate, type FiscalSettings } from '../facts/settings.ts';
import type { OrderView } from '../facts/view.ts';

type Priced = Pick<OrderView, 'lines' | 'currency'>;

/** True if the order has lines that cost something, gift cards aside, and none of them bears a tax. */
export function isUntaxed(order: Priced): boolean {
  const goods = order.lines.filter(({ giftCard, gross }) => giftCard !== true && parseMoney(gross, decimalsOf(order.currency)) !== 0n);
  return goods.length > 0 && goods.every(({ vatRate }) => canonicalRate(vatRate) === '0');
}

/** In a store that reckons no taxes, an order's lines bear the rate that its prices contain. An order with any taxed line stays as it is. */
export function withContainedVat<Order extends Priced>(order: Order, { pricesContainVat }: Pick<FiscalSettings, 'pricesContainVat'>): Order {
  if (pricesContainVat === null || !isUntaxed(order)) return order;
  return { ...order, lines: order.lines.map((line) => (line.giftCard === true ? line : { ...line, vatRate: canonicalRate(pricesContainVat) })) };
}

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
