import { isTied, type TiedCurrency } from '../../contract/money.ts';

/** While prices and totals are shown in leva and in euro (Закон за въвеждане на еврото в Република България, чл. 13–15: 08.08.2025 to 08.08.2026). */
const DUAL_DISPLAY = { from: '2025-08-08', to: '2026-08-08' };

/** The second currency in which a document of a day ("2026-03-01") shows its total; null if none is required. */
export function secondCurrencyOn(day: string, currency: string): TiedCurrency | null {
  if (!isTied(currency) || day < DUAL_DISPLAY.from || day > DUAL_DISPLAY.to) return null;
  return currency === 'EUR' ? 'BGN' : 'EUR';
}
