import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordLine } from '../../../../src/contract/record.ts';
import { type DeclaredAmounts, declaredAmounts } from '../../../../src/service/rates/declared-amounts.ts';
import type { ExchangeRate } from '../../../../src/service/rates/exchange-rate.ts';
import { runs } from '../../../support/run-size.ts';

const usd: ExchangeRate = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1722', publishedOn: '2026-06-01', source: 'BNB' };
const mug: RecordLine = { name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' };
const book: RecordLine = { name: 'Книга', quantity: 1, price: '21.80', discount: '0.00', vatRate: '9', vatGroup: 'GROUP_D' };
const order = { currency: 'USD', precision: 2, lineItems: [mug, book], calculation: 2 };
const one = (changes: Partial<RecordLine>): RecordLine => ({ ...mug, quantity: 1, discount: '0', ...changes });

test('an order in the accounting currency is declared as it was sold', () => {
  expect(declaredAmounts({ ...order, currency: 'EUR' }, { to: 'EUR', rate: null })).toEqual({
    lines: [
      { gross: 3765n, vat: 628n },
      { gross: 2180n, vat: 180n },
    ],
    total: '59.45',
    vat: '8.08',
    byRate: [
      { rate: '20', total: '37.65', vat: '6.28' },
      { rate: '9', total: '21.80', vat: '1.80' },
    ],
  });
});

test('one without decimals is declared to the cent of its VAT', () => {
  const lineItems = [one({ price: '100' }), one({ price: '37' })];

  // 137 ÷ 6; of each line by itself it would be 22.84, and at the order's own precision 23.
  expect(declaredAmounts({ ...order, currency: 'EUR', precision: 0, lineItems }, { to: 'EUR', rate: null })).toMatchObject({ total: '137.00', vat: '22.83' });
});

test('what was paid for each line is converted, rounded once, and its VAT computed once for each rate', () => {
  // 37.65 ÷ 1.1722 = 32.1191…, 21.80 ÷ 1.1722 = 18.5975…
  expect(declaredAmounts(order, { to: 'EUR', rate: usd })).toEqual({
    lines: [
      { gross: 3212n, vat: 535n },
      { gross: 1860n, vat: 154n },
    ],
    total: '50.72',
    vat: '6.89',
    byRate: [
      { rate: '20', total: '32.12', vat: '5.35' },
      { rate: '9', total: '18.60', vat: '1.54' },
    ],
  });
});

test.each([
  { currency: 'USD', divide: '1.1750', quantity: 1000, price: '0.01', total: '8.51' },
  { currency: 'USD', divide: '1.1750', quantity: 100, price: '0.05', total: '4.26' },
  { currency: 'JPY', divide: '184.00', quantity: 100, price: '1', total: '0.54' },
  { currency: 'HUF', divide: '386.00', quantity: 500, price: '3', total: '3.89' },
  { currency: 'HUF', divide: '386.00', quantity: 100, price: '1.5', total: '0.39' },
  { currency: 'IDR', divide: '19700', quantity: 1000, price: '50', total: '2.54' },
])('D10: $quantity × $price $currency at $divide are $total, not a price cut to cents times the quantity', ({ currency, divide, quantity, price, total }) => {
  const precision = currency === 'JPY' ? 0 : 2;

  expect(
    declaredAmounts({ currency, precision, lineItems: [one({ quantity, price })], calculation: 2 }, { to: 'EUR', rate: { ...usd, currency, divide } })?.total,
  ).toBe(total);
});

test('leva become euro by the fixed rate, and back', () => {
  const record = { ...order, currency: 'BGN', lineItems: [{ ...mug, quantity: 2, price: '65.00', discount: '1.70' }] };

  expect(declaredAmounts(record, { to: 'EUR', rate: null })?.total).toBe('65.60');
  expect(declaredAmounts({ ...record, currency: 'EUR' }, { to: 'BGN', rate: null })?.total).toBe('250.93');
});

test('without the rate the result is null', () => {
  expect(declaredAmounts(order, { to: 'EUR', rate: null })).toBeNull();
  expect(declaredAmounts({ ...order, calculation: null }, { to: 'EUR', rate: null })).toBeNull();
});

// What was answered, printed and declared of these orders stays: the values are those of the program that recorded them.
describe('an order that was recorded with the first rules is declared as it was then', () => {
  const earlier = (changes: Partial<typeof order>, rate: ExchangeRate | null = usd) =>
    sums(declaredAmounts({ ...order, ...changes, calculation: null }, { to: 'EUR', rate }));

  test('the VAT of each line is rounded by itself', () => {
    expect(earlier({ currency: 'EUR', lineItems: Array.from({ length: 120 }, () => one({ price: '1.23' })) })).toEqual(['147.60', '25.20']);
  });

  test('each unit price and each discount is converted and rounded', () => {
    expect(earlier({})).toEqual(['50.70', '6.89']);
    expect(earlier({ currency: 'BGN', lineItems: [{ ...mug, quantity: 2, price: '65.00', discount: '1.70' }] })).toEqual(['65.59', '10.93']);
    expect(earlier({ lineItems: [one({ quantity: 1000, price: '0.01' })] }, { ...usd, divide: '1.1750' })).toEqual(['10.00', '1.67']);
  });

  test('without decimals the VAT is that of each amount, to the cent', () => {
    expect(earlier({ currency: 'EUR', precision: 0, lineItems: [one({ price: '100' }), one({ price: '37' })] })).toEqual(['137.00', '22.84']);
    expect(earlier({ currency: 'EUR', precision: 0, lineItems: [{ ...mug, price: '13', discount: '1' }] })).toEqual(['38.00', '6.33']);
  });

  test('in yen and dinars, which do not have two decimals', () => {
    const yen = { currency: 'JPY', precision: 0, lineItems: [one({ price: '1234' })] };
    const dinars = { currency: 'KWD', precision: 3, lineItems: [one({ price: '12.345', discount: '0.001' })] };

    expect(earlier(yen, { ...usd, currency: 'JPY', divide: '182.34' })).toEqual(['6.77', '1.13']);
    expect(earlier(dinars, { ...usd, currency: 'KWD', divide: '0.3581' })).toEqual(['34.47', '5.75']);
  });

  test('a discount is never more than its line: the price went down, the discount up', () => {
    const free = { ...mug, quantity: 2, price: '0.02', discount: '0.04' };
    const part = { ...mug, quantity: 0.125, price: '0.10', discount: '0.01' };

    expect(earlier({ lineItems: [free, part] }, { ...usd, divide: '1.5' })).toEqual(['0.01', '0.00']);
  });
});

describe('any order', () => {
  const money = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
  const line = fc
    .record({
      price: money,
      quantity: fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1000),
      share: fc.integer({ min: 0, max: 100 }),
      vatRate: fc.constantFrom('0', '9', '20'),
    })
    .map(({ price, quantity, share, vatRate }) => one({ price, quantity, vatRate, discount: (Math.floor(Number(price) * quantity * share) / 100).toFixed(2) }));
  const rate = fc.integer({ min: 1, max: 9_999_999 }).map((n) => ({ ...usd, divide: (n / 10_000).toFixed(4) }));

  test('is half a cent a line off at most, its VAT less than a cent a line, and half a cent a rate', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), rate, (lineItems, daily) => {
        const declared = declaredAmounts({ ...order, lineItems }, { to: 'EUR', rate: daily });

        for (const [i, { price, quantity, discount, vatRate }] of lineItems.entries()) {
          const { gross = -1n, vat = -1n } = declared?.lines[i] ?? {};
          // In hundredths of USD, what was paid; half up, as the sum of a line is rounded.
          const paid = halfUp(BigInt(price.replace('.', '')) * BigInt(Math.round(quantity * 1000)) - BigInt(discount.replace('.', '')) * 1000n, 1000n);
          const [above, below] = [paid * 10_000n, BigInt(daily.divide.replace('.', ''))];
          expect(2n * distance(gross * below, above) <= below).toBe(true);
          expect(distance(vat * (100n + BigInt(vatRate)), gross * BigInt(vatRate)) < 100n + BigInt(vatRate)).toBe(true);
        }
        for (const { rate: percent, total, vat } of declared?.byRate ?? []) {
          const [gross, taxed, per] = [BigInt(total.replace('.', '')), BigInt(vat.replace('.', '')), BigInt(percent)];
          expect(2n * distance(taxed * (100n + per), gross * per) <= 100n + per).toBe(true);
        }
        const whole = (field: 'gross' | 'vat') => (declared?.lines ?? []).reduce((all, each) => all + each[field], 0n);
        expect([BigInt(declared?.total.replace('.', '') ?? -1), BigInt(declared?.vat.replace('.', '') ?? -1)]).toEqual([whole('gross'), whole('vat')]);
      }),
      { numRuns: runs(500, 10_000) },
    );
  });
});

function sums(declared: DeclaredAmounts | null): string[] | null {
  return declared === null ? null : [declared.total, declared.vat];
}

function halfUp(above: bigint, below: bigint): bigint {
  return (2n * above + below) / (2n * below);
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}
