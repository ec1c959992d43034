import { describe, expect, test } from 'vitest';
import { paymentCodes, returnCodes } from '../../../../src/service/law/audit-codes.ts';
import { sofiaDay, sofiaTime } from '../../../../src/service/law/calendar.ts';
import { accountingCurrencies, accountingCurrencyOf, secondCurrencyOn } from '../../../../src/service/law/currencies.ts';
import { groupLetter, vatRateOn, vatRates } from '../../../../src/service/law/vat-rates.ts';

test.each([
  ['1999-01', 'BGN'],
  ['2000-01', 'BGN'],
  ['2025-12', 'BGN'],
  ['2026-01', 'EUR'],
  ['2030-06', 'EUR'],
])('amounts of %s are declared in %s', (month, currency) => {
  expect(accountingCurrencyOf(month)).toBe(currency);
});

describe('the rate of a group', () => {
  test.each([
    ['GROUP_A', '2026-11-20', '0'],
    ['GROUP_B', '2000-01-01', '20'],
    ['GROUP_C', '2026-11-20', '20'],
    ['GROUP_D', '2011-04-01', '9'],
    ['GROUP_D', '2011-03-31', undefined],
    ['GROUP_E', '2026-11-20', undefined],
  ])('%s on %s', (group, day, percent) => {
    expect(vatRateOn(group, day)).toBe(percent);
  });

  test('has a Cyrillic letter on documents', () => {
    expect(['GROUP_A', 'GROUP_B', 'GROUP_C', 'GROUP_D', 'GROUP_E'].map(groupLetter)).toEqual(['А', 'Б', 'В', 'Г', undefined]);
  });
});

test('the codes of payments are 1 to 6, of returns 1 to 4, each once', () => {
  expect(Object.values(paymentCodes).map(({ code }) => code)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(Object.values(returnCodes).map(({ code }) => code)).toEqual([1, 2, 3, 4]);
});

test('every entry of the law names its source', () => {
  const entries = [...accountingCurrencies, ...vatRates, ...Object.values(paymentCodes), ...Object.values(returnCodes)];

  expect(entries.filter(({ source }) => source.trim() === '')).toEqual([]);
});

describe('the day in Bulgaria', () => {
  test.each([
    ['2026-11-20T21:59:59Z', '2026-11-20'],
    ['2026-11-20T22:00:00Z', '2026-11-21'],
    ['2026-06-30T21:00:00Z', '2026-07-01'],
    ['2026-11-20T23:30:00-0500', '2026-11-21'],
    ['2026-11-20T00:30:00+05:00', '2026-11-19'],
    ['2026-11-20T23:59:59', '2026-11-20'],
  ])('of %s is %s', (timestamp, day) => {
    expect(sofiaDay(timestamp)).toBe(day);
  });
});

describe('the time of day in Bulgaria', () => {
  test.each([
    ['2026-11-20T21:59:59Z', '23:59:59'],
    ['2026-11-20T22:00:00.000Z', '00:00:00'],
    ['2026-06-30T21:00:00+00:00', '00:00:00'],
    ['2026-11-20T14:05:33.120', '14:05:33'],
    ['2026-11-20T14:05', '14:05:00'],
  ])('of %s is %s', (timestamp, time) => {
    expect(sofiaTime(timestamp)).toBe(time);
  });
});

describe('a total is shown in the other currency too', () => {
  test.each([
    ['2025-08-07', 'BGN', null],
    ['2025-08-08', 'BGN', 'EUR'],
    ['2026-08-08', 'EUR', 'BGN'],
    ['2026-08-09', 'EUR', null],
    ['2026-03-01', 'USD', null],
  ])('on %s for %s: %s', (day, currency, other) => {
    expect(secondCurrencyOn(day, currency)).toBe(other);
  });
});
