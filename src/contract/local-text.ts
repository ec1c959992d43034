import type { Lang } from './messages.ts';
import { decimalsOf } from './money.ts';

const ZONE = 'Europe/Sofia';
const locales: Readonly<Record<Lang, string>> = { en: 'en-GB', bg: 'bg-BG' };

/** The most digits on either side of the point that Intl keeps: it would round more decimals, and write ∞ for 309 digits. */
const MOST_DIGITS = 100;
const DECIMAL_TEXT = new RegExp(`^-?\\d{1,${MOST_DIGITS}}(?:\\.\\d{1,${MOST_DIGITS}})?$`);
const MINUS = '−';

/** Names as the alphabet has them, numbers in them by their size. */
export function byName(a: string, b: string): number {
  collator ??= new Intl.Collator('bg', { numeric: true });
  return collator.compare(a, b);
}
// Made once, and not before it is needed: to make the first format or collator takes a command 7 ms.
let collator: Intl.Collator | undefined;

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
const sumFormats = new Map<string, Intl.NumberFormat>();

/** To make a format takes fifty times as long as to use it. */
function kept<Key, Format>(known: Map<Key, Format>, key: Key, make: () => Format): Format {
  const format = known.get(key) ?? make();
  known.set(key, format);
  return format;
}

function formatWith(decimals: number): Intl.NumberFormat {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: MOST_DIGITS, signDisplay: 'negative' } as const;
  return kept(formats, decimals, () => new Intl.NumberFormat('bg-BG', digits));
}

const SIGNS: Readonly<Record<string, string>> = { EUR: '€', BGN: 'лв.' };

/** ("37.6", "EUR") is "37,60", for places where the currency is named beside it. */
export function priceText(amount: string, currency: string): string {
  return numberText(amount, decimalsOf(currency));
}

/** Only the two currencies of the country have an unambiguous sign: "$" is a dollar of many countries. */
export function currencySign(currency: string): string {
  return SIGNS[currency] ?? currency;
}

/** ("37.65", "EUR") is "€37.65" in English, "37,65 €" in Bulgarian; ("5000", "JPY") is "5000 JPY" there. */
export function sumText(amount: string, currency: string, lang: Lang): string {
  if (lang === 'bg') return `${priceText(amount, currency)}${NO_BREAK}${currencySign(currency)}`;
  const plain = plainAmount(amount, currency);
  // As text, so that no cent is lost.
  const decimals = plain.split('.')[1]?.length ?? 0;
  const style = { style: 'currency', currency, minimumFractionDigits: decimals, maximumFractionDigits: decimals } as const;
  return kept(sumFormats, `${currency} ${decimals}`, () => new Intl.NumberFormat(locales.en, style)).format(plain as `${number}`);
}

/** What several together cost: ("3", "€15.05") is "3 for €15.05", "3 бр. = 15,05 €"; of one, only the amount. */
export function severalText(quantity: string, amount: string, lang: Lang): string {
  if (quantity === '1') return amount;
  return lang === 'bg' ? `${quantity} бр. = ${amount}` : `${quantity} for ${amount}`;
}

