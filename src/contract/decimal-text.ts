import { decimal, shortText, tenTo } from './decimal.ts';

/** Decimal text with its point moved right (`places` above 0) or left: ("25.5", -2) is "0.255". No float is involved. */
export function shiftPoint(value: string, places: number): string {
  const { units, scale } = decimal(value);
  return shortText(scale >= places ? { units, scale: scale - places } : { units: units * tenTo(places - scale), scale: 0 });
}

/** The shortest decimal text of a JSON number; null if it needs an exponent, as only numbers far outside the limits of the interface do. */
export function numberText(value: number): string | null {
  const shown = String(value);
  return /^-?\d+(\.\d+)?$/.test(shown) ? shown : null;
}

/** How many digits are after the point. */
export function decimalsOf(value: string): number {
  return value.split('.')[1]?.length ?? 0;
}

/** Decimal text with at least this many digits after the point: ("12.9", 2) is "12.90". */
export function padDecimals(value: string, decimals: number): string {
  const [whole = '0', fraction = ''] = value.split('.');
  const padded = fraction.padEnd(decimals, '0');
  return padded === '' ? whole : `${whole}.${padded}`;
}
