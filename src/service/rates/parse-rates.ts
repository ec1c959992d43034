import { ParseOption, XmlDocument } from 'libxml2-wasm';
import type { ExchangeRate } from './exchange-rate.ts';
import { type Row, readRateRow } from './read-rate-row.ts';

/** Why content was refused: it is empty, a web page, broken XML, XML of something else, or has a value that can't be right. */
export type NoRates = { ok: false; reason: 'empty' | 'web-page' | 'not-xml' | 'no-sheet' | 'wrong-values'; problems: [string, ...string[]] };

/** `rates` by day, then currency; `sheets` are the days that they were published on, oldest first. */
export type ParsedRates = { ok: true; rates: ExchangeRate[]; sheets: [string, ...string[]] } | NoRates;

const MOST_PROBLEMS = 20;

/**
 * Reads an XML sheet of the Bulgarian National Bank, of one day or of several, in the form until 2025 (RATE is leva for RATIO units) or the one since
 * 2026 (RATE is units for one euro). All or nothing: one value that can't be right refuses the whole.
 */
export function parseRates(content: Uint8Array): ParsedRates {
  const beginning = beginningOf(content);
  if (beginning === '') return none('empty', 'the answer is empty');
  if (/^(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*(<!doctype html|<html)/is.test(beginning)) {
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
    return none('not-xml', `this is not XML that can be read: ${thrown instanceof Error ? firstLine(thrown.message) : String(thrown)}`);
  }
}

function nameOf(field: object): string {
  return 'name' in field && typeof field.name === 'string' ? field.name : '';
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
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
