import { divideHalfUp, formatMoney } from './money.ts';
import type { LineTotals, OrderTotals, TotalsLine } from './totals.ts';

// Every number with six decimals: a product of two has twelve, and nothing of it is rounded before the end.
const DECIMALS = 6;
const ONE = 10n ** BigInt(DECIMALS);
const HUNDRED_PERCENT = 100n * ONE;
const PLAIN = /^(\d{1,18})(?:\.(\d{1,6}))?$/;

/** In millionths; `gross` and `discount` in millionths of millionths. */
type Exact = { price: bigint; rate: bigint; gross: bigint; discount: bigint };

/**
 * `totalsOf` in integers, many times as fast as with decimals of any length. Null for what it leaves to them: text that is not plain, more than six
 * decimals, a discount above the price.
 */
export function integerTotals({ lines, precision }: { lines: readonly TotalsLine[]; precision: number }): OrderTotals | null {
  if (precision > DECIMALS) return null;
  const unit = 10n ** BigInt(2 * DECIMALS - precision);
  const sums = { total: 0n, vat: 0n, discount: 0n };
  const shown: LineTotals[] = [];
  for (const line of lines) {
    const exact = exactLine(line);
    if (exact === null) return null;
    const after = divided(exact.gross - exact.discount, exact.rate, unit);
    const before = exact.discount === 0n ? after : divided(exact.gross, exact.rate, unit);
    const one = divided(exact.price * ONE, exact.rate, unit);
    const money = (minor: bigint): string => formatMoney(minor, precision);
    shown.push({
      netPrice: money(one.gross - one.vat),
      subtotalNet: money(before.gross - before.vat),
      priceVat: money(one.vat),
      subtotalVat: money(after.vat),
      subtotal: money(after.gross),
    });
    sums.total += after.gross;
    sums.vat += after.vat;
    sums.discount += divideHalfUp(exact.discount, unit);
  }
  return { lines: shown, ...orderSums(sums, precision) };
}

function orderSums({ total, vat, discount }: { total: bigint; vat: bigint; discount: bigint }, precision: number): Omit<OrderTotals, 'lines'> {
  return {
    total: formatMoney(total, precision),
    netTotal: formatMoney(total - vat, precision),
    totalVat: formatMoney(vat, precision),
    totalDiscount: formatMoney(discount, precision),
  };
}

function exactLine(line: TotalsLine): Exact | null {
  const price = millionths(line.price);
  const quantity = millionths(line.quantity);
  const discount = millionths(line.discount);
  const rate = millionths(line.vatRate);
  if (price === null || quantity === null || discount === null || rate === null) return null;
  const exact = { price, rate, gross: price * quantity, discount: discount * ONE };
  return exact.discount > exact.gross ? null : exact;
}

function millionths(text: string): bigint | null {
  const [, whole, fraction = ''] = PLAIN.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

function divided(amount: bigint, rate: bigint, unit: bigint): { gross: bigint; vat: bigint } {
  return { gross: divideHalfUp(amount, unit), vat: divideHalfUp(amount * rate, (HUNDRED_PERCENT + rate) * unit) };
}
