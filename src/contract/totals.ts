/**
 * The documented calculation rules of the compliance service. One rounding rule: money with VAT and the VAT in it are computed exactly and
 * rounded once, half up, at the order's precision; money without VAT is what remains. So net + VAT is always the amount itself, and the VAT
 * of an order is the sum of the VAT shown on its lines.
 */
import { Decimal } from 'decimal.js';
import { integerTotals } from './integer-totals.ts';

// Enough digits that a product of any accepted numbers is exact and a quotient is never cut near a half.
const Exact = Decimal.clone({ precision: 80, rounding: Decimal.ROUND_HALF_UP });

/** Decimal text, including VAT; `vatRate` in percent; `discount` is what is taken off the whole line. */
export type TotalsLine = { quantity: string; price: string; discount: string; vatRate: string };

/** Decimal text at the order's precision. `subtotalNet` is before the discount, `subtotalVat` and `subtotal` are after it. */
export type LineTotals = { netPrice: string; subtotalNet: string; priceVat: string; subtotalVat: string; subtotal: string };

export type OrderTotals = { lines: LineTotals[]; total: string; netTotal: string; totalVat: string; totalDiscount: string };

/** All documented quantities of an order. Throws on text that is not a number. */
export function totalsOf(order: { lines: readonly TotalsLine[]; precision: number }): OrderTotals {
  return integerTotals(order) ?? decimalTotals(order);
}

/** `totalsOf` for numbers of any length; what the rules say, to the letter. */
export function decimalTotals({ lines, precision }: { lines: readonly TotalsLine[]; precision: number }): OrderTotals {
  const computed = lines.map((line) => lineTotals(line, precision));
  const total = add(computed.map(({ subtotal }) => subtotal));
  const totalVat = add(computed.map(({ subtotalVat }) => subtotalVat));
  const totalDiscount = add(lines.map(({ discount }) => new Exact(discount).toFixed(precision)));
  return {
    lines: computed,
    total: total.toFixed(precision),
    netTotal: total.minus(totalVat).toFixed(precision),
    totalVat: totalVat.toFixed(precision),
    totalDiscount: totalDiscount.toFixed(precision),
  };
}

/** `totalVat` alone, for a third of the arithmetic. */
export function totalVatOf({ lines, precision }: { lines: readonly TotalsLine[]; precision: number }): string {
  return add(lines.map((line) => divided(afterDiscount(line), line.vatRate, precision).vat)).toFixed(precision);
}

function afterDiscount({ quantity, price, discount }: TotalsLine): Decimal {
  return new Exact(price).times(quantity).minus(discount);
}

function lineTotals(line: TotalsLine, precision: number): LineTotals {
  const { quantity, price, vatRate } = line;
  const unit = divided(new Exact(price), vatRate, precision);
  const before = divided(new Exact(price).times(quantity), vatRate, precision);
  const after = divided(afterDiscount(line), vatRate, precision);
  return { netPrice: unit.net, subtotalNet: before.net, priceVat: unit.vat, subtotalVat: after.vat, subtotal: after.gross };
}

function divided(amount: Decimal, vatRate: string, precision: number): { gross: string; vat: string; net: string } {
  const gross = amount.toFixed(precision);
  const vat = amount.times(vatRate).div(new Exact(vatRate).plus(100)).toFixed(precision);
  return { gross, vat, net: new Exact(gross).minus(vat).toFixed(precision) };
}

function add(amounts: readonly string[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), new Exact(0));
}
