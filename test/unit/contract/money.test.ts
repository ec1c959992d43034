import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  convertFixed,
  decimalsOf,
  divideHalfUp,
  divideUp,
  exactMoney,
  formatMoney,
  isTied,
  moneyText,
  parseMoney,
  shareOut,
  sum,
} from '../../../src/contract/money.ts';
import { runs } from '../../support/run-size.ts';

describe('decimals of a currency', () => {
  test.each<[string, number]>([
    ['EUR', 2],
    ['BGN', 2],
    ['HUF', 2],
    ['XXX', 2],
    ['constructor', 2],
    ...['JPY', 'KRW', 'CLP', 'ISK', 'VND'].map((code): [string, number] => [code, 0]),
    ...['KWD', 'BHD', 'JOD', 'TND', 'OMR'].map((code): [string, number] => [code, 3]),
    ['CLF', 4],
  ])('%s has %i', (currency, decimals) => {
    expect(decimalsOf(currency)).toBe(decimals);
  });
});

describe('reading money', () => {
  test('that was checked before throws on what would round', () => {
    expect(exactMoney('24.00', 2)).toBe(2400n);
    for (const text of ['24.005', 'much', '']) expect(() => exactMoney(text, 2)).toThrow(RangeError);
  });

  test.each([
    ['24.00', 2, 2400n],
    ['24', 2, 2400n],
    ['24.5', 2, 2450n],
    ['-0.39', 2, -39n],
    ['0.00', 2, 0n],
    ['-0', 2, 0n],
    ['24.0000', 2, 2400n],
    ['007', 0, 7n],
    ['7.000', 0, 7n],
    ['1.234', 3, 1234n],
    ['90071992547409931.27', 2, 9007199254740993127n],
  ])('%s with %i decimals is %s', (text, decimals, minor) => {
    expect(parseMoney(text, decimals)).toBe(minor);
  });

  test.each(['24.005', '', ' 24', '24 ', '24,00', '1e3', '+1', '.5', '5.', '--1', 'NaN', '0x10', '1.2.3', '٣'])('%j is not exact decimal text', (text) => {
    expect(parseMoney(text, 2)).toBeUndefined();
  });
});

describe('reading any text', () => {
  /** By its digits alone, as text. */
  function byDigits(text: string, decimals: number): bigint | undefined {
    const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    if (whole === '' || /[1-9]/.test(fraction.slice(decimals))) return undefined;
    return BigInt(sign === '' ? 1 : -1) * BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  }

  const digits = fc.array(fc.constantFrom(...'00123456789'), { maxLength: 18 }).map((some) => some.join(''));
  const amount = fc.tuple(fc.constantFrom('', '', '-'), digits, fc.constantFrom('', '.', '.', '.', '..'), digits).map((parts) => parts.join(''));
  const odd = fc.array(fc.constantFrom(...'0129.-+ ,e٣/:'), { maxLength: 8 }).map((some) => some.join(''));

  test.each([
    ['an amount', amount],
    ['an odd text', odd],
  ])('gives what its digits say: %s', (_what, texts) => {
    fc.assert(
      fc.property(texts, fc.nat(8), (text, decimals) => {
        expect(parseMoney(text, decimals)).toBe(byDigits(text, decimals));
      }),
      { numRuns: runs(500, 10_000) },
    );
  });

  test.each([
    ['99999999999999.9', 1],
    ['999999999.999999', 6],
    ['9999999999.999999', 6],
    ['0.000001', 6],
    ['000000000000000000001.5', 6],
    ['1.5', 40],
  ])('%s with %i decimals is exact', (text, decimals) => {
    expect(parseMoney(text, decimals)).toBe(byDigits(text, decimals));
  });
});

describe('writing money', () => {
  test.each([
    [2400n, 2, '24.00'],
    [-39n, 2, '-0.39'],
    [5n, 3, '0.005'],
    [0n, 2, '0.00'],
    [-12n, 0, '-12'],
  ])('%s with %i decimals is %s', (minor, decimals, text) => {
    expect(formatMoney(minor, decimals)).toBe(text);
  });

  test('messages have the currency and its own decimals', () => {
    expect([moneyText(2400n, 'EUR'), moneyText(2400n, 'JPY')]).toEqual(['24.00 EUR', '2400 JPY']);
  });

  test('what was written is read back', () => {
    fc.assert(fc.property(fc.bigInt(), fc.nat(6), (minor, decimals) => parseMoney(formatMoney(minor, decimals), decimals) === minor));
  });
});

describe('splitting pro rata', () => {
  const splitProRata = (amount: bigint, weights: readonly bigint[]): bigint[] => shareOut(amount, weights, (weight) => weight).map(({ part }) => part);

  test.each([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [5n, [3n, 0n, 7n], [2n, 0n, 3n]],
    [2n, [1n, 1n, 1n, 1n], [1n, 1n, 0n, 0n]],
    [0n, [], []],
    [0n, [0n, 0n], [0n, 0n]],
  ])('%s over %s is %s', (amount, weights, parts) => {
    expect(splitProRata(amount, weights)).toEqual(parts);
  });

  test.each([
    [1n, []],
    [1n, [0n]],
    [-1n, [5n]],
  ])('%s over %s cannot be', (amount, weights) => {
    expect(() => splitProRata(amount, weights)).toThrow(RangeError);
  });

  test('the parts sum to the amount, are off by less than one, and never pass their weights', () => {
    const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 12 }).filter((all) => sum(all) > 0n);
    fc.assert(
      fc.property(weights, fc.bigInt({ min: 0n, max: 10n ** 13n }), (all, amount) => {
        const parts = splitProRata(amount, all);

        expect(sum(parts)).toBe(amount);
        for (const [index, part] of parts.entries()) {
          const weight = all[index] ?? 0n;
          const off = part * sum(all) - amount * weight;
          expect(off < sum(all) && -off < sum(all)).toBe(true);
          if (amount <= sum(all)) expect(part <= weight).toBe(true);
        }
      }),
    );
  });
});

describe('the fixed rate of 1.95583 leva to the euro', () => {
  test.each([
    [6500n, 3323n],
    [170n, 87n],
    [2995n, 1531n],
    [1n, 1n],
    [10_000n, 5113n],
    [0n, 0n],
  ])('%s stotinki are %s cents', (stotinki, cents) => {
    expect(convertFixed(stotinki, 'BGN', 'EUR')).toBe(cents);
  });

  test('euro become leva half up', () => {
    expect([convertFixed(100n, 'EUR', 'BGN'), convertFixed(5113n, 'EUR', 'BGN'), convertFixed(50_000n, 'EUR', 'BGN')]).toEqual([196n, 10_000n, 97_792n]);
  });

  test('a currency converted into itself is unchanged', () => {
    expect(convertFixed(123n, 'EUR', 'EUR')).toBe(123n);
  });

  test('only euro and lev have a fixed rate', () => {
    expect(['EUR', 'BGN', 'USD'].map(isTied)).toEqual([true, true, false]);
  });
});

test('halves round away from zero, other fractions to the nearest', () => {
  expect([5n, -5n, 4n, -4n, 6n].map((value) => divideHalfUp(value, 10n))).toEqual([1n, -1n, 0n, 0n, 1n]);
});

test('dividing up goes to the next whole', () => {
  expect([0n, 1n, 10n, 11n].map((value) => divideUp(value, 10n))).toEqual([0n, 1n, 1n, 2n]);
});
