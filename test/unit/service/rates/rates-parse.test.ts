import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRates } from '../../../../src/service/rates/parse-rates.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/bnb');

function fixture(name: string) {
  return parseRates(readFileSync(join(FIXTURES, `${name}.xml`)));
}

type Fields = { CODE?: string; RATE?: string; RATIO?: string; REVERSERATE?: string; CURR_DATE?: string };

const inLeva: Fields = { CODE: 'USD', RATIO: '1', REVERSERATE: '0.53', RATE: '1.89886', CURR_DATE: '10.01.2025' };
const inEuro: Fields = { CODE: 'USD', REVERSERATE: '0.85', RATE: '1.1722', CURR_DATE: '01.06.2026' };

function sheet(...rows: Fields[]): string {
  const row = (fields: Fields) => `<ROW>${Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)}</ROW>`;
  return `<?xml version="1.0"?><ROWSET>${rows.map(row).join('\n')}</ROWSET>`;
}

function parse(content: string) {
  return parseRates(Buffer.from(content));
}

describe('a sheet until 2025: RATE is leva for RATIO units', () => {
  test('is read without its header, and without gold', () => {
    const parsed = fixture('sheet-2025-01-10');

    expect(parsed).toMatchObject({ ok: true, sheets: ['2025-01-10'] });
    expect(parsed.ok && parsed.rates.map(({ currency, multiply, divide }) => `${divide} ${currency} = ${multiply}`)).toEqual([
      '1 AUD = 1.17713',
      '10 BRL = 3.13449',
      '100 JPY = 1.20161',
      '1 USD = 1.89886',
    ]);
  });

  test('gives rates with their day, base and source', () => {
    expect(fixture('row-2025-bgn-base')).toEqual({
      ok: true,
      sheets: ['2025-01-10'],
      rates: [{ currency: 'BRL', base: 'BGN', multiply: '3.13449', divide: '10', publishedOn: '2025-01-10', source: 'BNB' }],
    });
  });

  test('may be an export of several days', () => {
    const parsed = fixture('period-2025-12-usd');

    expect(parsed).toMatchObject({ ok: true, sheets: ['2025-12-22', '2025-12-23', '2025-12-29', '2025-12-30'] });
  });
});

describe('a sheet since 2026: RATE is units for one euro', () => {
  test('is read without its header; a REVERSERATE of n/a does not matter', () => {
    const parsed = fixture('sheet-2026-06-01');

    expect(parsed.ok && parsed.rates.map(({ currency, base, divide }) => `1 ${base} = ${divide} ${currency}`)).toEqual([
      '1 EUR = 1.6311 AUD',
      '1 EUR = 5.8515 BRL',
      '1 EUR = 19204.15 IDR',
      '1 EUR = 182.34 JPY',
      '1 EUR = 1.1722 USD',
    ]);
  });

  test('divides by RATE, for REVERSERATE has lost digits', () => {
    expect(fixture('row-2026-eur-base')).toMatchObject({ ok: true, rates: [{ multiply: '1', divide: '5.8515', publishedOn: '2026-06-01' }] });
  });
});

test('an export over the turn of the year has both forms', () => {
  const parsed = parse(sheet(inEuro, inLeva));

  expect(parsed.ok && parsed.rates.map(({ base, publishedOn }) => [base, publishedOn])).toEqual([
    ['BGN', '2025-01-10'],
    ['EUR', '2026-06-01'],
  ]);
});

test.each([
  ['a currency without a rate that day', { ...inEuro, RATE: 'n/a' }],
  ['the euro', { ...inLeva, CODE: 'EUR', RATE: '1.95583' }],
  ['the lev', { ...inEuro, CODE: 'BGN', RATE: '1.95583' }],
  ['gold', { ...inLeva, CODE: 'XAU', RATE: '5083.24', RATIO: 'n/a' }],
  ['a header', { CODE: 'Code', RATE: 'Euro (EUR)', CURR_DATE: 'Date' }],
])('%s is left out', (_what, row) => {
  const parsed = parse(sheet(row, inEuro));

  expect(parsed.ok && parsed.rates.map(({ currency }) => currency)).toEqual(['USD']);
});

test('the same rate listed twice counts once', () => {
  const parsed = parse(sheet(inEuro, inEuro));

  expect(parsed.ok && parsed.rates).toHaveLength(1);
});

