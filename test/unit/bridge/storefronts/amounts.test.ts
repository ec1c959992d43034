import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { absolute, addUp, asMoney, isNegative, isZero, negate, roundedMoney, subtract, trimZeros } from '../../../../src/bridge/storefronts/amounts.ts';

describe('exact decimal text', () => {
  test('adds what floats get wrong', () => {
    expect(addUp(['0.1', '0.2'])).toBe('0.3');
    expect(addUp(['8.33', '1.66'])).toBe('9.99');
    expect(addUp(['8.325', '1.665', '-0.5'])).toBe('9.490');
    expect(addUp([])).toBe('0');
  });

  test('subtracts and changes signs', () => {
    expect(subtract('1.00', '1.005')).toBe('-0.005');
    expect([negate('-2.39'), negate('2.39'), absolute('-2.39'), absolute('2.39')]).toEqual(['2.39', '-2.39', '2.39', '2.39']);
  });

  test('knows zero and less than zero, however they are written', () => {
    expect(['0', '-0.00', '0.000'].map(isZero)).toEqual([true, true, true]);
    expect(['-0.00', '-0.01', '0.01'].map(isNegative)).toEqual([false, true, false]);
  });

  test.each([
    ['20.00', '20'],
    ['0.50', '0.5'],
    ['25.5', '25.5'],
    ['0.00', '0'],
    ['100', '100'],
  ])('writes %s as %s', (given, trimmed) => {
    expect(trimZeros(given)).toBe(trimmed);
  });

  test('takes an amount into a currency only if nothing is lost', () => {
    expect(asMoney('24', 'EUR')).toBe('24.00');
    expect(asMoney('9.990', 'EUR')).toBe('9.99');
    expect(asMoney('9.995', 'EUR')).toBeNull();
    expect(asMoney('100.0', 'JPY')).toBe('100');
  });

  test('rounds halves away from zero where the caller wants that', () => {
    expect(roundedMoney('9.995', 'EUR')).toBe('10.00');
    expect(roundedMoney('-9.995', 'EUR')).toBe('-10.00');
    expect(roundedMoney('9.9949', 'EUR')).toBe('9.99');
    expect(roundedMoney('7', 'EUR')).toBe('7.00');
  });

  test('adding and subtracting the same leaves what was there', () => {
    const decimal = fc.tuple(fc.nat(), fc.nat(999)).map(([whole, fraction]) => `${whole}.${String(fraction).padStart(3, '0')}`);

    fc.assert(
      fc.property(decimal, decimal, (a, b) => {
        expect(trimZeros(subtract(addUp([a, b]), b))).toBe(trimZeros(a));
      }),
    );
  });
});
