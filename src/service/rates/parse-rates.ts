import { ParseOption, XmlDocument } from 'libxml2-wasm';
import { isTied, type TiedCurrency } from '../../contract/money.ts';
import { addDays } from '../law/calendar.ts';
import { accountingCurrencies } from '../law/currencies.ts';
import type { ExchangeRate } from './exchange-rate.ts';

/** Why content was refused: it is empty, a web page, broken XML, XML of something else, or has a value that can't be right. */
type NoRates = { ok: false; reason: 'empty' | 'web-page' | 'not-xml' | 'no-sheet' | 'wrong-values'; problems: [string, ...string[]] };

/** `rates` by day, then currency; `sheets` are the days that they were published on, oldest first. */
type ParsedRates = { ok: true; rates: ExchangeRate[]; sheets: [string, ...string[]] } | NoRates;

const MOST_PROBLEMS = 20;

/**
 * Reads an XML sheet of the Bulgarian National Bank, of one day or of several, in the form until 2025 (RATE is leva for RATIO units) or the one since
 * 2026 (RATE is units for one euro). All or nothing: one value that can't be right refuses the whole.
 */
export function parseRates(content: Uint8Array): ParsedRates {
  const beginning = beginningOf(content);
  if (beginning === '') return none('empty', 'the answer is empty');
  if (/^(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*-->\s*)*(<!doctype html|<html)/is.test(beginning)) {
    return none('web-page', 'this is a web page, not the XML sheet: the bank answers so when the address is not right or there are no rates');
  }
  if (/<!(doctype|entity)/i.test(beginning)) return none('no-sheet', 'the XML declares a document type, which sheets of the bank do not');
  return parseSheet(content);
}

const BEGINNING_BYTES = 2_000;

function beginningOf(content: Uint8Array): string {
  return new TextDecoder().decode(content.subarray(0, BEGINNING_BYTES)).trim();
}

function parseSheet(content: Uint8Array): ParsedRates {
  const rows = readRows(content);
  if (!Array.isArray(rows)) return rows;
  const read = rows.map(readRateRow);
  const problems = read.flatMap((row) => row.problems ?? []);
  const { rates, differing } = withoutRepeats(read.flatMap(({ rate }) => rate ?? []));
  const [first, ...others] = [...problems, ...differing];
  if (first !== undefined) return { ok: false, reason: 'wrong-values', problems: [first, ...others.slice(0, MOST_PROBLEMS - 1)] };
  const [oldest, ...later] = [...new Set(rates.map(({ publishedOn }) => publishedOn))].sort();
  if (oldest === undefined) return none('no-sheet', 'the sheet holds no rate');
  return { ok: true, rates: rates.toSorted(byDayAndCurrency), sheets: [oldest, ...later] };
}

function readRows(content: Uint8Array): Row[] | NoRates {
  try {
    using document = XmlDocument.fromBuffer(content, { option: ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE });
    const { root } = document;
    if (root.name.toLowerCase() === 'html') return none('web-page', 'this is a web page, not the XML sheet');
    if (root.name !== 'ROWSET') return none('no-sheet', `the XML is about <${root.name}>, not a <ROWSET> of the bank`);
    return root.find('ROW').map((row) => new Map(row.find('*').map((field) => [nameOf(field), field.content.trim()])));
  } catch (thrown) {
    return none('not-xml', `this is not XML that can be read: ${thrown instanceof Error ? (thrown.message.trim().split('\n', 1)[0] ?? '') : String(thrown)}`);
  }
}

function nameOf(field: object): string {
  return 'name' in field && typeof field.name === 'string' ? field.name : '';
}

// An export of a period may list a day twice; two different rates for it are a mistake.
function withoutRepeats(all: readonly ExchangeRate[]): { rates: ExchangeRate[]; differing: string[] } {
  const kept = new Map<string, ExchangeRate>();
  const differing: string[] = [];
  for (const rate of all) {
    const key = `${rate.publishedOn} ${rate.currency}`;
    const earlier = kept.get(key);
    if (earlier === undefined) kept.set(key, rate);
    else if (earlier.multiply !== rate.multiply || earlier.divide !== rate.divide) differing.push(`${key}: the sheet holds two different rates`);
  }
  return { rates: [...kept.values()], differing };
}

