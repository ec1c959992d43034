import { decimalsOf } from '../../contract/money.ts';
import { sofiaDay, sofiaTime } from '../law/calendar.ts';

/** The most digits on either side of the point that Intl keeps: it would round more decimals, and write ∞ for 309 digits. */
const MOST_DIGITS = 100;
const DECIMAL_TEXT = new RegExp(`^-?\\d{1,${MOST_DIGITS}}(?:\\.\\d{1,${MOST_DIGITS}})?$`);
const MINUS = '−';

/**
 * Decimal text in Bulgarian notation, digit for digit: ("12345.5", 2) is "12 345,50", four digits are not grouped. Decimals are padded to
 * `decimals`; zeros beyond them are dropped. Throws RangeError for what is not decimal text.
 */
export function numberText(decimal: string, decimals = 0): string {
  if (!isDecimalText(decimal)) throw new RangeError(`"${decimal}" is not decimal text`);
  return formatWith(decimals).format(decimal).replace('-', MINUS);
}

/** An amount with two decimals at least, for columns that name no currency. */
export function amountText(amount: string): string {
  return numberText(amount, 2);
}

/** ("20") is "20 %". */
export function percentText(percent: string): string {
  return `${numberText(percent)}${NO_BREAK}%`;
}

// Intl reads decimal text digit by digit; any other text it would convert to a float.
function isDecimalText(text: string): text is `${number}` {
  return DECIMAL_TEXT.test(text);
}

const formats = new Map<number, Intl.NumberFormat>();

function formatWith(decimals: number): Intl.NumberFormat {
  const made = formats.get(decimals);
  if (made !== undefined) return made;
  const format = new Intl.NumberFormat('bg-BG', { minimumFractionDigits: decimals, maximumFractionDigits: MOST_DIGITS, signDisplay: 'negative' });
  formats.set(decimals, format);
  return format;
}

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

const days = new Intl.DateTimeFormat('bg-BG', { timeZone: 'UTC', day: '2-digit', month: '2-digit', year: 'numeric' });
const monthNames = new Intl.DateTimeFormat('bg-BG', { timeZone: 'UTC', month: 'long' });
const months = new Intl.DateTimeFormat('bg-BG', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** "2026-11-20" is "20.11.2026 г." */
export function dayText(day: string): string {
  return bound(days.format(new Date(day)));
}

/** "2026-10" is "октомври". */
export function monthName(month: string): string {
  return monthNames.format(new Date(month));
}

/** "2026-10" is "октомври 2026 г." */
export function monthText(month: string): string {
  return bound(months.format(new Date(month)));
}

/** "31.10.2026 г., 06:05 ч." in Bulgaria, of an ISO 8601 timestamp with an offset. */
export function momentText(timestamp: string): string {
  return `${dayText(sofiaDay(timestamp))}, ${sofiaTime(timestamp).slice(0, 'hh:mm'.length)}${NO_BREAK}ч.`;
}

/** Keeps "г." on the line of its year, whichever blank Intl puts between them. */
function bound(text: string): string {
  return text.replace(/\s(?=г\.$)/, NO_BREAK);
}

/** "банков превод" is "Банков превод". */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A no-break space: keeps a number on one line with its sign. */
export const NO_BREAK = '\u00a0';
