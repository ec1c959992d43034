import { padDecimals } from '../../../contract/decimal-text.ts';
import type { TiedCurrency } from '../../../contract/money.ts';

/** Numbers must not be torn apart at the end of a line. */
const SPACE = '\u00a0';
const SIGNS: Readonly<Record<TiedCurrency, string>> = { EUR: '€', BGN: 'лв.' };

/** "1234.5" → "1 234,50"; more decimals stay. Throws RangeError for what is not decimal text. */
export function amountText(amount: string): string {
  return numberText(padDecimals(amount, 2));
}

/** "1234567.891" → "1 234 567,891". Throws RangeError for what is not decimal text. */
export function numberText(decimal: string): string {
  const [, sign, whole, fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === undefined) throw new RangeError(`"${decimal}" is not decimal text`);
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, SPACE);
  return `${sign === '-' ? '−' : ''}${grouped}${fraction === undefined ? '' : `,${fraction}`}`;
}

/** "1 234,50 €", "1 234,50 лв.", "1 234,50 USD" */
export function moneyText(amount: string, currency: string): string {
  return `${amountText(amount)}${SPACE}${currency === 'EUR' || currency === 'BGN' ? SIGNS[currency] : currency}`;
}

/** "2026-10-31" → "31.10.2026" */
export function dayText(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${date}.${month}.${year}`;
}
