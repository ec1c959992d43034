import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convert, converterOf, convertTied } from '../../../../src/service/rates/declared-amounts.ts';
import type { ExchangeRate } from '../../../../src/service/rates/exchange-rate.ts';

const brlInLeva: ExchangeRate = { currency: 'BRL', base: 'BGN', multiply: '3.13449', divide: '10', publishedOn: '2025-01-10', source: 'BNB' };
const brlInEuro: ExchangeRate = { currency: 'BRL', base: 'EUR', multiply: '1', divide: '5.8515', publishedOn: '2026-06-01', source: 'BNB' };

function inEuro(divide: string): ExchangeRate {
  return { ...brlInEuro, divide };
}

describe('an amount at a daily rate', () => {
  test.each([
    ['leva for RATIO units', { amount: '100.00', rate: brlInLeva, to: 'BGN' }, '31.34'],
    ['units for one euro', { amount: '100.00', rate: brlInEuro, to: 'EUR' }, '17.09'],
    ['divided by RATE, not multiplied by the shorter REVERSERATE', { amount: '100000.00', rate: brlInEuro, to: 'EUR' }, '17089.64'],
    ['a sheet in leva, declared in euro: crosses the fixed rate, rounded once', { amount: '100.00', rate: brlInLeva, to: 'EUR' }, '16.03'],
    ['a sheet in euro, declared in leva', { amount: '100.00', rate: brlInEuro, to: 'BGN' }, '33.42'],
    ['no decimals, as for yen', { amount: '1234', rate: inEuro('182.34'), to: 'EUR' }, '6.77'],
    ['three decimals, as for dinars', { amount: '12.345', rate: inEuro('0.3581'), to: 'EUR' }, '34.47'],
    ['four decimals', { amount: '0.0001', rate: inEuro('0.01'), to: 'EUR' }, '0.01'],
    ['a half cent goes up', { amount: '1.05', rate: inEuro('10'), to: 'EUR' }, '0.11'],
    ['just below a half goes down', { amount: '1.0499999', rate: inEuro('10'), to: 'EUR' }, '0.10'],
    ['a negative half goes away from zero', { amount: '-1.05', rate: inEuro('10'), to: 'EUR' }, '-0.11'],
    ['nothing', { amount: '0.00', rate: brlInEuro, to: 'EUR' }, '0.00'],
    ['the largest', { amount: '999999999.9999', rate: inEuro('0.0001'), to: 'EUR' }, '9999999999999.00'],
  ] as const)('%s', (_what, { amount, rate, to }, converted) => {
    expect(convert(amount, rate, to)).toBe(converted);
  });

  test('is rounded once, not in leva and in euro', () => {
    // 0.0097 leva are 0.00496 euro, which is nothing; as 0.01 leva it would have been 0.00511, which is a cent.
    expect(convert('0.01', { ...brlInLeva, multiply: '0.97', divide: '1' }, 'EUR')).toBe('0.00');
  });

  test('refuses text that is not decimal', () => {
    expect(() => convert('1e3', brlInEuro, 'EUR')).toThrow(RangeError);
  });
});

describe('properties', () => {
  const amounts = fc.bigInt({ min: 0n, max: 10n ** 13n });
  const rates = fc.bigInt({ min: 1n, max: 10n ** 9n });
  const text = (scaled: bigint) => `${scaled / 10_000n}.${String(scaled % 10_000n).padStart(4, '0')}`;

  test('the result is never more than half a cent from the exact amount', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, divide) => {
        const cents = BigInt(convert(text(amount), inEuro(text(divide)), 'EUR').replace('.', ''));
        const off = cents * divide - amount * 100n;
        expect((off < 0n ? -off : off) * 2n).toBeLessThanOrEqual(divide);
      }),
    );
  });

  test('more is never less, and zeros at the end change nothing', () => {
    fc.assert(
      fc.property(amounts, amounts, rates, (a, b, divide) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const cents = (amount: bigint) => BigInt(convert(text(amount), inEuro(text(divide)), 'BGN').replace('.', ''));
        expect(cents(less)).toBeLessThanOrEqual(cents(more));
        expect(convert(`${text(a)}000`, inEuro(`${text(divide)}00`), 'BGN')).toBe(convert(text(a), inEuro(text(divide)), 'BGN'));
      }),
    );
  });

  test('euro to leva and back is the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (cents) => {
        const euro = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
        expect(convertTied(convertTied(euro, 'EUR', 'BGN'), 'BGN', 'EUR')).toBe(euro);
      }),
    );
  });
});

describe('leva and euro by the fixed rate', () => {
  test.each([
    ['65.00', '33.23'],
    ['1.70', '0.87'],
    ['29.95', '15.31'],
    ['0.01', '0.01'],
    ['100.00', '51.13'],
    ['2', '1.02'],
  ])('%s leva are %s euro', (leva, euro) => {
    expect(convertTied(leva, 'BGN', 'EUR')).toBe(euro);
  });

  test('refuses more than two decimals', () => {
    expect(() => convertTied('1.955', 'BGN', 'EUR')).toThrow(RangeError);
  });
});

test('the conversion follows from the currency of the amount', () => {
  expect(converterOf('BGN', { to: 'EUR', rate: null })?.('100.00')).toBe('51.13');
  expect(converterOf('BRL', { to: 'EUR', rate: brlInEuro })?.('100.00')).toBe('17.09');
  expect(converterOf('BRL', { to: 'EUR', rate: null })).toBeNull();
  expect(() => converterOf('USD', { to: 'EUR', rate: brlInEuro })).toThrow('a rate of BRL does not convert USD');
});
