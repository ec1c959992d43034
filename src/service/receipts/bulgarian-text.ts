import { padDecimals, shiftPoint } from '../../contract/decimal-text.ts';
import { decimalsOf } from '../../contract/money.ts';

const SIGNS: Readonly<Record<string, string>> = { EUR: '€', BGN: 'лв.' };
const NO_BREAK = '\u00a0';
/** Numbers of four digits are not grouped in Bulgarian. */
const GROUPED_FROM = 5;

/** Decimal text as it is written in Bulgarian, with as many decimals at least: ("12345.5", 2) is "12 345,50". */
export function decimalText(value: string, decimals = 0): string {
  const [whole = '0', fraction] = padDecimals(shiftPoint(value, 0), decimals).split('.');
  const grouped = whole.length < GROUPED_FROM ? whole : whole.replace(/\B(?=(\d{3})+$)/g, NO_BREAK);
  return fraction === undefined ? grouped : `${grouped},${fraction}`;
}

/** ("37.65", "EUR") is "37,65". */
export function priceText(value: string, currency: string): string {
  return decimalText(value, decimalsOf(currency));
}

/** ("37.65", "EUR") is "37,65 €". */
export function moneyText(value: string, currency: string): string {
  return `${priceText(value, currency)}${NO_BREAK}${currencySign(currency)}`;
}

export function currencySign(currency: string): string {
  return SIGNS[currency] ?? currency;
}

/** "2026-11-20" is "20.11.2026 г." */
export function dayText(day: string): string {
  const [year = '', month = '', dayOfMonth = ''] = day.split('-');
  return `${dayOfMonth}.${month}.${year}${NO_BREAK}г.`;
}

/** "банков превод" is "Банков превод". */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
