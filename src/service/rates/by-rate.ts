import { z } from 'zod';
import { exactMoney, formatMoney, sum } from '../../contract/money.ts';

/** What was paid of one VAT rate (percent), and the VAT in it: decimal text with two decimals. */
export const rateAmounts = z.object({ rate: z.string(), total: z.string(), vat: z.string() });
export type RateAmounts = z.output<typeof rateAmounts>;

const CENTS = 2;

type Amounts = { gross: bigint; vat: bigint };

/** The sums of lines by their rates, the highest first. */
export function byRateOf(lines: readonly { vatRate: string }[], amounts: readonly Amounts[]): RateAmounts[] {
  const rated = lines.map(({ vatRate }, i) => ({ rate: vatRate, ...(amounts[i] ?? { gross: 0n, vat: 0n }) }));
  return inOrder(
    [...Map.groupBy(rated, ({ rate }) => rate)].map(([rate, same]) => ({
      rate,
      total: formatMoney(sum(same.map(({ gross }) => gross)), CENTS),
      vat: formatMoney(sum(same.map(({ vat }) => vat)), CENTS),
    })),
  );
}

/** What is less of each rate; of one that has grown it is negative. Rates without a difference are left out. */
export function lessByRate(before: readonly RateAmounts[], after: readonly RateAmounts[]): RateAmounts[] {
  const rates = [...new Set([...before, ...after].map(({ rate }) => rate))];
  const of = (all: readonly RateAmounts[], rate: string, field: 'total' | 'vat'): bigint =>
    sum(all.filter((one) => one.rate === rate).map((one) => exactMoney(one[field], CENTS)));
  const less = rates.map((rate) => ({
    rate,
    total: of(before, rate, 'total') - of(after, rate, 'total'),
    vat: of(before, rate, 'vat') - of(after, rate, 'vat'),
  }));
  return inOrder(
    less
      .filter(({ total, vat }) => total !== 0n || vat !== 0n)
      .map(({ rate, total, vat }) => ({ rate, total: formatMoney(total, CENTS), vat: formatMoney(vat, CENTS) })),
  );
}

/** The total of all rates, in cents. */
export function totalOfRates(rates: readonly RateAmounts[]): bigint {
  return sum(rates.map(({ total }) => exactMoney(total, CENTS)));
}

function inOrder(rates: readonly RateAmounts[]): RateAmounts[] {
  return rates.toSorted((a, b) => Number(b.rate) - Number(a.rate));
}
