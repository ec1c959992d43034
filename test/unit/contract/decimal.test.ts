import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal, decimalsIn, fixed, quotient, total, unitOf } from '../../../src/contract/decimal.ts';
import { divideHalfUp, formatMoney } from '../../../src/contract/money.ts';

const [digits, scale] = [fc.bigInt({ min: -(10n ** 40n) + 1n, max: 10n ** 40n - 1n }), fc.nat(40)];
const text = fc.tuple(digits, scale).map(([units, decimals]) => formatMoney(units, decimals));
/** In units of 10^-40. */
const unitsOf = (value: string) => BigInt(`${value.replace('.', '')}${'0'.repeat(40 - decimalsIn(value))}`);

describe('decimals', () => {
  test('are read and written exactly', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(fixed(decimal(value), decimalsIn(value))).toBe(value.replace(/^-(?=[0.]+$)/, ''));
      }),
    );
  });

  test('of JSON numbers are their shortest text', () => {
    expect([12.9, 0.1, 3, 0, -0, -0.5, 999_999_999.9999].map((value) => `${decimal(value)}`)).toEqual(['12.9', '0.1', '3', '0', '0', '-0.5', '999999999.9999']);
    for (const value of [1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => decimal(value)).toThrow(RangeError);
  });

  test.each(['', 'one', '1,5', '1e5', '0x1F', '0b1', '.5', '5.', '+1', '1_000', 'NaN', 'Infinity', '-', ' 1', '1\n', '1'.repeat(41), `0.${'1'.repeat(41)}`])(
    'are not read of %j',
    (bad) => {
      expect(() => decimal(bad)).toThrow('is not decimal text');
    },
  );

  test('lose nothing in sums and products of three, however long they are', () => {
    const longest = `-${'9'.repeat(40)}.${'9'.repeat(40)}`;
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        const product = decimal(a).times(decimal(b)).times(decimal(c));
        expect(fixed(product, 120)).toBe(formatMoney(unitsOf(a) * unitsOf(b) * unitsOf(c), 120));
        expect(fixed(total([a, b, c].map(decimal)), 40)).toBe(formatMoney(unitsOf(a) + unitsOf(b) + unitsOf(c), 40));
        expect(fixed(decimal(a).minus(decimal(b)), 40)).toBe(formatMoney(unitsOf(a) - unitsOf(b), 40));
      }),
      { examples: [[longest, longest, longest]] },
    );
    const product = decimal(longest).times(decimal(longest)).times(decimal(longest));
    const [many, units] = [Array.from({ length: 10_000 }, () => product), unitsOf(longest) ** 3n * 10_000n];
    expect(fixed(total(many), 120)).toBe(formatMoney(units, 120));
    expect(`${decimal(`0.${'0'.repeat(39)}1`)}`).toBe(`0.${'0'.repeat(39)}1`);
  });

  test.each([
    ['0.005', 2, '0.01'],
    ['0.0049', 2, '0.00'],
    ['-0.005', 2, '-0.01'],
    ['-0.0049', 2, '0.00'],
    ['-0.00', 2, '0.00'],
    ['1.5', 0, '2'],
    ['2.5', 0, '3'],
    ['1.5', 3, '1.500'],
  ])('%s with %i decimals is %s', (value, decimals, rounded) => {
    expect(fixed(decimal(value), decimals)).toBe(rounded);
  });

  test('quotients are rounded once, halves away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.nat(9), (above, below, decimals) => {
        const expected = divideHalfUp(above * 10n ** BigInt(decimals), below);
        expect(fixed(quotient(decimal(above), decimal(below), decimals), decimals)).toBe(formatMoney(expected, decimals));
        const half = decimal((2n * above + 1n) * below);
        expect(fixed(quotient(half, decimal(2n * below), 0), 0)).toBe(`${above < 0n ? above : above + 1n}`);
      }),
    );
  });

  test('have no unit finer than eighteen decimals', () => {
    expect([unitOf(0), unitOf(2), unitOf(18)].map(String)).toEqual(['1', '0.01', '0.000000000000000001']);
    expect(() => unitOf(19)).toThrow(RangeError);
  });
});