function byDayAndCurrency(a: ExchangeRate, b: ExchangeRate): number {
  return compare(a.publishedOn, b.publishedOn) || compare(a.currency, b.currency);
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

function none(reason: NoRates['reason'], words: string): NoRates {
  return { ok: false, reason, problems: [words] };
}

/** The fields of a ROW by their names in the sheet, trimmed. */
type Row = ReadonlyMap<string, string>;

/** Neither rate nor problems: the header of labels, gold, a currency that is tied to the base, or one without a rate that day. */
type ReadRow = { rate?: ExchangeRate; problems?: string[] };

/** Since then rates are for one euro, and RATE means the inverse of what it meant before. */
const EURO_SINCE = `${accountingCurrencies.find(({ currency }) => currency === 'EUR')?.from}-01`;
/** Before it there was another lev, of a thousandth of the value. */
const LEV_SINCE = '1999-07-05';

const CODE = /^[A-Z]{3}$/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const ABOVE_ZERO = /^(?=.*[1-9])\d{1,12}(\.\d{1,12})?$/;
const NONE = /^(|-|n\/a|н\/д)$/i;
const GOLD = 'XAU';

/** Reads a row in either form; only the old one has a RATIO. */
function readRateRow(row: Row): ReadRow {
  const code = field(row, 'CODE');
  const rate = field(row, 'RATE');
  if (!CODE.test(code)) return NUMBER.test(rate) ? { problems: [`"${code}" is not a currency code`] } : {};
  if (code === GOLD || isTied(code) || NONE.test(rate)) return {};
  const day = readDay(field(row, 'CURR_DATE'));
  const base: TiedCurrency = row.has('RATIO') ? 'BGN' : 'EUR';
  const ratio = row.get('RATIO') ?? '1';
  const problems = [...dayProblems(day, base, row), ...rateProblems(rate, ratio)];
  if (day === null || problems.length > 0) return { problems: problems.map((problem) => `${code}${day === null ? '' : ` of ${day}`}: ${problem}`) };
  const parts = base === 'BGN' ? { multiply: rate, divide: ratio } : { multiply: '1', divide: rate };
  return { rate: { currency: code, base, ...parts, publishedOn: day, source: 'BNB' } };
}

function field(row: Row, name: string): string {
  return row.get(name) ?? '';
}

/** "10.01.2025" → "2025-01-10"; null if there is no such day. */
function readDay(text: string): string | null {
  const [, day, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text) ?? [];
  const written = `${year}-${month}-${day}`;
  const exists = day !== undefined && !Number.isNaN(Date.parse(`${written}T00:00:00Z`)) && addDays(written, 0) === written;
  return exists ? written : null;
}

// In the wrong period a form would give the inverse rate, so it is refused.
function dayProblems(day: string | null, base: TiedCurrency, row: Row): string[] {
  if (day === null) return [`CURR_DATE "${field(row, 'CURR_DATE')}" is not a day such as 20.11.2026`];
  if (day < LEV_SINCE) return [`there was another lev before ${LEV_SINCE}`];
  if (base === 'EUR' && day < EURO_SINCE) return [`RATIO is missing: until ${addDays(EURO_SINCE, -1)} rates are leva for RATIO units`];
  if (base === 'BGN' && day >= EURO_SINCE) return [`RATIO is given, but since ${EURO_SINCE} rates are units for one euro, and RATE means the inverse`];
  return [];
}

function rateProblems(rate: string, ratio: string): string[] {
  return [
    ...(ABOVE_ZERO.test(rate) ? [] : [`RATE "${rate}" is not a number above zero`]),
    ...(/^[1-9]\d{0,8}$/.test(ratio) ? [] : [`RATIO "${ratio}" is not a whole number above zero`]),
  ];
}
