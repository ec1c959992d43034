import { exactMoney, formatMoney } from '../../../contract/money.ts';
import { byRateOf, type RateAmounts } from '../../rates/declared-amounts.ts';
import type { MonthReturn } from '../audit-file.ts';

/** `unknown`: returns whose rates are not known, and the sum of their amounts. */
export type ReturnsByRate = { rates: readonly RateAmounts[]; unknown: { count: number; total: string } };

/** Adds up returns by VAT rate. */
export function returnsByRate(returns: readonly MonthReturn[]): ReturnsByRate {
  const known = returns.flatMap(({ byRate }) => byRate ?? []);
  const unknown = returns.filter(({ byRate }) => byRate === null);
  const amounts = known.map(({ total, vat }) => ({ gross: exactMoney(total, 2), vat: exactMoney(vat, 2) }));
  const total = unknown.reduce((sum, { amount }) => sum + exactMoney(amount, 2), 0n);
  return {
    rates: byRateOf(
      known.map(({ rate }) => ({ vatRate: rate })),
      amounts,
    ),
    unknown: { count: unknown.length, total: formatMoney(total, 2) },
  };
}

/** What was given back of one VAT rate: decimal text. Only `total` is known where the rates are not. */
export type PartOfReturn = { rate: string | null; net: string | null; vat: string | null; total: string };

type ReturnedAmount = { amount: string; byRate: readonly RateAmounts[] | null };

/** Money given back by VAT rate: one part at least. */
export function partsOfReturn({ amount, byRate }: ReturnedAmount): PartOfReturn[] {
  if (byRate === null || byRate.length === 0) return [{ rate: null, net: null, vat: null, total: amount }];
  return byRate.map(({ rate, total, vat }) => ({ rate, net: formatMoney(exactMoney(total, 2) - exactMoney(vat, 2), 2), vat, total }));
}

/** The VAT of money given back; null where it is not known. */
export function vatOfReturn({ byRate }: ReturnedAmount): string | null {
  return byRate === null
    ? null
    : formatMoney(
        byRate.reduce((all, { vat }) => all + exactMoney(vat, 2), 0n),
        2,
      );
}
