import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { divideHalfUp, formatMoney, parseMoney, sum } from '../../../src/contract/money.ts';
import { type OrderTotals, totalsOf } from '../../../src/contract/totals.ts';

const mug = { quantity: '2', price: '12.90', discount: '0', vatRate: '20' };

describe('the documented sums of a line', () => {
  test.each([
    ['without discount', mug, { netPrice: '10.75', subtotalNet: '21.50', priceVat: '2.15', subtotalVat: '4.30', subtotal: '25.80' }],
    [
      'with a discount: before it net, after it VAT and subtotal',
      { ...mug, discount: '5.16' },
      { netPrice: '10.75', subtotalNet: '21.50', priceVat: '2.15', subtotalVat: '3.44', subtotal: '20.64' },
    ],
    [
      'VAT is rounded once for the line, not once for each piece',
      { quantity: '3', price: '9.99', discount: '0', vatRate: '9' },
      { netPrice: '9.17', subtotalNet: '27.50', priceVat: '0.82', subtotalVat: '2.47', subtotal: '29.97' },
    ],
    [
      'without VAT',
      { quantity: '1', price: '5', discount: '0', vatRate: '0' },
      { netPrice: '5.00', subtotalNet: '5.00', priceVat: '0.00', subtotalVat: '0.00', subtotal: '5.00' },
    ],
    [
      'a half cent of VAT goes up',
      { quantity: '1', price: '0.03', discount: '0', vatRate: '20' },
      { netPrice: '0.02', subtotalNet: '0.02', priceVat: '0.01', subtotalVat: '0.01', subtotal: '0.03' },
    ],
    [
      'a quantity that is not whole and a finer price',
      { quantity: '0.125', price: '19.999', discount: '0', vatRate: '25.5' },
      { netPrice: '15.94', subtotalNet: '1.99', priceVat: '4.06', subtotalVat: '0.51', subtotal: '2.50' },
    ],
    [
      'discounted to nothing',
      { ...mug, discount: '25.80' },
      { netPrice: '10.75', subtotalNet: '21.50', priceVat: '2.15', subtotalVat: '0.00', subtotal: '0.00' },
    ],
  ])('%s', (_what, line, totals) => {
    expect(totalsOf({ lines: [line], precision: 2 }).lines).toEqual([totals]);
  });

  test.each([
    ['14.90', '20', '2.48'],
    ['15.00', '9', '1.24'],
    ['4.90', '20', '0.82'],
    ['15.05', '20', '2.51'],
    ['21.58', '20', '3.60'],
  ])('%s at %s %% contains %s of VAT, as storefronts round it', (price, vatRate, vat) => {
    expect(totalsOf({ lines: [{ quantity: '1', price, discount: '0', vatRate }], precision: 2 }).totalVat).toBe(vat);
  });
});

describe('the documented sums of an order', () => {
  test('add up its lines', () => {
    const book = { quantity: '1', price: '15.00', discount: '1.50', vatRate: '9' };

    const { lines: _, ...totals } = totalsOf({ lines: [mug, book], precision: 2 });

    expect(totals).toEqual({ total: '39.30', netTotal: '33.89', totalVat: '5.41', totalDiscount: '1.50' });
  });

  test('are zero without lines', () => {
    expect(totalsOf({ lines: [], precision: 2 })).toEqual({ lines: [], total: '0.00', netTotal: '0.00', totalVat: '0.00', totalDiscount: '0.00' });
  });

  test('have the order’s precision', () => {
    expect(totalsOf({ lines: [{ ...mug, price: '1290' }], precision: 0 })).toMatchObject({ total: '2580', totalVat: '430', totalDiscount: '0' });
    expect(totalsOf({ lines: [{ ...mug, price: '1.290' }], precision: 3 })).toMatchObject({ total: '2.580', totalVat: '0.430' });
  });

  test('hold the VAT of their total, not that of each line rounded', () => {
    const lines = Array.from({ length: 120 }, () => ({ quantity: '1', price: '1.23', discount: '0', vatRate: '20' }));

    expect(totalsOf({ lines, precision: 2 })).toMatchObject({ total: '147.60', totalVat: '24.60', netTotal: '123.00' });
  });

  test('VAT is rounded up on the lines with the largest remainder, of equal ones on the first', () => {
    const line = (price: string) => ({ quantity: '1', price, discount: '0', vatRate: '20' });
    const vats = (...prices: string[]) => totalsOf({ lines: prices.map(line), precision: 2 }).lines.map(({ subtotalVat }) => subtotalVat);

    expect(vats('0.03', '0.03', '0.03')).toEqual(['0.01', '0.01', '0.00']);
    expect(vats('0.01', '0.03', '0.02')).toEqual(['0.00', '0.01', '0.00']);
    expect(vats('25.00', '25.00', '25.00', '25.00', '25.00', '25.00')).toEqual(['4.17', '4.17', '4.17', '4.17', '4.16', '4.16']);
  });

  test('VAT has the decimals of the currency where the precision has fewer', () => {
    const lines = ['100', '37'].map((price) => ({ quantity: '1', price, discount: '0', vatRate: '20' }));

    expect(totalsOf({ lines, precision: 0, vatDecimals: 2 })).toEqual({
      lines: [
        { netPrice: '83.33', subtotalNet: '83.33', priceVat: '16.67', subtotalVat: '16.67', subtotal: '100' },
        { netPrice: '30.83', subtotalNet: '30.84', priceVat: '6.17', subtotalVat: '6.16', subtotal: '37' },
      ],
      total: '137',
      netTotal: '114.17',
      totalVat: '22.83',
      totalDiscount: '0',
    });
  });

  test('text that is no number is an error', () => {
    expect(() => totalsOf({ lines: [{ ...mug, price: 'much' }], precision: 2 })).toThrow('much');
  });
});

