/**
 * The calculation rules of orders that were recorded before the VAT of an order was computed once for each rate: the VAT of each line is rounded by
 * itself, at the order's precision. What was answered, printed and declared of them stays.
 */
import { type Decimal, decimal, minus, quotient, rounded, times } from './decimal.ts';
import { formatMoney } from './money.ts';
import { partOfGross } from './split-vat.ts';
import type { OrderTotals, TotalsLine } from './totals.ts';

type Taxed = { lines: readonly TotalsLine[]; precision: number };

export function earlierTotalsOf({ lines, precision }: Taxed): OrderTotals {
  const sums = { total: 0n, vat: 0n, discount: 0n };
  const money = (minor: bigint): string => formatMoney(minor, precision);
  const shown = lines.map((line) => {
    const one = divided(decimal(line.price), line.vatRate, precision);
    const before = earlierSubtotalOf({ ...line, discount: '0' }, precision);
    const after = earlierSubtotalOf(line, precision);
    sums.total += after.gross;
    sums.vat += after.vat;
    sums.discount += rounded(decimal(line.discount), precision);
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

/** Money with VAT and the VAT in it, in minor units. */
type Part = { gross: bigint; vat: bigint };

/** A line after its discount. */
export function earlierSubtotalOf({ quantity, price, discount, vatRate }: TotalsLine, precision: number): Part {
  return divided(minus(times(decimal(price), decimal(quantity)), decimal(discount)), vatRate, precision);
}

function divided(amount: Decimal, vatRate: string, precision: number): Part {
  const { above, below } = partOfGross(vatRate);
  return { gross: rounded(amount, precision), vat: quotient(amount.units * above, below, precision - amount.scale) };
}
