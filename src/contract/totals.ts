/**
 * The documented calculation rules of the compliance service. Money with VAT is computed exactly and rounded once, half up, at the order's precision. The
 * VAT of an order is computed once for each rate, from the sum of its subtotals, and split over its lines. Money without VAT is the difference. So net +
 * VAT is always the amount itself, and the VAT of an order is the sum of the VAT shown on its lines.
 */
import { decimal, minus, quotient, rounded, tenTo, times } from './decimal.ts';
import { formatMoney, sum } from './money.ts';
import { partOfGross, splitVat } from './split-vat.ts';

/** Decimal text, including VAT; `quantity` may be a JSON number; `vatRate` is in percent; `discount` is the reduction of the whole line. */
export type TotalsLine = { quantity: number | string; price: string; discount: string; vatRate: string };

/** Decimal text. `subtotalNet` is before the discount, `subtotalVat` and `subtotal` are after it. */
export type LineTotals = { netPrice: string; subtotalNet: string; priceVat: string; subtotalVat: string; subtotal: string };

export type OrderTotals = { lines: LineTotals[]; total: string; netTotal: string; totalVat: string; totalDiscount: string };

/** `vatDecimals`: of VAT and of money without it, where they are more than the precision; absent: the precision. */
type Taxed = { lines: readonly TotalsLine[]; precision: number; vatDecimals?: number };

/** All documented quantities of an order. Throws RangeError on text that is no plain decimal. */
export function totalsOf({ lines, precision, vatDecimals = precision }: Taxed): OrderTotals {
  const finer = tenTo(vatDecimals - precision);
  const money = (minor: bigint): string => formatMoney(minor, precision);
  const fine = (minor: bigint): string => formatMoney(minor, vatDecimals);
  const parts = lines.map((line) => partsOf(line, precision));
  const after = splitVat(parts.map(({ gross, vatRate }) => ({ gross: gross * finer, vatRate })));
  const isDiscounted = parts.some(({ gross, before }) => gross !== before);
  const before = isDiscounted ? splitVat(parts.map((part) => ({ gross: part.before * finer, vatRate: part.vatRate }))) : after;
  const shown = parts.map((part, i) => {
    const priceVat = vatOfPrice(part, vatDecimals);
    return {
      netPrice: fine(part.one * finer - priceVat),
      subtotalNet: fine(part.before * finer - (before[i] ?? 0n)),
      priceVat: fine(priceVat),
      subtotalVat: fine(after[i] ?? 0n),
      subtotal: money(part.gross),
    };
  });
  const [total, vat] = [sum(parts.map(({ gross }) => gross)), sum(after)];
  const discount = sum(parts.map((part) => part.discount));
  return { lines: shown, total: money(total), netTotal: fine(total * finer - vat), totalVat: fine(vat), totalDiscount: money(discount) };
}

/** `totalVat` alone, in minor units. */
export function totalVatOf({ lines, precision }: Omit<Taxed, 'vatDecimals'>): bigint {
  return sum(splitVat(lines.map((line) => ({ gross: subtotalOf(line, precision), vatRate: line.vatRate }))));
}

/** A line after its discount, with VAT, in minor units. */
export function subtotalOf({ quantity, price, discount }: TotalsLine, precision: number): bigint {
  return rounded(minus(times(decimal(price), decimal(quantity)), decimal(discount)), precision);
}

/** In minor units, with VAT: one piece, the line before its discount, and after it (`gross`). */
type Parts = { one: bigint; before: bigint; gross: bigint; discount: bigint; price: string; vatRate: string };

function partsOf({ quantity, price, discount, vatRate }: TotalsLine, precision: number): Parts {
  const [each, off] = [decimal(price), decimal(discount)];
  const whole = times(each, decimal(quantity));
  const before = rounded(whole, precision);
  const gross = off.units === 0n ? before : rounded(minus(whole, off), precision);
  return { one: rounded(each, precision), before, gross, discount: rounded(off, precision), price, vatRate };
}

function vatOfPrice({ price, vatRate }: Parts, decimals: number): bigint {
  const { units, scale } = decimal(price);
  const { above, below } = partOfGross(vatRate);
  return quotient(units * above, below, decimals - scale);
}
