import { isTied, type TiedCurrency } from '../../contract/money.ts';

/** The currency in which amounts are declared, by first month. The file has no element for it: the unit follows from the period. */
export const accountingCurrencies: readonly { currency: TiedCurrency; from: string; source: string }[] = [
  { currency: 'BGN', from: '1999-07', source: 'Наредба Н-18, Приложение № 38: „в лв.“' },
  { currency: 'EUR', from: '2026-01', source: 'ДВ, бр. 42 от 2025 г., в сила от 01.01.2026 г.: „лв.“ се заменя с „евро“' },
];

/** The accounting currency of a month ("2026-10"). */
export function accountingCurrencyOf(month: string): TiedCurrency {
  return accountingCurrencies.findLast(({ from }) => from <= month)?.currency ?? 'BGN';
}

/** While prices and totals are shown in leva and in euro (Закон за въвеждане на еврото в Република България, чл. 13–15: 08.08.2025 to 08.08.2026). */
const DUAL_DISPLAY = { from: '2025-08-08', to: '2026-08-08' };

/** The second currency in which a document of a day ("2026-03-01") shows its total; null if none is required. */
export function secondCurrencyOn(day: string, currency: string): TiedCurrency | null {
  if (!isTied(currency) || day < DUAL_DISPLAY.from || day > DUAL_DISPLAY.to) return null;
  return currency === 'EUR' ? 'BGN' : 'EUR';
}
