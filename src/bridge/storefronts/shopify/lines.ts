import { sum } from '../../../contract/money.ts';
import type { DraftLine } from '../../order/facts.ts';
import { discountOf, microText, ONE, percentText, priceOf, rateOf, roundTo, taxOf } from './micro-money.ts';
import type { Priced, ShopifyOrder, TaxLines } from './payload.ts';
import { refundsUnderWay } from './transaction.ts';

/** One line before its amounts become text: millionths with VAT. */
type Charge = Omit<DraftLine, 'quantity' | 'gross' | 'discount'> & { quantity: number; gross: bigint; discount: bigint };
type Item = ShopifyOrder['line_items'][number];

/** Which parts of an order make up its total; see `toLines`. */
type Reading = { items: 'ordered' | 'left'; shipping: 'left' | 'all'; tip: boolean };

const USUAL: Reading = { items: 'ordered', shipping: 'left', tip: true };

const READINGS: readonly Reading[] = (['left', 'all'] as const).flatMap((shipping) =>
  (['ordered', 'left'] as const).flatMap((items) => [true, false].map((tip) => ({ items, shipping, tip }))),
);

/**
 * The lines as ordered, before any refund. An edit that takes items or shipping off leaves little trace, and a tip is a line item in
 * some checkouts: the first reading whose sum is total_price is used; if there is none, the domain reports the mismatch.
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
    if (sum(charges.map(({ gross, discount }) => gross - discount)) === total) return charges;
  }
  return chargesOf(order, USUAL);
}

function chargesOf(order: ShopifyOrder, { items, shipping, tip }: Reading): Charge[] {
  return [
    ...order.line_items.map((item) => (items === 'left' ? whatIsLeft(item, order) : toItem(item, order))),
    ...order.shipping_lines.filter(({ is_removed }) => shipping === 'all' || is_removed !== true).map((line) => toShipping(line, order)),
    ...dutiesOf(order),
    ...lump('additional-fees', { kind: 'fee', name: 'Additional fees' }, order.original_total_additional_fees_set),
    ...(tip ? lump('tip', { kind: 'tip', name: 'Tip' }, order.total_tip_received) : []),
  ];
}

function toDraft({ quantity, gross, discount, ...line }: Charge): DraftLine {
  return { ...line, quantity: `${quantity}`, gross: microText(gross), discount: microText(discount) };
}

function toItem(item: Item, order: ShopifyOrder): Charge {
  return {
    ...describe({ id: item.id, kind: 'item', name: item.name || 'Item' }, item.tax_lines),
    quantity: item.quantity,
    ...amountsOf(item, item.quantity, order),
  };
}

function toShipping(line: ShopifyOrder['shipping_lines'][number], order: ShopifyOrder): Charge {
  return { ...describe({ id: line.id, kind: 'shipping', name: line.title || 'Shipping' }, line.tax_lines), quantity: 1, ...amountsOf(line, 1, order) };
}

function describe(line: Pick<DraftLine, 'id' | 'kind' | 'name'>, taxLines: TaxLines): Omit<DraftLine, 'quantity' | 'gross' | 'discount'> {
  return { ...line, vatRate: percentText(rateOf(taxLines)) };
}

/**
 * Prices that contain VAT are taken as they are. Else what the customer paid is price − discounts + the platform's own tax, to the cent, and
 * VAT on top of the discount goes to both sides, so that the discount shows what was taken off with VAT and the difference stays exact.
 */
function amountsOf(line: Priced, quantity: number, { taxes_included, currency }: ShopifyOrder): { gross: bigint; discount: bigint } {
  const base = priceOf(line) * BigInt(quantity);
  const off = discountOf(line);
  if (taxes_included) return { gross: base, discount: off };
  const discount = roundTo(currency, { dividend: off * (ONE + rateOf(line.tax_lines)), divisor: ONE });
  return { gross: base - off + taxOf(line.tax_lines) + discount, discount };
}

/** The part of a line that edits left: units gone without their money having been given back were never sold. */
function whatIsLeft(item: Item, order: ShopifyOrder): Charge {
  const charge = toItem(item, order);
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

/** Duties that came on top of the prices: each with its own taxes where Shopify lists them, else their sum. */
function dutiesOf({ duties_included, line_items, original_total_duties_set, taxes_included }: ShopifyOrder): Charge[] {
  if (duties_included === true) return [];
  const listed = line_items.flatMap(({ name, duties }) => duties.map((duty) => ({ ...duty, name })));
  if (listed.length === 0) return lump('duties', { kind: 'duty', name: 'Duties' }, original_total_duties_set);
  return listed.map(({ id, name, shop_money, tax_lines }) => {
    const gross = shop_money.amount + (taxes_included ? 0n : taxOf(tax_lines));
    return { ...describe({ id, kind: 'duty', name: `Duty: ${name}` }, tax_lines), quantity: 1, gross, discount: 0n };
  });
}

function lump(id: string, line: Pick<DraftLine, 'kind' | 'name'>, gross: bigint | null | undefined): Charge[] {
  return gross ? [{ id, ...line, quantity: 1, gross, discount: 0n, vatRate: '0' }] : [];
}
