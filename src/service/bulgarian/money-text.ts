import { decimalsOf } from '../../contract/money.ts';
import { NO_BREAK } from './no-break.ts';
import { numberText } from './number-text.ts';

const SIGNS: Readonly<Record<string, string>> = { EUR: '€', BGN: 'лв.' };

/** ("37.65", "EUR") is "37,65 €", ("5000", "JPY") is "5000 JPY". */
export function moneyText(amount: string, currency: string): string {
  return `${priceText(amount, currency)}${NO_BREAK}${currencySign(currency)}`;
}

/** ("37.6", "EUR") is "37,60", for places where the currency is named beside it. */
export function priceText(amount: string, currency: string): string {
  return numberText(amount, decimalsOf(currency));
}

/** Only the two currencies of the country have an unambiguous sign: "$" is a dollar of many countries. */
export function currencySign(currency: string): string {
  return SIGNS[currency] ?? currency;
}
