import { decimalsOf, divideHalfUp, exactMoney, moneyText } from '../../contract/money.ts';

/** Of amounts, some of which may be no whole cents. */
const DECIMALS = 10;

/** Sums by currency, such as `36.00 EUR + 12.00 USD`; null: nothing is known. */
export function sumWords(amounts: readonly { currency: string | null; total: string | null }[]): string | null {
  const sums = new Map<string, bigint>();
  for (const { currency, total } of amounts) {
    if (currency === null || total === null) continue;
    sums.set(currency, (sums.get(currency) ?? 0n) + exactMoney(total, DECIMALS));
  }
  const words = [...sums]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([currency, sum]) => moneyText(divideHalfUp(sum, 10n ** BigInt(DECIMALS - decimalsOf(currency))), currency));
  return words.length === 0 ? null : words.join(' + ');
}

/** Such sums added up. */
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
