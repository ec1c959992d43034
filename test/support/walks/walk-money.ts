export type Money = { cents: number; currency: 'EUR' | 'BGN' };

/** Leva in 100,000 euro. */
const LEVA = 195_583;

/** The currency of a month's file. */
export function currencyOf(month: string): Money['currency'] {
  return month < '2026' ? 'BGN' : 'EUR';
}

/** In the currency of a month: leva to 2025, then euro; half a cent is rounded up. */
export function centsIn(month: string, { cents, currency }: Money): number {
  if (currency === currencyOf(month)) return cents;
  const [times, by] = currency === 'EUR' ? [LEVA, 100_000] : [100_000, LEVA];
  return Math.floor((2 * cents * times + by) / (2 * by));
}
