import type { DraftLine } from '../../order/facts.ts';
import { discountOf, microText, ONE, percentText, priceOf, rateOf, roundTo, taxOf } from './micro-money.ts';
import type { Priced, ShopifyOrder, TaxLines } from './payload.ts';
import { shippingParts } from './shipping-parts.ts';

/** One line before its amounts become text: millionths with VAT. */
export type Charge = Omit<DraftLine, 'quantity' | 'gross' | 'discount'> & { quantity: number; gross: bigint; discount: bigint };
export type Item = ShopifyOrder['line_items'][number];
export type ShippingLine = ShopifyOrder['shipping_lines'][number];

export function toDraft({ quantity, gross, discount, ...line }: Charge): DraftLine {
  return { ...line, quantity: `${quantity}`, gross: microText(gross), discount: microText(discount) };
}

/** What the customer pays for it. */
export function netOf({ gross, discount }: Charge): bigint {
  return gross - discount;
}

export function itemCharge(item: Item, order: ShopifyOrder): Charge {
  return {
    ...describe({ id: item.id, kind: 'item', name: item.name || 'Item' }, item.tax_lines),
    ...(item.gift_card === true ? { giftCard: true } : {}),
    quantity: item.quantity,
    ...amountsOf(item, item.quantity, order),
  };
}

/** One line, or one for each VAT rate where the shipping of a mixed basket bears several. */
export function shippingCharges(line: ShippingLine, order: ShopifyOrder): Charge[] {
  const [id, name] = [line.id, line.title || 'Shipping'];
  const parts = shippingParts(line, order);
  if (parts !== null) {
    const named = (rate: string, nth: number) =>
      ({ ...(nth === 0 ? { id } : { id: `${id}:${rate}`, partOf: id }), kind: 'shipping', name, vatRate: rate }) as const;
    return parts.map(({ rate, amount }, nth) => ({ ...named(percentText(rate), nth), quantity: 1, gross: amount, discount: 0n }));
  }
  return [{ ...describe({ id, kind: 'shipping', name }, line.tax_lines), quantity: 1, ...amountsOf(line, 1, order) }];
}

/**
 * Prices that contain VAT are taken as they are. Else what the customer paid is price − discounts + the platform's own tax, to the cent, and
 * VAT on top of the discount goes to both sides, so that the discount shows what was taken off with VAT and the difference stays exact.
 */
export function amountsOf(line: Priced, quantity: number, { taxes_included, currency }: ShopifyOrder): { gross: bigint; discount: bigint } {
  const base = priceOf(line) * BigInt(quantity);
  const off = discountOf(line);
  if (taxes_included) return { gross: base, discount: off };
  const discount = roundTo(currency, { dividend: off * (ONE + rateOf(line.tax_lines)), divisor: ONE });
  return { gross: base - off + taxOf(line.tax_lines) + discount, discount };
}

/** Duties that came on top of the prices: each with its own taxes where Shopify lists them, else `lumped`. */
export function dutiesOf({ duties_included, line_items, taxes_included }: ShopifyOrder, lumped: bigint | null | undefined): Charge[] {
  if (duties_included === true) return [];
  const listed = line_items.flatMap(({ name, duties }) => duties.map((duty) => ({ ...duty, name })));
  if (listed.length === 0) return lump('duties', { kind: 'duty', name: 'Duties' }, lumped);
  return listed.map(({ id, name, shop_money, tax_lines }) => {
    const gross = shop_money.amount + (taxes_included ? 0n : taxOf(tax_lines));
    return { ...describe({ id, kind: 'duty', name: `Duty: ${name}` }, tax_lines), quantity: 1, gross, discount: 0n };
  });
}

export function feesOf(lumped: bigint | null | undefined): Charge[] {
  return lump('additional-fees', { kind: 'fee', name: 'Additional fees' }, lumped);
}

export function tipOf({ total_tip_received }: ShopifyOrder): Charge[] {
  return lump('tip', { kind: 'tip', name: 'Tip' }, total_tip_received);
}

function describe(line: Pick<DraftLine, 'id' | 'kind' | 'name'>, taxLines: TaxLines): Omit<DraftLine, 'quantity' | 'gross' | 'discount'> {
  return { ...line, vatRate: percentText(rateOf(taxLines)) };
}

function lump(id: string, line: Pick<DraftLine, 'kind' | 'name'>, gross: bigint | null | undefined): Charge[] {
  return gross ? [{ id, ...line, quantity: 1, gross, discount: 0n, vatRate: '0' }] : [];
}
