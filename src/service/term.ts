import { sofiaDay } from './law/calendar.ts';
import { accountingCurrencies } from './law/currencies.ts';
import { firstMonthInTerm } from './law/deadlines.ts';

/** Today in Bulgaria, and the first month whose file may still be filed, as the first day of it. */
export function termAt(now: Date): { today: string; firstOpen: string } {
  const today = sofiaDay(now.toISOString());
  return { today, firstOpen: `${firstMonthInTerm(today)}-01` };
}

/** The first day on which amounts are declared in euro. */
export const EURO_FROM = `${accountingCurrencies.find(({ currency }) => currency === 'EUR')?.from}-01`;
