import { formatMoney, parseMoney } from '../../../contract/money.ts';
import { ownText } from './finding-list.ts';
import { escapeText, fitText } from './windows-1251.ts';

/** How the values of a column are written, read and shown. */
export type Kind<Value> = {
  /** The type in the schema. */
  type: string;
  /** The base of that type and what it allows of it; absent if the type is one of XML Schema's own. */
  restriction?: { base: string; facets: string };
  /** The limit in words. */
  limit: string;
  /** Throws RangeError on a value that can't be written. */
  write(value: Value): string;
  /** Null: absent, or unreadable, which the schema reports. */
  read(text: string | undefined): Value | null;
  /** A text that the schema allows. */
  sample: string;
  /** Amounts are in one row alone of those that an order or a return has in the CSV, so that a column adds up to the month. */
  isAmount?: boolean;
  /** Different spellings may be the same number. */
  isNumber?: boolean;
  /** Texts may be long: the reader's are parts of the file's text. */
  isText?: boolean;
};

export function text(most: number, type = `text${most}`): Kind<string> {
  return {
    ...{ type, restriction: { base: 'xs:string', facets: `<xs:maxLength value="${most}"/>` }, limit: `${most} characters` },
    write: (value) => escapeText(fitText(value, most)),
    read: (value) => value ?? null,
    ...{ sample: '', isText: true },
  };
}

export function whole(type: string, [least, most]: readonly [number, number]): Kind<number> {
  return {
    ...{ type, restriction: { base: 'xs:integer', facets: `<xs:minInclusive value="${least}"/><xs:maxInclusive value="${most}"/>` } },
    limit: `whole, ${least}–${most}`,
    write(value) {
      if (!Number.isInteger(value)) throw new RangeError(`${value} is not a whole number: the audit file has only whole VAT rates and codes`);
      return String(value);
    },
    read: readWhole,
    ...{ sample: String(least) },
  };
}

function writeDay(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new RangeError(`"${value}" is not a day like 2026-10-31`);
  return value;
}

export const day: Kind<string> = { type: 'xs:date', limit: 'a day', write: writeDay, read: readDay, sample: '2020-01-01' };

export const amount: Kind<string> = {
  ...{ type: 'amount', restriction: { base: 'xs:decimal', facets: '<xs:fractionDigits value="2"/>' }, limit: 'two decimals' },
  /** Two decimals exactly; rounding is up to the caller. */
  write(value) {
    if (/^-?\d+\.\d\d$/.test(value)) return value;
    const hundredths = parseMoney(value, 2);
    if (hundredths === undefined) throw new RangeError(`"${value}" can't be written with two decimals: round it before it gets into an audit file`);
    return formatMoney(hundredths, 2);
  },
  read: readAmount,
  ...{ sample: '0', isAmount: true, isNumber: true },
};

/** The digits of a document number (Наредба Н-18, чл. 52о, ал. 1, т. 1). */
export const DOCUMENT_DIGITS = 10;

export const documentNumber: Kind<string> = {
  ...{ type: 'xs:integer', limit: 'whole number' },
  write(value) {
    if (!/^\d{1,10}$/.test(value)) throw new RangeError(`"${value}" is not a document number of at most ${DOCUMENT_DIGITS} digits`);
    return value.padStart(DOCUMENT_DIGITS, '0');
  },
  read: (value) => value?.trim() ?? null,
  ...{ sample: '1', isNumber: true, isText: true },
};

export const companyNumber: Kind<string> = {
  ...text(13, 'companyNumber'),
  ...{ restriction: { base: 'xs:string', facets: '<xs:minLength value="9"/><xs:maxLength value="13"/>' }, limit: '9–13 characters', sample: '000000000' },
  // Not cut: the schema refuses one that is too long.
  write: (value) => escapeText(fitText(value, value.length)),
};

export const shopType: Kind<1 | 2> = {
  ...whole('shopType', [1, 2]),
  read: (value) => (value?.trim() === '1' ? 1 : value?.trim() === '2' ? 2 : null),
};

/** A month is in two elements: `seenHeader` puts them together. */
const partOfMonth = { ...text(4), read: () => null };

export const monthNumber: Kind<string> = {
  ...partOfMonth,
  ...{ type: 'month', restriction: { base: 'xs:string', facets: '<xs:pattern value="0[1-9]|1[0-2]"/>' }, limit: '`01`–`12`', sample: '01' },
  write: (month) => writeDay(`${month}-01`).slice(5, 7),
};

export const year: Kind<string> = {
  ...partOfMonth,
  ...{ type: 'year', restriction: { base: 'xs:integer', facets: '<xs:minInclusive value="2020"/><xs:maxInclusive value="9999"/>' } },
  ...{ limit: 'from 2020', sample: '2020' },
  write: (month) => month.slice(0, 4),
};

/** xs:decimal with two decimals at most as plain decimal text: "+5", ".5" and "24.960" become "5", "0.5" and "24.96". */
export function readAmount(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^-?\d+\.\d\d$/.test(text)) return text;
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*?)0*)?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > 2 || !/\d/.test(text)) return null;
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`;
}

export function readWhole(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}

const knownDays = new Map<string, string | null>();
const MOST_DAYS = 1000;

/** xs:date without its zone; null for days that the calendar does not have. A month has few days, so they are cached. */
export function readDay(text: string | undefined): string | null {
  const key = text ?? '';
  const known = knownDays.get(key);
  if (known !== undefined || key.length > 30) return known ?? null;
  if (knownDays.size >= MOST_DAYS) knownDays.clear();
  const day = parsedDay(key);
  knownDays.set(ownText(key), day);
  return day;
}

function parsedDay(text: string): string | null {
  const day = /^\s*(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?\s*$/.exec(text)?.[1];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day;
}