const SUM = new RegExp(`(?<![\\w.-])(-?\\d{1,${MOST_DIGITS}}(?:\\.\\d{1,${MOST_DIGITS}})?) ([A-Z]{3})\\b`, 'g');
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Sums such as "36.00 EUR + 12.00 USD" as people of the language write them. */
export function sumsText(sums: string, lang: Lang): string {
  return sums.replace(SUM, (whole, amount: string, currency: string) => (CURRENCIES.has(currency) ? sumText(amount, currency, lang) : whole));
}

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const forms = {
  moment: { day: 'numeric', month: 'short', ...clock },
  second: { day: 'numeric', month: 'short', ...clock, second: '2-digit' },
  dated: { day: 'numeric', month: 'short', year: 'numeric', ...clock },
  time: clock,
  datedSecond: { day: 'numeric', month: 'short', year: 'numeric', ...clock, second: '2-digit' },
  year: { year: 'numeric' },
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  digits: { day: '2-digit', month: '2-digit', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  bareMonth: { month: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const dateFormats = new Map<string, Intl.DateTimeFormat>();

const withYear = { moment: 'dated', second: 'datedSecond' } as const;

/** An instant by the clock of Sofia; `moment`, and to the `second`: with its year only where that is not this one; `dated`: always with it. */
export function instantText(instant: string | Date, lang: Lang, form: keyof typeof forms): string {
  const isShort = form === 'moment' || form === 'second';
  return formatted(instant, lang, isShort && formatted(instant, 'en', 'year') !== formatted(new Date(), 'en', 'year') ? withYear[form] : form);
}

function formatted(instant: string | Date, lang: Lang, form: keyof typeof forms): string {
  const format = kept(dateFormats, `${form} ${lang}`, () => new Intl.DateTimeFormat(locales[lang], { ...forms[form], timeZone: ZONE }));
  // Keeps "г." on the line of its year, whichever blank Intl puts between them.
  return format.format(new Date(instant)).replace(/\s(?=г\.)/, NO_BREAK);
}

let offsets: Intl.DateTimeFormat | undefined;
const CITY: Readonly<Record<Lang, string>> = { en: 'Sofia', bg: 'София' };

/** To the second, with the zone: "14 Nov 2026, 13:05:07 (Sofia, UTC+2)". */
export function zonedText(instant: string | Date, lang: Lang): string {
  offsets ??= new Intl.DateTimeFormat('en', { timeZone: ZONE, timeZoneName: 'shortOffset' });
  const offset = offsets.formatToParts(new Date(instant)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${instantText(instant, lang, 'datedSecond')} (${CITY[lang]}, ${offset.replace('GMT', 'UTC')})`;
}

/** "2026-11-14" is "14 November 2026". */
export function dayName(day: string, lang: Lang): string {
  return instantText(`${day}T12:00:00Z`, lang, 'day');
}

/** In documents: "2026-11-20" is "20 November 2026", "20.11.2026 г." */
export function dayText(day: string, lang: Lang = 'bg'): string {
  return instantText(`${day}T12:00:00Z`, lang, lang === 'bg' ? 'digits' : 'day');
}

/** "2026-10" is "October 2026". */
export function monthName(month: string, lang: Lang): string {
  return instantText(`${month}-15T12:00:00Z`, lang, 'month');
}

/** "2026-10" is "October". */
export function bareMonthName(month: string, lang: Lang): string {
  return instantText(`${month}-15T12:00:00Z`, lang, 'bareMonth');
}

/** In documents: "31 October 2026, 06:05", "31.10.2026 г., 06:05 ч." */
export function momentText(instant: string, lang: Lang): string {
  const time = instantText(instant, lang, 'time');
  return lang === 'bg' ? `${instantText(instant, 'bg', 'digits')}, ${time}${NO_BREAK}ч.` : `${instantText(instant, lang, 'day')}, ${time}`;
}

/** For spreadsheets: "2026-10-31 06:05:09" by the clock of Sofia. */
export function sortableText(instant: string): string {
  sortable ??= new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
  return sortable.format(new Date(instant));
}
let sortable: Intl.DateTimeFormat | undefined;

/** The amount without zeros beyond the decimals of its currency: ("124.8200", "EUR") is "124.82". */
export function plainAmount(amount: string, currency: string): string {
  const [whole = '', decimals = ''] = amount.split('.');
  const kept = decimals.replace(/0+$/, '').padEnd(decimalsOf(currency), '0');
  return kept === '' ? whole : `${whole}.${kept}`;
}

/** "банков превод" is "Банков превод". */
export function capitalized(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** "Ready to be filed" is "ready to be filed". */
export function uncapitalized(words: string): string {
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

/** A no-break space: keeps a number on one line with its sign. */
const NO_BREAK = '\u00a0';

/** Ends a sentence whose last word may be an abbreviation: „преди 9 сек.“ */
export function fullStop(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}
