import { sum } from '../../../contract/money.ts';
import { roundTo, taxOf } from './micro-money.ts';
import type { ShopifyRefund } from './payload.ts';
import { discountedPrice, type Reading } from './refund-basis.ts';

/** The refunded part of one line: whole pieces, or money alone (quantity 0). */
export type Part = { lineId: string; quantity: number; amount: bigint };

/** Items, shipping by line, and duties; with VAT, by one reading of the amounts. */
export function returnedParts(raw: ShopifyRefund, reading: Reading): Part[] {
  return [...itemParts(raw, reading), ...shippingParts(raw, reading), ...dutyParts(raw)];
}

/**
 * Refunded shipping that only an adjustment shows, without its line (refunds made before 2024-10): Shopify gives its amount with VAT for some
 * shops, without for others. Where shipping is refunded by line the adjustment repeats it, and is skipped.
 */
export function adjustedShipping({ order_adjustments, refund_shipping_lines }: ShopifyRefund, reading: Reading): bigint {
  const adjustments = refund_shipping_lines.length > 0 ? [] : order_adjustments.filter(({ kind }) => kind === 'shipping_refund');
  const amount = -sum(adjustments.map((adjustment) => adjustment.amount_set ?? adjustment.amount));
  return amount - (reading === 'with-vat' ? 0n : sum(adjustments.map(adjustedTax)));
}

export function adjustedTax({ tax_amount, tax_amount_set }: ShopifyRefund['order_adjustments'][number]): bigint {
  return tax_amount_set ?? tax_amount ?? 0n;
}

function itemParts({ refund_line_items }: ShopifyRefund, reading: Reading): Part[] {
  return refund_line_items.map(({ line_item_id, quantity, ...line }) => {
    const tax = reading === 'with-vat' ? 0n : (line.total_tax_set ?? line.total_tax);
    return { lineId: line_item_id, quantity, amount: (line.subtotal_set ?? line.subtotal) + tax };
  });
}

function shippingParts({ refund_shipping_lines }: ShopifyRefund, reading: Reading): Part[] {
  return refund_shipping_lines.map(({ shipping_line_id, subtotal_amount_set, shipping_line }) => {
    const { amount, currency_code } = subtotal_amount_set.shop_money;
    const whole = shipping_line ? { price: discountedPrice(shipping_line), tax: taxOf(shipping_line.tax_lines) } : { price: 0n, tax: 0n };
    const tax = reading === 'with-vat' ? 0n : taxShare(amount, whole, currency_code ?? '');
    return { lineId: shipping_line_id, quantity: amount === whole.price ? 1 : 0, amount: amount + tax };
  });
}

// A refund of shipping has no tax of its own: it is the same part of the line's tax as of its price.
function taxShare(amount: bigint, whole: { price: bigint; tax: bigint }, currency: string): bigint {
  return whole.price === 0n ? 0n : roundTo(currency, { dividend: amount * whole.tax, divisor: whole.price });
}

function dutyParts({ duties }: ShopifyRefund): Part[] {
  return duties.map(({ duty_id, amount_set }) => ({ lineId: duty_id, quantity: 0, amount: amount_set }));
}
