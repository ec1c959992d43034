import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { integerTotals } from '../../../src/contract/integer-totals.ts';
import { decimalTotals, type TotalsLine, totalsOf } from '../../../src/contract/totals.ts';

const decimalText = (decimals: number, max: number) =>
  fc
    .tuple(fc.integer({ min: 0, max }), fc.integer({ min: 0, max: decimals }), fc.nat())
    .map(([whole, digits, fraction]) => (digits === 0 ? String(whole) : `${whole}.${String(fraction % 10 ** digits).padStart(digits, '0')}`));

const line: fc.Arbitrary<TotalsLine> = fc.record({
  quantity: fc.oneof(decimalText(0, 20), decimalText(3, 1_000_000)),
  price: fc.oneof(decimalText(2, 200), decimalText(4, 999_999_999), decimalText(6, 10)),
  discount: fc.oneof(fc.constant('0'), decimalText(2, 50), decimalText(4, 999_999_999)),
  vatRate: fc.oneof(fc.constantFrom('0', '9', '20', '25.5'), decimalText(2, 99)),
});
const order = fc.record({ lines: fc.array(line, { minLength: 0, maxLength: 4 }), precision: fc.integer({ min: 0, max: 4 }) });

describe('totals in integers', () => {
  test('are those in decimals, or leave the order to them', () => {
    let told = 0;
    fc.assert(
      fc.property(order, (given) => {
        const fast = integerTotals(given);
        if (fast === null) return;
        told += 1;
        expect(fast).toEqual(decimalTotals(given));
      }),
      { numRuns: 3_000 },
    );
    expect(told).toBeGreaterThan(300);
  });

  test('are told for every order that the interface accepts', () => {
    const largest = { quantity: '1000000', price: '99999.9999', discount: '0.0001', vatRate: '99.99' };
    const finest = { quantity: '0.001', price: '0.0001', discount: '0', vatRate: '0.01' };
    const given = { lines: [largest, finest], precision: 4 };

    expect(integerTotals(given)).toEqual(decimalTotals(given));
  });

  test.each([
    ['a discount above the price', { quantity: '1', price: '1.00', discount: '2.00', vatRate: '20' }],
    ['a negative price', { quantity: '1', price: '-1.00', discount: '0', vatRate: '20' }],
    ['an exponent', { quantity: '1', price: '1e2', discount: '0', vatRate: '20' }],
    ['more decimals than it keeps', { quantity: '0.1234567', price: '1.00', discount: '0', vatRate: '20' }],
    ['more digits than it keeps', { quantity: '1', price: '1234567890123456789', discount: '0', vatRate: '20' }],
  ])('leave %s to decimals', (_what, one) => {
    const given = { lines: [one], precision: 2 };

    expect(integerTotals(given)).toBeNull();
    expect(totalsOf(given)).toEqual(decimalTotals(given));
  });

  test('leave a precision that is finer than they are to decimals', () => {
    const given = { lines: [{ quantity: '1', price: '1.1234567', discount: '0', vatRate: '20' }], precision: 7 };

    expect(integerTotals(given)).toBeNull();
    expect(totalsOf(given).total).toBe('1.1234567');
  });

  test('throw on what is no number, as decimals do', () => {
    expect(() => totalsOf({ lines: [{ quantity: 'one', price: '1', discount: '0', vatRate: '20' }], precision: 2 })).toThrow('[DecimalError]');
  });
});
