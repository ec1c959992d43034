import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  amountText,
  capitalized,
  currencySign,
  dayName,
  dayText,
  instantText,
  momentText,
  monthName,
  numberText,
  percentText,
  priceText,
  severalText,
  sumsText,
  sumText,
} from '../../../src/contract/local-text.ts';
import { decimalsOf } from '../../../src/contract/money.ts';
import { countText } from '../../../src/contract/plural.ts';
import { runs } from '../../support/run-size.ts';

/** Shows no-break spaces as `_`, so that they are visible in a table. */
const shown = (text: string) => text.replaceAll('\u00a0', '_');

describe('a number', () => {
  test.each([
    ['0', '0'],
    ['7', '7'],
    ['1234', '1234'],
    ['12345', '12_345'],
    ['1234567', '1_234_567'],
    ['0.5', '0,5'],
    ['20.00', '20'],
    ['007', '7'],
    ['1.95583', '1,95583'],
    ['12345.6789', '12_345,6789'],
    ['-5', '−5'],
    ['-12345.5', '−12_345,5'],
    ['-0', '0'],
    ['9007199254740993', '9_007_199_254_740_993'],
  ])('%s is written %s', (decimal, written) => {
    expect(shown(numberText(decimal))).toBe(written);
  });

  test.each([
    ['1', 2, '1,00'],
    ['1.5', 2, '1,50'],
    ['1.500', 2, '1,50'],
    ['1.505', 2, '1,505'],
    ['1500', 0, '1500'],
    ['-0.00', 2, '0,00'],
  ])('%s with %i decimals at least is written %s', (decimal, decimals, written) => {
    expect(shown(numberText(decimal, decimals))).toBe(written);
  });

  // The reference groups by hand; both read digits alone.
  property.prop([fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 6 })], {
    numRuns: runs(300, 2_000),
  })('is written digit for digit', (units, scale, decimals) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    const whole = digits.slice(0, digits.length - scale);
    const fraction = digits.slice(digits.length - scale);
    const decimal = `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${fraction}`}`;

    expect(shown(numberText(decimal, decimals))).toBe(byHand({ isNegative: units < 0n, whole, fraction, decimals }));
  });

  test.each(['', ' ', '12,50', '1e3', '0x10', '1 000', '+1', '.5', '5.', '--1', 'NaN', 'Infinity', '12.50 ', '٣', '9'.repeat(309), `0.${'1'.repeat(101)}`])(
    'can not be made of %j',
    (text) => {
      expect(() => numberText(text)).toThrow(RangeError);
    },
  );

  test('is an amount with two decimals, and a percentage with its sign', () => {
    expect([amountText('12345.5'), amountText('1'), percentText('20.00'), percentText('9')].map(shown)).toEqual(['12_345,50', '1,00', '20_%', '9_%']);
  });
});

describe('money', () => {
  test.each([
    ['1234.5', 'EUR', '1234,50_€'],
    ['12345.5', 'BGN', '12_345,50_лв.'],
    ['99999999999999999.99', 'EUR', '99_999_999_999_999_999,99_€'],
    ['-1234.5', 'EUR', '−1234,50_€'],
    ['1234.5', 'USD', '1234,50_USD'],
    ['1234', 'JPY', '1234_JPY'],
    ['12345', 'JPY', '12_345_JPY'],
    ['1.5', 'KWD', '1,500_KWD'],
    ['1.234567', 'EUR', '1,234567_€'],
  ])('%s %s is written %s', (amount, currency, written) => {
    expect(shown(sumText(amount, currency, 'bg'))).toBe(written);
    expect(`${shown(priceText(amount, currency))}_${currencySign(currency)}`).toBe(written);
  });

  test.each(Intl.supportedValuesOf('currency'))('in %s is as Intl writes it, by the decimals of ISO 4217', (currency) => {
    const decimals = decimalsOf(currency);
    const currencyDisplay = currency === 'EUR' || currency === 'BGN' ? 'symbol' : 'code';
    const format = new Intl.NumberFormat('bg-BG', { style: 'currency', currency, currencyDisplay, minimumFractionDigits: decimals, maximumFractionDigits: 4 });

    for (const amount of ['0', '9999', '12345.5'] as const) expect(sumText(amount, currency, 'bg')).toBe(format.format(amount));
  });

  test('may be in an unknown currency', () => {
    expect(shown(sumText('1', '<b>', 'bg'))).toBe('1,00_<b>');
  });
});

describe('a day', () => {
  test.each([
    ['2026-11-20', '20.11.2026_г.'],
    ['2026-01-05', '05.01.2026_г.'],
    ['2024-02-29', '29.02.2024_г.'],
  ])('%s is written %s', (day, written) => {
    expect(shown(dayText(day))).toBe(written);
  });

  test.each([
    ['2026-01', 'януари 2026_г.'],
    ['2026-05', 'май 2026_г.'],
    ['2026-10', 'октомври 2026_г.'],
    ['2025-12', 'декември 2025_г.'],
  ])('of the month %s is in %s', (month, written) => {
    expect(shown(monthName(month, 'bg'))).toBe(written);
  });

  test.each([
    ['2026-07-10T22:05:00.000Z', '11.07.2026_г., 01:05_ч.'],
    ['2026-11-10T22:05:00.000Z', '11.11.2026_г., 00:05_ч.'],
    ['2026-11-10T04:05:59.999Z', '10.11.2026_г., 06:05_ч.'],
  ])('has a time in Bulgaria: %s is %s', (timestamp, written) => {
    expect(shown(momentText(timestamp, 'bg'))).toBe(written);
  });

  test('must be one', () => {
    expect(() => dayText('soon')).toThrow(RangeError);
  });
});

describe('in July 2026', () => {
  beforeAll(() => vi.useFakeTimers({ now: new Date('2026-07-12T00:00:00Z'), toFake: ['Date'] }));
  afterAll(() => vi.useRealTimers());

  test.each([
    ['moment', '11 Jul, 01:05', '11.07, 01:05'],
    ['second', '11 Jul, 01:05:09', '11.07, 01:05:09'],
    ['dated', '11 Jul 2026, 01:05', '11.07.2026_г., 01:05'],
  ] as const)('an instant as %s is written by the clock of Sofia', (form, en, bg) => {
    expect((['en', 'bg'] as const).map((lang) => shown(instantText('2026-07-10T22:05:09Z', lang, form)))).toEqual([en, bg]);
  });

  test.each([
    ['moment', '10 Jan 2024, 21:34', '10.01.2024_г., 21:34'],
    ['second', '10 Jan 2024, 21:34:09', '10.01.2024_г., 21:34:09'],
  ] as const)('an instant of another year as %s is written with its year', (form, en, bg) => {
    expect((['en', 'bg'] as const).map((lang) => shown(instantText('2024-01-10T19:34:09Z', lang, form)))).toEqual([en, bg]);
  });

  test('the year is that of Sofia', () => {
    expect(instantText('2025-12-31T23:30:00Z', 'en', 'moment')).toBe('1 Jan, 01:30');
  });
});

test.each(['Line “Tee 42 XXL”', 'SKU-5 EUR-2', 'Cable 5 USBC', `${'9'.repeat(101)} EUR`, `1.${'9'.repeat(101)} EUR`])(
  'what is no sum stays as it is: %s',
  (text) => {
    expect((['en', 'bg'] as const).map((lang) => sumsText(text, lang))).toEqual([text, text]);
  },
);

test('several together cost a sum, and one has its price', () => {
  expect((['en', 'bg'] as const).map((lang) => [severalText('3', '15', lang), severalText('1', '15', lang)])).toEqual([
    ['3 for 15', '15'],
    ['3 бр. = 15', '15'],
  ]);
});

test('zeros beyond the decimals of a currency are no part of a sum', () => {
  expect((['en', 'bg'] as const).map((lang) => shown(sumsText('124.8200000000000000 EUR + 5.125000 EUR + 5000.000 JPY', lang)))).toEqual([
    '€124.82 + €5.125 + JP¥5,000',
    '124,82_€ + 5,125_€ + 5000_JPY',
  ]);
});

test('days, months, moments and counts are written in the language of the page', () => {
  const written = (['en', 'bg'] as const).map((lang) =>
    [dayName('2026-11-14', lang), monthName('2026-11', lang), momentText('2026-11-14T22:05:00Z', lang), countText(12_345, lang)].map(shown),
  );
  expect(written).toEqual([
    ['14 November 2026', 'November 2026', '15 November 2026, 00:05', '12,345'],
    ['14 ноември 2026_г.', 'ноември 2026_г.', '15.11.2026_г., 00:05_ч.', '12_345'],
  ]);
});

test('sums are written in the language of the page, to the cent', () => {
  const sums = '9007199254740993.10 EUR + -12.00 USD';
  expect((['en', 'bg'] as const).map((lang) => shown(sumsText(sums, lang)))).toEqual([
    '€9,007,199,254,740,993.10 + -US$12.00',
    '9_007_199_254_740_993,10_€ + −12,00_USD',
  ]);
});

test('words on their own begin with a capital', () => {
  expect([capitalized('банков превод'), capitalized('')]).toEqual(['Банков превод', '']);
});

type Digits = { isNegative: boolean; whole: string; fraction: string; decimals: number };

function byHand({ isNegative, whole, fraction, decimals }: Digits): string {
  const groups: string[] = [];
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end));
  const kept = fraction.replace(/0+$/, '').padEnd(decimals, '0');
  return `${isNegative ? '−' : ''}${whole.length < 5 ? whole : groups.join('_')}${kept === '' ? '' : `,${kept}`}`;
}
