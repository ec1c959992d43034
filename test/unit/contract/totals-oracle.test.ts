import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney } from '../../../src/contract/money.ts';
import { type TotalsLine, totalsOf, totalVatOf } from '../../../src/contract/totals.ts';
import { runs } from '../../support/run-size.ts';

/** The same rules in the arithmetic of a library: a product of any accepted numbers is exact, a quotient is never cut near a half. */
const Exact = Decimal.clone({ precision: 120, rounding: Decimal.ROUND_HALF_UP });

type Order = { lines: readonly TotalsLine[]; precision: number; vatDecimals?: number };

type Shown = { gross: Decimal; before: Decimal; vatRate: string };

/** Each rate once, rounded; every line its exact VAT rounded down, and a unit more for those with the largest rest, the first of equal ones first. */
function split(lines: readonly Shown[], of: (line: Shown) => Decimal, unit: Decimal): Decimal[] {
  const vatIn = (amount: Decimal, rate: string) => amount.times(rate).div(new Exact(rate).plus(100)).div(unit);
  const parts = lines.map((line) => ({ line, units: vatIn(of(line), line.vatRate).floor() }));
  // Without a quotient, which would not be exact: two rests that are equal must be so.
  const rest = ({ line, units }: (typeof parts)[number]) => of(line).times(line.vatRate).div(unit).minus(new Exact(line.vatRate).plus(100).times(units));
  for (const rate of new Set(lines.map(({ vatRate }) => vatRate))) {
    const same = parts.filter(({ line }) => line.vatRate === rate);
    const whole = vatIn(add(same.map(({ line }) => of(line))), rate).toDecimalPlaces(0);
    const missing = whole.minus(add(same.map(({ units }) => units))).toNumber();
    const first = [...same].sort((a, b) => rest(b).comparedTo(rest(a))).slice(0, missing);
    for (const part of first) part.units = part.units.plus(1);
  }
  return parts.map(({ units }) => units.times(unit));
}

function add(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((all, amount) => all.plus(amount), new Exact(0));
}

function oracle({ lines, precision, vatDecimals = precision }: Order) {
  const rounded = (amount: Decimal, decimals = precision) => new Exact(amount.toFixed(decimals));
  const text = (amount: Decimal) => amount.toFixed(precision);
  const fine = (amount: Decimal) => amount.toFixed(vatDecimals);
  const shown = lines.map(({ price, quantity, discount, vatRate }) => {
    const gross = new Exact(price).times(quantity);
    return { price: new Exact(price), before: rounded(gross), gross: rounded(gross.minus(discount)), vatRate };
  });
  const unit = new Exact(10).pow(-vatDecimals);
  const [after, before] = [split(shown, ({ gross }) => gross, unit), split(shown, (line) => line.before, unit)];
  const total = add(shown.map(({ gross }) => gross));
  const vat = add(after);
  return {
    lines: shown.map((line, i) => {
      const priceVat = rounded(line.price.times(line.vatRate).div(new Exact(line.vatRate).plus(100)), vatDecimals);
      return {
        netPrice: fine(rounded(line.price).minus(priceVat)),
        subtotalNet: fine(line.before.minus(before[i] ?? 'NaN')),
        priceVat: fine(priceVat),
        subtotalVat: fine(after[i] ?? new Exact('NaN')),
        subtotal: text(line.gross),
      };
    }),
    ...{
      total: text(total),
      netTotal: fine(total.minus(vat)),
      totalVat: fine(vat),
      totalDiscount: text(add(lines.map((line) => rounded(new Exact(line.discount))))),
    },
  };
}

const decimalText = (decimals: number, max: bigint) =>
  fc
    .tuple(fc.bigInt({ min: 0n, max }), fc.nat(decimals), fc.bigInt({ min: 0n, max: 10n ** BigInt(decimals) - 1n }))
    .map(([whole, digits, fraction]) => (digits === 0 ? `${whole}` : `${whole}.${`${fraction % 10n ** BigInt(digits)}`.padStart(digits, '0')}`));

const extreme = fc.constantFrom('0', '0.00', '0.001', '0.005', '0.015', '999999.999', '999999999.9999', '1000000');
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.constantFrom(0.125, 0.5, 0.001, 1_000_000),
  decimalText(3, 1_000_000n),
  decimalText(12, 10n ** 12n),
);
const price = fc.oneof(decimalText(2, 200n), decimalText(4, 999_999_999n), decimalText(15, 10n ** 20n), extreme);
const vatRate = fc.oneof(fc.constantFrom('0', '9', '20', '25.5', '100', '99.99', '0.01'), decimalText(4, 99n));
// Orders that the interface accepts: no discount is more than its line.
const discount = fc.oneof(
  fc.constant({ percent: '0' }),
  fc.constant({ percent: '100' }),
  decimalText(3, 99n).map((percent) => ({ percent })),
);

const line = fc.record({ quantity, price, vatRate, discount }).map(({ discount: { percent }, ...rest }): TotalsLine => {
  const off = new Exact(rest.price).times(rest.quantity).times(percent).div(100);
  return { ...rest, discount: off.toFixed(percent === '100' ? 40 : 4, Decimal.ROUND_DOWN) };
});
const order = fc.record({ lines: fc.array(line, { maxLength: 6 }), precision: fc.nat(6) });
const coarse = fc.record({ lines: fc.array(line, { maxLength: 6 }), precision: fc.nat(2), vatDecimals: fc.constantFrom(2, 3) });

describe('totals', () => {
  test('are what a library for decimals computes by the same rules', () => {
    fc.assert(
      fc.property(order, (given) => {
        const expected = oracle(given);

        expect(totalsOf(given)).toEqual(expected);
        expect(formatMoney(totalVatOf(given), given.precision)).toBe(expected.totalVat);
      }),
      { numRuns: runs(300, 2_000) },
    );
  });

  test('with VAT to more decimals than the precision, too', () => {
    fc.assert(
      fc.property(coarse, (given) => {
        expect(totalsOf(given)).toEqual(oracle(given));
      }),
      { numRuns: runs(200, 500) },
    );
  });

  test.each([
    ['the largest that the interface accepts', { quantity: '1000000', price: '99999.9999', discount: '0.0001', vatRate: '99.99' }],
    ['the finest', { quantity: 0.001, price: '0.0001', discount: '0', vatRate: '0.01' }],
    ['half a unit of precision', { quantity: 1, price: '0.00005', discount: '0', vatRate: '20' }],
    ['below zero, rounded away from it', { quantity: 1, price: '-1.00005', discount: '0', vatRate: '20' }],
    ['more digits than a double has', { quantity: '0.1234567', price: '1234567890123456789.123', discount: '0', vatRate: '20' }],
  ])('of %s are exact', (_what, one) => {
    const given = { lines: [one], precision: 4 };

    expect(totalsOf(given)).toEqual(oracle(given));
  });

  test.each(['', 'one', '1,5', '1e2', '0x10', '.5', '5.', 'NaN', 'Infinity', ' 1'])('throw on %j, which is no plain decimal', (bad) => {
    const good = { quantity: '1', price: '1', discount: '0', vatRate: '20' };

    for (const field of ['quantity', 'price', 'discount', 'vatRate'] as const) {
      expect(() => totalsOf({ lines: [{ ...good, [field]: bad }], precision: 2 })).toThrow(RangeError);
    }
  });

  test('throw on a JSON quantity that needs an exponent', () => {
    expect(() => totalsOf({ lines: [{ quantity: 1e-7, price: '1', discount: '0', vatRate: '20' }], precision: 2 })).toThrow('"1e-7" is not decimal text');
  });
});
