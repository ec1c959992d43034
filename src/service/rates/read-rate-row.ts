import { isTied, type TiedCurrency } from '../../contract/money.ts';
import { accountingCurrencies } from '../law/accounting-currency.ts';
import { addDays } from '../law/months.ts';
import type { ExchangeRate } from './exchange-rate.ts';

/** The fields of a ROW by their names in the sheet, trimmed. */
export type Row = ReadonlyMap<string, string>;

/** Neither rate nor problems: the header of labels, gold, a currency that is tied to the base, or one without a rate that day. */
export type ReadRow = { rate?: ExchangeRate; problems?: string[] };

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
export function readRateRow(row: Row): ReadRow {
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
