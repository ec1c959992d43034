/** Exact arithmetic on decimal text: what storefronts send is added as it is, and never passes through a float. */
import { type Decimal, decimal, decimalText, plus, rounded, shortText, times } from '../../contract/decimal.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../contract/money.ts';

/** Optional minus, digits, optional decimals; at most 15 of each, so that no body can make arithmetic slow. */
export const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

const NOTHING: Decimal = { units: 0n, scale: 0 };

/** The exact sum of decimal texts, with as many decimals as the longest of them. */
export function addUp(amounts: readonly string[]): string {
  return decimalText(amounts.map(decimal).reduce(plus, NOTHING));
}

/** a − b, exactly. */
export function subtract(a: string, b: string): string {
  return addUp([a, negate(b)]);
}

/** a × b, exactly. */
export function multiply(a: string, b: string): string {
  return decimalText(times(decimal(a), decimal(b)));
}

export function negate(amount: string): string {
  const { units, scale } = decimal(amount);
  return decimalText({ units: -units, scale });
}

export function absolute(amount: string): string {
  return isNegative(amount) ? negate(amount) : amount;
}

export function isNegative(amount: string): boolean {
  return decimal(amount).units < 0n;
}

export function isZero(amount: string): boolean {
  return decimal(amount).units === 0n;
}

/** "20.00" → "20", "0.50" → "0.5". */
export function trimZeros(amount: string): string {
  return shortText(decimal(amount));
}

/** Decimal text with exactly the currency's decimals ("24" → "24.00" in EUR); null if that would round. */
export function asMoney(amount: string, currency: string): string | null {
  const decimals = decimalsOf(currency);
  const minor = parseMoney(amount, decimals);
  return minor === undefined ? null : formatMoney(minor, decimals);
}

/** As `asMoney`, but rounded, halves away from zero. */
export function roundedMoney(amount: string, currency: string): string {
  const decimals = decimalsOf(currency);
  return formatMoney(rounded(decimal(amount), decimals), decimals);
}