test('a byte order mark and blank lines before UTF-8 XML are ignored', () => {
  expect(parse(`\uFEFF${sheet(inEuro)}`).ok).toBe(true);
});

describe('a value that can’t be right refuses the whole sheet', () => {
  test.each([
    ['zero', { ...inEuro, RATE: '0.000' }, 'USD of 2026-06-01: RATE "0.000" is not a number above zero'],
    ['a negative rate', { ...inEuro, RATE: '-1.1' }, 'RATE "-1.1" is not a number above zero'],
    ['a decimal comma', { ...inEuro, RATE: '1,1722' }, 'RATE "1,1722" is not a number above zero'],
    ['an exponent', { ...inEuro, RATE: '1e3' }, 'RATE "1e3" is not a number above zero'],
    ['a code that is none', { ...inEuro, CODE: 'US$' }, '"US$" is not a currency code'],
    ['no code', { ...inEuro, CODE: '' }, '"" is not a currency code'],
    ['a ratio of nothing', { ...inLeva, RATIO: '0' }, 'RATIO "0" is not a whole number above zero'],
    ['an empty ratio', { ...inLeva, RATIO: '' }, 'RATIO "" is not a whole number above zero'],
    ['a day that does not exist', { ...inEuro, CURR_DATE: '31.06.2026' }, 'USD: CURR_DATE "31.06.2026" is not a day such as 20.11.2026'],
    ['a day in another form', { ...inEuro, CURR_DATE: '2026-06-01' }, 'CURR_DATE "2026-06-01" is not a day'],
    ['the new form on an old day', { ...inEuro, CURR_DATE: '31.12.2025' }, 'RATIO is missing: until 2025-12-31 rates are leva for RATIO units'],
    ['the old form on a new day', { ...inLeva, CURR_DATE: '01.01.2026' }, 'RATIO is given, but since 2026-01-01 rates are units for one euro'],
    ['the lev of before 1999', { ...inLeva, CURR_DATE: '02.07.1999' }, 'there was another lev before 1999-07-05'],
  ])('%s', (_what, row, words) => {
    const parsed = parse(sheet({ ...inEuro, CODE: 'GBP' }, row));

    expect(parsed).toMatchObject({ ok: false, reason: 'wrong-values', problems: [expect.stringContaining(words)] });
  });

  test('two rates for one currency and day', () => {
    const parsed = parse(sheet(inEuro, { ...inEuro, RATE: '1.2' }));

    expect(parsed).toMatchObject({ ok: false, problems: ['2026-06-01 USD: the sheet holds two different rates'] });
  });

  test('every problem is returned, up to twenty', () => {
    const wrong = Array.from({ length: 30 }, () => ({ ...inEuro, RATE: '0' }));

    const parsed = parse(sheet(...wrong));

    expect(!parsed.ok && parsed.problems).toHaveLength(20);
  });
});

describe('content other than a sheet is classified', () => {
  test.each([
    ['nothing', '', 'empty'],
    ['blanks', ' \n ', 'empty'],
    ['a web page', '<!DOCTYPE html>\n<html><body>Курсове</body></html>', 'web-page'],
    ['a web page without a document type', '  <HTML><p>no <br> end', 'web-page'],
    ['a web page that calls itself XML', '<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html/>', 'web-page'],
    ['a web page in a namespace', '<?xml version="1.0"?><x:html xmlns:x="http://www.w3.org/1999/xhtml"/>', 'web-page'],
    ['text', 'Service unavailable', 'not-xml'],
    ['many comments', '<!---->'.repeat(200), 'not-xml'],
    ['half a sheet', sheet(inEuro).slice(0, 60), 'not-xml'],
    ['other XML', '<Envelope><Cube/></Envelope>', 'no-sheet'],
    ['XML with its own entities', '<?xml version="1.0"?><!DOCTYPE ROWSET [<!ENTITY a "b">]><ROWSET>&a;</ROWSET>', 'no-sheet'],
    ['a sheet of no rows', '<ROWSET></ROWSET>', 'no-sheet'],
    ['a sheet of a header alone', sheet({ CODE: 'Код', RATE: 'Лева' }), 'no-sheet'],
  ])('%s', (_what, content, reason) => {
    const parsed = parse(content);

    expect(parsed).toMatchObject({ ok: false, reason });
    expect(!parsed.ok && parsed.problems[0].length).toBeGreaterThan(15);
  });
});
