import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalsIn } from '../../../src/contract/decimal.ts';
import { divideHalfUp, formatMoney, sum } from '../../../src/contract/money.ts';
import { type TotalsLine, totalsOf, totalVatOf } from '../../../src/contract/totals.ts';
import { runs } from '../../support/run-size.ts';

/** The same rules in whole numbers: of 10^-40 for what is read, of minor units for what is shown. */
const SCALE = 40;

type Order = { lines: readonly TotalsLine[]; precision: number; vatDecimals?: number };
type Shown = { gross: bigint; before: bigint; vatRate: string };

function units(value: number | string): bigint {
  const text = String(value);
  return BigInt(text.replace('.', '') + '0'.repeat(SCALE - decimalsIn(text)));
}

/** Each rate once, rounded; every line its exact VAT rounded down, and a unit more for those with the largest rest, the first of equal ones first. */
function split(lines: readonly Shown[], of: (line: Shown) => bigint): bigint[] {
  const parts = lines.map((line) => {
    const [above, below] = [of(line) * units(line.vatRate), units(100) + units(line.vatRate)];
    const rest = ((above % below) + below) % below;
    return { vatRate: line.vatRate, above, below, rest, part: (above - rest) / below };
  });
  for (const [, same] of Map.groupBy(parts, ({ vatRate }) => vatRate)) {
    const whole = divideHalfUp(sum(same.map(({ above }) => above)), same[0]?.below ?? 1n);
    const missing = Number(whole - sum(same.map(({ part }) => part)));
    for (const one of same.toSorted((a, b) => Number(b.rest - a.rest > 0n) - Number(b.rest - a.rest < 0n)).slice(0, missing)) one.part += 1n;
  }
  return parts.map(({ part }) => part);
}

function oracle({ lines, precision, vatDecimals = precision }: Order) {
  const [money, fine] = [(minor: bigint) => formatMoney(minor, precision), (minor: bigint) => formatMoney(minor, vatDecimals)];
  const finer = 10n ** BigInt(vatDecimals - precision);
  const rounded = (amount: bigint, scale = SCALE) => divideHalfUp(amount, 10n ** BigInt(scale - precision));
  const shown = lines.map(({ price, quantity, discount, vatRate }) => {
    const whole = units(price) * units(quantity);
    return { price, before: rounded(whole, 2 * SCALE), gross: rounded(whole - units(discount) * 10n ** BigInt(SCALE), 2 * SCALE), vatRate };
  });
  const [after, before] = [split(shown, ({ gross }) => gross * finer), split(shown, (line) => line.before * finer)];
  const [total, vat] = [sum(shown.map(({ gross }) => gross)), sum(after)];
  return {
    lines: shown.map((line, i) => {
      const rate = units(line.vatRate);
      const priceVat = divideHalfUp(units(line.price) * rate * 10n ** BigInt(vatDecimals), (units(100) + rate) * 10n ** BigInt(SCALE));
      return {
        netPrice: fine(rounded(units(line.price)) * finer - priceVat),
        subtotalNet: fine(line.before * finer - (before[i] ?? 0n)),
        priceVat: fine(priceVat),
        subtotalVat: fine(after[i] ?? 0n),
        subtotal: money(line.gross),
      };
    }),
    ...{ total: money(total), netTotal: fine(total * finer - vat), totalVat: fine(vat) },
    totalDiscount: money(sum(lines.map(({ discount }) => rounded(units(discount))))),
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
const percentOff = fc.oneof(fc.constant(0n), fc.constant(100_000n), fc.bigInt({ min: 0n, max: 99_999n }));

const line = fc.record({ quantity, price, vatRate, percentOff }).map(({ percentOff: off, ...rest }): TotalsLine => {
  const whole = units(rest.price) * units(rest.quantity) * off;
  const decimals = off === 100_000n ? SCALE : 4;
  return { ...rest, discount: formatMoney(whole / 10n ** BigInt(2 * SCALE + 5 - decimals), decimals) };
});
const order = fc.record({ lines: fc.array(line, { maxLength: 6 }), precision: fc.nat(9) });
const coarse = fc.record({ lines: fc.array(line, { maxLength: 6 }), precision: fc.nat(2), vatDecimals: fc.constantFrom(2, 3) });

describe('totals', () => {
  test('are what whole numbers give by the same rules', () => {
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
