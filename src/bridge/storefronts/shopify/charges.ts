import { larger, smaller, sum } from '../../../contract/money.ts';
import type { DraftLine } from '../../order/facts/facts.ts';
import { discountOf, microText, ONE, type Priced, percentText, priceOf, rateOf, roundTo, type ShopifyOrder, type TaxLines, taxOf, unitOf } from './payload.ts';

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

/** What a part of the shipping costs with VAT at one rate; millionths. */
type ShippingPart = { rate: bigint; amount: bigint };
type Basis = Pick<ShopifyOrder, 'taxes_included' | 'currency' | 'line_items'>;
type Taxed = { rate: bigint; tax: bigint; likely: bigint; least: bigint; most: bigint };

/**
 * Shipping of a mixed basket bears a part of each rate: the parts by the taxes, where these explain the whole price to the cent. What bears no tax
 * is a part of its own if the basket has such pieces. Null where one rate explains it, or nothing does.
 */
export function shippingParts(line: Priced, order: Basis): ShippingPart[] | null {
  const taxes = line.tax_lines.filter((taxLine) => taxOf([taxLine]) !== 0n);
  const rates = new Set(taxes.map(({ rate }) => rate));
  if (taxes.length === 0 || rates.has(0n) || rates.size < taxes.length) return null;
  // As nearly all shipping is.
  if (taxes.length === 1 && isExplained(line, 1, order)) return null;
  const isTaxFree = order.line_items.some((item) => item.quantity > 0 && priceOf(item) > 0n && taxOf(item.tax_lines) === 0n);
  const whole = priceOf(line) - discountOf(line);
  const parts = taxes.map((taxLine) => taxedPart(taxLine, order));
  const [least, most] = [sum(parts.map((part) => part.least)), sum(parts.map((part) => part.most))];
  if (whole < least || (whole > most && !isTaxFree)) return null;
  const split = whole > most ? [...parts.map((part) => ({ ...part, base: part.likely })), restOf(parts, whole)] : fitted(parts, whole);
  return split.map(({ rate, tax, base }) => ({ rate, amount: order.taxes_included ? base : base + tax }));
}

/** On the tax basis of the prices: the likely price of a tax, and how far rounding of the tax lets it be off. */
function taxedPart(taxLine: TaxLines[number], { taxes_included, currency }: Basis): Taxed {
  const { rate } = taxLine;
  const tax = taxOf([taxLine]);
  const priceFor = (amount: bigint) => roundTo(currency, { dividend: amount * (taxes_included ? ONE + rate : ONE), divisor: rate });
  const half = unitOf(currency) / 2n;
  return { rate, tax, likely: priceFor(tax), least: priceFor(tax - half), most: priceFor(tax + half) };
}

type Fitted = { rate: bigint; tax: bigint; base: bigint };

function restOf(parts: Taxed[], whole: bigint): Fitted {
  return { rate: 0n, tax: 0n, base: whole - sum(parts.map(({ likely }) => likely)) };
}

/** The parts next to their likely prices that add up to the whole. */
function fitted(parts: Taxed[], whole: bigint): Fitted[] {
  let gap = whole - sum(parts.map(({ likely }) => likely));
  return parts.map(({ rate, tax, likely, least, most }) => {
    const base = smaller(larger(likely + gap, least), most);
    gap -= base - likely;
    return { rate, tax, base };
  });
}

/** Does the rate explain the tax of these pieces, up to half of the smallest amount for each, and one for the line? */
export function isExplained(line: Priced, quantity: number, { taxes_included, currency }: Pick<Basis, 'taxes_included' | 'currency'>): boolean {
  const base = priceOf(line) * BigInt(quantity) - discountOf(line);
  const rate = rateOf(line.tax_lines);
  const expected = (base * rate) / (taxes_included ? ONE + rate : ONE);
  const unit = unitOf(currency);
  const off = taxOf(line.tax_lines) - expected;
  const allowed = unit + (unit * BigInt(quantity)) / 2n;
  return -allowed <= off && off <= allowed;
}
