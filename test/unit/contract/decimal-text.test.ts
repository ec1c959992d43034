import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalsOf, numberText, padDecimals, shiftPoint } from '../../../src/contract/decimal-text.ts';

test.each([
  ['25.5', -2, '0.255'],
  ['0.2', 2, '20'],
  ['12.90', 2, '1290'],
  ['12.90', 0, '12.9'],
  ['1290', -2, '12.9'],
  ['7', -3, '0.007'],
  ['0.00', 2, '0'],
  ['-0.50', 1, '-5'],
  ['5', 3, '5000'],
  ['007.5', 0, '7.5'],
])('the point of %s moved by %i gives %s', (value, places, moved) => {
  expect(shiftPoint(value, places)).toBe(moved);
});

test.each(['', '1,5', '1e3', '.5', 'NaN', '1.'])('%j is no decimal text', (value) => {
  expect(() => shiftPoint(value, 1)).toThrow(RangeError);
});

test('moving there and back changes nothing', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.integer({ min: 0, max: 25 }), (digits, places) => {
      expect(shiftPoint(shiftPoint(String(digits), -places), places)).toBe(String(digits));
    }),
  );
});

test('numbers keep the digits that were sent; numbers that need an exponent have no text', () => {
  expect([12.9, 0.1, 1000, 999_999_999.9999, 1e21, 1e-7, Number.NaN].map(numberText)).toEqual(['12.9', '0.1', '1000', '999999999.9999', null, null, null]);
});

test('decimals are counted and filled up', () => {
  expect([decimalsOf('12.90'), decimalsOf('12')]).toEqual([2, 0]);
  expect([padDecimals('12.9', 2), padDecimals('12', 2), padDecimals('12', 0), padDecimals('1.255', 2)]).toEqual(['12.90', '12.00', '12', '1.255']);
});
