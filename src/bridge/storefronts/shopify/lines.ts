import { sum } from '../../../contract/money.ts';
import type { DraftLine } from '../../order/facts.ts';
import { type Charge, dutiesOf, feesOf, type Item, itemCharge, netOf, shippingCharges, tipOf, toDraft } from './charges.ts';
import { roundTo } from './micro-money.ts';
import type { ShopifyOrder } from './payload.ts';
import { refundsUnderWay } from './transaction.ts';

/** Which parts of an order make up its total; see `toLines`. */
type Reading = { items: 'ordered' | 'left'; shipping: 'left' | 'all'; tip: boolean };

const USUAL: Reading = { items: 'ordered', shipping: 'left', tip: true };

const READINGS: readonly Reading[] = (['left', 'all'] as const).flatMap((shipping) =>
  (['ordered', 'left'] as const).flatMap((items) => [true, false].map((tip) => ({ items, shipping, tip }))),
);

/**
 * The lines as ordered, before any refund, of an order without current totals. An edit that takes items or shipping off leaves little trace, and a
 * tip is a line item in some checkouts: the first reading whose sum is total_price is used; if there is none, the domain reports the mismatch.
 */
export function toLines(order: ShopifyOrder): DraftLine[] {
  return fittingCharges(order)
    .filter(({ quantity }) => quantity > 0)
    .map(toDraft);
}

function fittingCharges(order: ShopifyOrder): Charge[] {
  const total = order.total_price_set ?? order.total_price;
  for (const reading of READINGS) {
    const charges = chargesOf(order, reading);
    if (sum(charges.map(netOf)) === total) return charges;
  }
  return chargesOf(order, USUAL);
}

function chargesOf(order: ShopifyOrder, { items, shipping, tip }: Reading): Charge[] {
  return [
    ...order.line_items.map((item) => (items === 'left' ? whatIsLeft(item, order) : itemCharge(item, order))),
    ...order.shipping_lines.filter(({ is_removed }) => shipping === 'all' || is_removed !== true).flatMap((line) => shippingCharges(line, order)),
    ...dutiesOf(order, order.original_total_duties_set),
    ...feesOf(order.original_total_additional_fees_set),
    ...(tip ? tipOf(order) : []),
  ];
}

/** The part of a line that edits left: units gone without their money having been given back were never sold. */
function whatIsLeft(item: Item, order: ShopifyOrder): Charge {
  const charge = itemCharge(item, order);
  const gone = item.quantity - (item.current_quantity ?? item.quantity) - refundedUnits(order, item.id);
  if (gone <= 0) return charge;
  const kept = item.quantity - gone;
  const share = (whole: bigint) => roundTo(order.currency, { dividend: whole * BigInt(kept), divisor: BigInt(item.quantity) });
  return { ...charge, quantity: kept, gross: share(charge.gross), discount: share(charge.discount) };
}

// Edits of an order book what they remove as refunds without transactions: those are not refunds.
function refundedUnits({ refunds }: ShopifyOrder, lineId: string): number {
  const withMoney = refunds.filter(({ transactions }) => refundsUnderWay(transactions).length > 0);
  const units = withMoney.flatMap(({ refund_line_items }) => refund_line_items.filter((line) => line.line_item_id === lineId));
  return units.reduce((total, { quantity }) => total + quantity, 0);
}
