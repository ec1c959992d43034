import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordLine } from '../../../../src/contract/record.ts';
import { declaredAmounts } from '../../../../src/service/rates/declared-amounts.ts';
import type { ExchangeRate } from '../../../../src/service/rates/exchange-rate.ts';
import { runs } from '../../../support/run-size.ts';

const usd: ExchangeRate = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1722', publishedOn: '2026-06-01', source: 'BNB' };
const mug: RecordLine = { name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' };
const book: RecordLine = { name: 'Книга', quantity: 1, price: '21.80', discount: '0.00', vatRate: '9', vatGroup: 'GROUP_D' };
const order = { currency: 'USD', precision: 2, lineItems: [mug, book] };
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

  expect(declaredAmounts({ currency, precision, lineItems: [one({ quantity, price })] }, { to: 'EUR', rate: { ...usd, currency, divide } })?.total).toBe(total);
});

test('leva become euro by the fixed rate, and back', () => {
  const record = { ...order, currency: 'BGN', lineItems: [{ ...mug, quantity: 2, price: '65.00', discount: '1.70' }] };

  expect(declaredAmounts(record, { to: 'EUR', rate: null })?.total).toBe('65.60');
  expect(declaredAmounts({ ...record, currency: 'EUR' }, { to: 'BGN', rate: null })?.total).toBe('250.93');
});

test('without the rate the result is null', () => {
  expect(declaredAmounts(order, { to: 'EUR', rate: null })).toBeNull();
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

function halfUp(above: bigint, below: bigint): bigint {
  return (2n * above + below) / (2n * below);
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}
