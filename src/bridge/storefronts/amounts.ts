/** Exact arithmetic on decimal text: what storefronts send is added as it is, and never passes through a float. */
import { decimalsOf, divideHalfUp, formatMoney, parseMoney } from '../../contract/money.ts';

/** Optional minus, digits, optional decimals; at most 15 of each, so that no body can make arithmetic slow. */
export const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

type Exact = { units: bigint; scale: number };

/** The exact sum of decimal texts, with as many decimals as the longest of them. */
export function addUp(amounts: readonly string[]): string {
  const parts = amounts.map(parse);
  const scale = Math.max(0, ...parts.map((part) => part.scale));
  return format({ units: parts.reduce((sum, part) => sum + rescale(part, scale), 0n), scale });
}

/** a − b, exactly. */
export function subtract(a: string, b: string): string {
  return addUp([a, negate(b)]);
}

/** a × b, exactly. */
export function multiply(a: string, b: string): string {
  const [left, right] = [parse(a), parse(b)];
  return format({ units: left.units * right.units, scale: left.scale + right.scale });
}

export function negate(amount: string): string {
  const { units, scale } = parse(amount);
  return format({ units: -units, scale });
}

export function absolute(amount: string): string {
  return isNegative(amount) ? negate(amount) : amount;
}

export function isNegative(amount: string): boolean {
  return parse(amount).units < 0n;
}

export function isZero(amount: string): boolean {
  return parse(amount).units === 0n;
}

/** "20.00" → "20", "0.50" → "0.5". */
export function trimZeros(amount: string): string {
  const { units, scale } = parse(amount);
  if (scale === 0 || units % 10n !== 0n) return format({ units, scale });
  return trimZeros(format({ units: units / 10n, scale: scale - 1 }));
}

/** Decimal text with exactly the currency's decimals ("24" → "24.00" in EUR); null if that would round. */
export function asMoney(amount: string, currency: string): string | null {
  const decimals = decimalsOf(currency);
  const minor = parseMoney(amount, decimals);
  return minor === undefined ? null : formatMoney(minor, decimals);
}

/** As `asMoney`, but rounded, halves away from zero. */
export function roundedMoney(amount: string, currency: string): string {
  const { units, scale } = parse(amount);
  const decimals = decimalsOf(currency);
  return formatMoney(divideHalfUp(units * 10n ** BigInt(decimals), 10n ** BigInt(scale)), decimals);
}

function parse(amount: string): Exact {
  const [whole = '', fraction = ''] = amount.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

function rescale({ units, scale }: Exact, to: number): bigint {
  return units * 10n ** BigInt(to - scale);
}

function format({ units, scale }: Exact): string {
  return formatMoney(units, scale);
}
