/** What an order costs, in so many lines; see `linesOf`. */
export type Money = { cents: number; currency: 'EUR' | 'BGN'; lines: number };

/** Leva in 100,000 euro. */
const LEVA = 195_583;
/** Of the lines of an order in turn, in percent; two of a rate share its VAT. */
const RATES = [20, 9, 20, 0];

/** The currency of a month's file. */
export function currencyOf(month: string): Money['currency'] {
  return month < '2026' ? 'BGN' : 'EUR';
}

/** Lines of almost the same amount. */
export function linesOf({ cents, lines }: Pick<Money, 'cents' | 'lines'>): { cents: number; rate: number }[] {
  return RATES.slice(0, lines).map((rate, n) => ({ rate, cents: Math.floor((cents * (n + 1)) / lines) - Math.floor((cents * n) / lines) }));
}

/** In the currency of a month: leva to 2025, then euro; half a cent of a line is rounded up. */
export function centsIn(month: string, { currency, ...money }: Money): number {
  return linesOf(money).reduce((sum, { cents }) => sum + convertedIn(month, { cents, currency }), 0);
}

/** The VAT in it, computed once for each rate; half a cent is rounded up. */
export function vatIn(month: string, { currency, ...money }: Money): number {
  const taxed = new Map<number, number>();
  for (const { cents, rate } of linesOf(money)) taxed.set(rate, (taxed.get(rate) ?? 0) + convertedIn(month, { cents, currency }));
  return [...taxed].reduce((sum, [rate, cents]) => sum + Math.floor((2 * cents * rate + 100 + rate) / (2 * (100 + rate))), 0);
}

/** An amount as one. */
export function convertedIn(month: string, { cents, currency }: Pick<Money, 'cents' | 'currency'>): number {
  if (currency === currencyOf(month)) return cents;
  const [times, by] = currency === 'EUR' ? [LEVA, 100_000] : [100_000, LEVA];
  return Math.floor((2 * cents * times + by) / (2 * by));
}
