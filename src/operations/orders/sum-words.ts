import { type Decimal, decimal, fixed, ZERO } from '../../contract/decimal.ts';
import { decimalsOf } from '../../contract/money.ts';

/** Sums by currency, such as `36.00 EUR + 12.00 USD`; null: nothing is known. */
export function sumWords(amounts: readonly { currency: string | null; total: string | null }[]): string | null {
  const sums = new Map<string, Decimal>();
  for (const { currency, total } of amounts) {
    if (currency === null || total === null) continue;
    sums.set(currency, (sums.get(currency) ?? ZERO).plus(decimal(total)));
  }
  const words = [...sums].toSorted(([a], [b]) => a.localeCompare(b)).map(([currency, sum]) => `${fixed(sum, decimalsOf(currency))} ${currency}`);
  return words.length === 0 ? null : words.join(' + ');
}

export function addedUp(sums: readonly string[]): string | null {
  return sumWords(
    sums
      .flatMap((one) => one.split(' + '))
      .map((one) => {
        const [total = null, currency = null] = one.split(' ');
        return { currency, total };
      }),
  );
}
