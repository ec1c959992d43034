import type { TiedCurrency } from '../../contract/money.ts';

type Period = { currency: TiedCurrency; from: string; source: string };

/** The currency in which amounts are declared, by first month. The file has no element for it: the unit follows from the period. */
export const accountingCurrencies: readonly Period[] = [
  { currency: 'BGN', from: '1999-07', source: 'Наредба Н-18, Приложение № 38: „в лв.“' },
  { currency: 'EUR', from: '2026-01', source: 'ДВ, бр. 42 от 2025 г., в сила от 01.01.2026 г.: „лв.“ се заменя с „евро“' },
];

/** The accounting currency of a month ("2026-10"). */
export function accountingCurrencyOf(month: string): TiedCurrency {
  return accountingCurrencies.findLast(({ from }) => from <= month)?.currency ?? 'BGN';
}
