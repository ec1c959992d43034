import { larger, smaller, sum } from '../../../contract/money.ts';
import { discountOf, ONE, priceOf, rateOf, roundTo, taxOf, unitOf } from './micro-money.ts';
import type { Priced, ShopifyOrder, TaxLines } from './payload.ts';

/** What a part of the shipping costs with VAT at one rate; millionths. */
export type ShippingPart = { rate: bigint; amount: bigint };
type Basis = Pick<ShopifyOrder, 'taxes_included' | 'currency' | 'line_items'>;
type Taxed = { rate: bigint; tax: bigint; likely: bigint; least: bigint; most: bigint };

/**
 * Shipping of a mixed basket bears a part of each rate: the parts by the taxes, where these explain the whole price to the cent. What bears no tax
 * is a part of its own if the basket has such pieces. Null where one rate explains it, or nothing does.
 */
export function shippingParts(line: Priced, order: Basis): ShippingPart[] | null {
  const taxes = line.tax_lines.filter((taxLine) => taxOf([taxLine]) !== 0n);
  const isTaxFree = order.line_items.some((item) => item.quantity > 0 && priceOf(item) > 0n && taxOf(item.tax_lines) === 0n);
  const rates = new Set(taxes.map(({ rate }) => rate));
  if (taxes.length === 0 || rates.has(0n) || rates.size < taxes.length) return null;
  const whole = priceOf(line) - discountOf(line);
  const parts = taxes.map((taxLine) => taxedPart(taxLine, order));
  const [least, most] = [sum(parts.map((part) => part.least)), sum(parts.map((part) => part.most))];
  if (whole < least || (whole > most && !isTaxFree) || (parts.length === 1 && isExplained(line, 1, order))) return null;
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
