import { decimal } from '../../../contract/decimal.ts';
import { decimalsOf, divideHalfUp, formatMoney, sum } from '../../../contract/money.ts';
import { MICRO_DECIMALS, type Priced, type TaxLines } from './payload.ts';

/** One, in millionths. */
export const ONE = 1_000_000n;

/** 24000000n → "24.00": two decimals, more only where the platform gave more. */
export function microText(micro: bigint): string {
  return formatMoney(micro, MICRO_DECIMALS).replace(/0{1,4}$/, '');
}

/** The smallest amount that the currency has, in millionths. */
export function unitOf(currency: string): bigint {
  return 10n ** BigInt(MICRO_DECIMALS - decimalsOf(currency));
}

/** The nearest amount that the currency has, halves away from zero. */
export function roundTo(currency: string, { dividend, divisor }: { dividend: bigint; divisor: bigint }): bigint {
  const unit = unitOf(currency);
  return divideHalfUp(dividend, divisor * unit) * unit;
}

/** What one piece costs before discounts. */
export function priceOf({ price, price_set }: Priced): bigint {
  return price_set ?? price;
}

/** All discounts on the line, order-wide ones too (`total_discount` is not to be trusted). */
export function discountOf({ discount_allocations }: Priced): bigint {
  return sum(discount_allocations.map(({ amount, amount_set }) => amount_set ?? amount));
}

export function taxOf(taxLines: TaxLines): bigint {
  return sum(taxLines.map(({ price, price_set }) => price_set ?? price));
}

/** All rates together, 200000n for 20 %. */
export function rateOf(taxLines: TaxLines): bigint {
  return sum(taxLines.map(({ rate }) => rate));
}

/** 200000n → "20", 255000n → "25.5". */
export function percentText(rate: bigint): string {
  return decimal(formatMoney(rate, MICRO_DECIMALS - 2)).toString();
}
