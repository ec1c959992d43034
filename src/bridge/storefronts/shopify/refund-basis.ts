import { sum } from '../../../contract/money.ts';
import { discountOf, ONE, priceOf, rateOf, taxOf } from './micro-money.ts';
import type { Priced, ShopifyRefund } from './payload.ts';

/** Do the amounts of a refund's lines contain VAT, or does it come on top? */
export type Reading = 'with-vat' | 'without-vat';

type Evidence = { base: bigint; tax: bigint; rate: bigint };

export function otherReading(reading: Reading): Reading {
  return reading === 'with-vat' ? 'without-vat' : 'with-vat';
}

/** The reading under which the refund's own taxes fit their rates best. Without taxes both readings are the same money. */
export function likelyReading(raw: ShopifyRefund): Reading {
  const evidence = [...itemEvidence(raw), ...shippingEvidence(raw)];
  const offContained = sum(evidence.map(({ base, tax, rate }) => distance(tax, (base * rate) / (ONE + rate))));
  const offAdded = sum(evidence.map(({ base, tax, rate }) => distance(tax, (base * rate) / ONE)));
  return offAdded < offContained ? 'without-vat' : 'with-vat';
}

/** What a shipping or item line costs after its discounts, on the platform's own tax basis. */
export function discountedPrice(line: Priced): bigint {
  return priceOf(line) - discountOf(line);
}

function itemEvidence({ refund_line_items }: ShopifyRefund): Evidence[] {
  return refund_line_items.map(({ subtotal, subtotal_set, total_tax, total_tax_set, line_item }) => ({
    base: subtotal_set ?? subtotal,
    tax: total_tax_set ?? total_tax,
    rate: rateOf(line_item?.tax_lines ?? []),
  }));
}

function shippingEvidence({ refund_shipping_lines }: ShopifyRefund): Evidence[] {
  return refund_shipping_lines.flatMap(({ shipping_line: line }) =>
    line ? [{ base: discountedPrice(line), tax: taxOf(line.tax_lines), rate: rateOf(line.tax_lines) }] : [],
  );
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}
