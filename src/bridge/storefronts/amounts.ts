import { decimal, decimalsIn, fixed } from '../../contract/decimal.ts';
import { decimalsOf, exactMoney, formatMoney, parseMoney, sum } from '../../contract/money.ts';

/** Exact arithmetic on decimal text: what storefronts send is added as it is, and never passes through a float. */
/** Optional minus, digits, optional decimals; at most 15 of each, so that no body can make arithmetic slow. */
export const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

/** The exact sum of decimal texts, with as many decimals as the longest of them. */
export function addUp(amounts: readonly string[]): string {
  const decimals = Math.max(0, ...amounts.map(decimalsIn));
  return formatMoney(sum(amounts.map((amount) => exactMoney(amount, decimals))), decimals);
}

/** a − b, exactly. */
export function subtract(a: string, b: string): string {
  return addUp([a, negate(b)]);
}

export function negate(amount: string): string {
  const decimals = decimalsIn(amount);
  return formatMoney(-exactMoney(amount, decimals), decimals);
}

export function absolute(amount: string): string {
  return isNegative(amount) ? negate(amount) : amount;
}

export function isNegative(amount: string): boolean {
  return decimal(amount).lt(0n);
}

export function isZero(amount: string): boolean {
  return decimal(amount).isZero();
}

/** "20.00" → "20", "0.50" → "0.5". */
export function trimZeros(amount: string): string {
  return decimal(amount).toString();
}

/** Decimal text with exactly the currency's decimals ("24" → "24.00" in EUR); null if that would round. */
export function asMoney(amount: string, currency: string): string | null {
  const decimals = decimalsOf(currency);
  const minor = parseMoney(amount, decimals);
  return minor === undefined ? null : formatMoney(minor, decimals);
}

/** As `asMoney`, but rounded, halves away from zero. */
export function roundedMoney(amount: string, currency: string): string {
  return fixed(decimal(amount), decimalsOf(currency));
}

/** A test order: one thing for 1.00 EUR and 20 % VAT, paid by card; small, and the same at every platform. */
export const testMoney = { total: '1.20', net: '1.00', vat: '0.20', rate: '20', currency: 'EUR', name: 'Test of the connection' } as const;

/** How people see its number. */
export function testNumber(id: string): string {
  return `TEST-${id.slice(-6)}`;
}
