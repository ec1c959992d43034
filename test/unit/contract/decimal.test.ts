import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, decimalText, minus, plus, quotient, rounded, shortText, times } from '../../../src/contract/decimal.ts';

const any = fc.record({ units: fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), scale: fc.nat(45) });

test('text is read and written exactly', () => {
  fc.assert(
    fc.property(any, (value) => {
      expect(decimal(decimalText(value))).toEqual(value);
    }),
  );
});

test('JSON numbers are read as their shortest text', () => {
  expect([12.9, 0.1, 3, 0, -0.5, 999_999_999.9999].map((value) => decimalText(decimal(value)))).toEqual(['12.9', '0.1', '3', '0', '-0.5', '999999999.9999']);
  for (const value of [1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => decimal(value)).toThrow(RangeError);
});

test('sums, differences and products lose nothing', () => {
  fc.assert(
    fc.property(any, any, (a, b) => {
      expect(rounded(minus(plus(a, b), b), a.scale)).toBe(a.units);
      expect(times(a, b)).toEqual({ units: a.units * b.units, scale: a.scale + b.scale });
      expect(plus(a, b)).toEqual(plus(b, a));
    }),
  );
  expect(decimalText(plus(decimal('0.1'), decimal('0.25')))).toBe('0.35');
});

test.each([
  ['0.005', 2, 1n],
  ['0.0049', 2, 0n],
  ['-0.005', 2, -1n],
  ['1.5', 0, 2n],
  ['1.5', 3, 1500n],
])('%s rounded to %i decimals is %s units', (text, decimals, units) => {
  expect(rounded(decimal(text), decimals)).toBe(units);
});

test('a quotient is rounded once, after shifting', () => {
  expect([quotient(1n, 3n, 2), quotient(2n, 3n, 2), quotient(200n, 3n, -2), quotient(-1n, 2n, 0)]).toEqual([33n, 67n, 1n, -1n]);
});

test.each([
  ['20.00', '20'],
  ['0.50', '0.5'],
  ['100', '100'],
  ['0.00', '0'],
  ['-10.10', '-10.1'],
])('%s without zeros at its end is %s', (text, short) => {
  expect(shortText(decimal(text))).toBe(short);
});
