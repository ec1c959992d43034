/**
 * The documented calculation rules of the compliance service. One rounding rule: money with VAT and the VAT in it are computed exactly and
 * rounded once, half up, at the order's precision; money without VAT is the difference. So net + VAT is always the amount itself, and the VAT
 * of an order is the sum of the VAT shown on its lines.
 */
import { type Decimal, decimal, minus, quotient, rounded, tenTo, times } from './decimal.ts';
import { formatMoney } from './money.ts';

/** Decimal text, including VAT; `quantity` may be a JSON number; `vatRate` is in percent; `discount` is the reduction of the whole line. */
export type TotalsLine = { quantity: number | string; price: string; discount: string; vatRate: string };

/** Decimal text at the order's precision. `subtotalNet` is before the discount, `subtotalVat` and `subtotal` are after it. */
export type LineTotals = { netPrice: string; subtotalNet: string; priceVat: string; subtotalVat: string; subtotal: string };

export type OrderTotals = { lines: LineTotals[]; total: string; netTotal: string; totalVat: string; totalDiscount: string };

type Taxed = { lines: readonly TotalsLine[]; precision: number };

/** All documented quantities of an order. Throws RangeError on text that is no plain decimal. */
export function totalsOf({ lines, precision }: Taxed): OrderTotals {
  const sums = { total: 0n, vat: 0n, discount: 0n };
  const money = (minor: bigint): string => formatMoney(minor, precision);
  const shown = lines.map((line) => {
    const { one, before, after, discount } = partsOf(line, precision);
    sums.total += after.gross;
    sums.vat += after.vat;
    sums.discount += discount;
    return {
      netPrice: money(one.gross - one.vat),
      subtotalNet: money(before.gross - before.vat),
      priceVat: money(one.vat),
      subtotalVat: money(after.vat),
      subtotal: money(after.gross),
    };
  });
  return { lines: shown, total: money(sums.total), netTotal: money(sums.total - sums.vat), totalVat: money(sums.vat), totalDiscount: money(sums.discount) };
}

/** `totalVat` alone, in minor units. */
export function totalVatOf({ lines, precision }: Taxed): bigint {
  return lines.reduce((vat, line) => vat + subtotalOf(line, precision).vat, 0n);
}

/** Money with VAT and the VAT in it, in minor units. */
export type Part = { gross: bigint; vat: bigint };

/** A line after its discount. */
export function subtotalOf({ quantity, price, discount, vatRate }: TotalsLine, precision: number): Part {
  return divided(minus(times(decimal(price), decimal(quantity)), decimal(discount)), decimal(vatRate), precision);
}

type Parts = { one: Part; before: Part; after: Part; discount: bigint };

function partsOf(line: TotalsLine, precision: number): Parts {
  const price = decimal(line.price);
  const discount = decimal(line.discount);
  const rate = decimal(line.vatRate);
  const gross = times(price, decimal(line.quantity));
  const before = divided(gross, rate, precision);
  return {
    one: divided(price, rate, precision),
    before,
    after: discount.units === 0n ? before : divided(minus(gross, discount), rate, precision),
    discount: rounded(discount, precision),
  };
}

function divided(amount: Decimal, rate: Decimal, precision: number): Part {
  return { gross: rounded(amount, precision), vat: vatIn(amount, rate, precision) };
}

/** The VAT in an amount, in minor units: amount × rate / (100 + rate), rounded once. */
export function vatIn(amount: Decimal, rate: Decimal, precision: number): bigint {
  return quotient(amount.units * rate.units, 100n * tenTo(rate.scale) + rate.units, precision - amount.scale);
}