describe('for any order', () => {
  const generated = fc.nat(3).chain((precision) => {
    const line = fc
      .record({
        quantity: fc.integer({ min: 1, max: 500 }),
        price: fc.bigInt({ min: 0n, max: 10n ** 8n }),
        off: fc.nat(100),
        rate: fc.constantFrom(0, 9, 20, 25.5),
      })
      .map(({ quantity, price, off, rate }) => {
        const discount = (price * BigInt(quantity) * BigInt(off)) / 100n;
        return { quantity: `${quantity}`, price: formatMoney(price, precision), discount: formatMoney(discount, precision), vatRate: `${rate}` };
      });
    return fc.record({ precision: fc.constant(precision), lines: fc.array(line, { maxLength: 8 }) });
  });
  const each = (
    check: (order: { totals: OrderTotals; lines: { price: bigint; quantity: bigint; discount: bigint; rate: bigint }[]; of: (text: string) => bigint }) => void,
    numRuns = 100,
  ) =>
    fc.assert(
      fc.property(generated, ({ lines, precision }) => {
        const of = (text: string) => parseMoney(text, precision) ?? failed(text);
        const parsed = lines.map((line) => ({
          price: of(line.price),
          quantity: BigInt(line.quantity),
          discount: of(line.discount),
          rate: parseMoney(line.vatRate, 1) ?? failed(line.vatRate),
        }));
        check({ totals: totalsOf({ lines, precision }), lines: parsed, of });
      }),
      { numRuns },
    );

  test('net and VAT are the total, and the VAT of the order is that of its lines', () => {
    each(({ totals, of }) => {
      expect(of(totals.netTotal) + of(totals.totalVat)).toBe(of(totals.total));
      expect(of(totals.totalVat)).toBe(sum(totals.lines.map(({ subtotalVat }) => of(subtotalVat))));
      expect(of(totals.total)).toBe(sum(totals.lines.map(({ subtotal }) => of(subtotal))));
    });
  });

  test('a discount changes only subtotal, subtotal VAT and total discount', () => {
    fc.assert(
      fc.property(generated, ({ lines, precision }) => {
        const discounted = totalsOf({ lines, precision });
        const full = totalsOf({ lines: lines.map((line) => ({ ...line, discount: '0' })), precision });

        const untouched = (totals: OrderTotals) => totals.lines.map(({ netPrice, priceVat, subtotalNet }) => ({ netPrice, priceVat, subtotalNet }));
        expect(untouched(discounted)).toEqual(untouched(full));
        const of = (text: string) => parseMoney(text, precision) ?? failed(text);
        for (const [i, { discount }] of lines.entries()) {
          const [after, before] = [discounted.lines[i], full.lines[i]];
          expect(after && before && of(before.subtotal) - of(after.subtotal)).toBe(of(discount));
        }
        expect(of(full.total) - of(discounted.total)).toBe(of(discounted.totalDiscount));
      }),
    );
  });

  test('each quantity is the exact one, rounded once; VAT is so for each rate, and the parts of its lines are less than a unit off', () => {
    each(({ totals, lines, of }) => {
      const shownVat = (index: number) => of(totals.lines[index]?.subtotalVat ?? '');
      for (const [index, { price, quantity, discount, rate }] of lines.entries()) {
        const line = totals.lines[index] ?? failed('a line');
        const gross = price * quantity - discount;
        expect([line.netPrice, line.priceVat, line.subtotal].map(of)).toEqual([price - vatIn(price, rate), vatIn(price, rate), gross]);
        const off = shownVat(index) * (1000n + rate) - gross * rate;
        expect(off < 1000n + rate && off > -(1000n + rate)).toBe(true);
      }
      for (const [rate, same] of Map.groupBy(lines.entries(), ([, line]) => line.rate)) {
        const gross = sum(same.map(([, { price, quantity, discount }]) => price * quantity - discount));
        expect(sum(same.map(([index]) => shownVat(index)))).toBe(vatIn(gross, rate));
        const full = sum(same.map(([, { price, quantity }]) => price * quantity));
        expect(sum(same.map(([index]) => of(totals.lines[index]?.subtotalNet ?? '')))).toBe(full - vatIn(full, rate));
      }
    });
  });
});

/** `rate` in tenths of a percent. */
function vatIn(amount: bigint, rate: bigint): bigint {
  return divideHalfUp(amount * rate, 1000n + rate);
}

function failed(text: string): never {
  throw new Error(`${text} is not exact`);
}
