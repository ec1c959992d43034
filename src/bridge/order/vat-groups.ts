import { ownValue } from '../../contract/own-value.ts';

/** "20.0" and "020" → "20", "25.50" → "25.5"; text that is no plain number stays as it is. */
export function canonicalRate(rate: string): string {
  const [, whole, fraction = ''] = /^0*(\d+)(?:\.(\d*?)0*)?$/.exec(rate.trim()) ?? [];
  if (whole === undefined) return rate;
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The group of a VAT rate, however merchant and storefront write it; undefined if it has none. */
export function vatGroupOf(rate: string, groups: Readonly<Record<string, string>>): string | undefined {
  const wanted = canonicalRate(rate);
  return ownValue(groups, wanted) ?? Object.entries(groups).find(([key]) => canonicalRate(key) === wanted)?.[1];
}
