import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordLine } from '../../../../src/contract/record.ts';
import { totalsOf } from '../../../../src/contract/totals.ts';
import { accountingLines, linesIn } from '../../../../src/service/rates/accounting-lines.ts';
import type { ExchangeRate } from '../../../../src/service/rates/exchange-rate.ts';

const usd: ExchangeRate = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1722', publishedOn: '2026-06-01', source: 'BNB' };
const mug: RecordLine = { name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' };
const book: RecordLine = { name: 'Книга', quantity: 1, price: '21.80', discount: '0.00', vatRate: '9', vatGroup: 'GROUP_D' };
const order = { currency: 'USD', precision: 2, lineItems: [mug, book] };

test('an order in the accounting currency is unchanged, its own sums included', () => {
  const record = { ...order, currency: 'EUR' };

  const result = accountingLines(record, { to: 'EUR', rate: null });

  expect(result).toEqual({ lines: [mug, book], precision: 2, total: '59.45', vat: '8.08' });
  expect(accountingLines(record, { to: 'EUR', rate: null, totals: { total: '59.45', totalVat: '8.08' } })).toEqual(result);
  expect(result?.lines).toBe(record.lineItems);
});

test('one without decimals keeps its precision, amounts get two decimals, VAT is that of what was paid', () => {
  const record = { currency: 'EUR', precision: 0, lineItems: [{ ...mug, price: '13', discount: '1' }] };

  expect(accountingLines(record, { to: 'EUR', rate: null })).toEqual({
    lines: [{ ...mug, price: '13.00', discount: '1.00' }],
    precision: 0,
    total: '38.00',
    // 38 ÷ 6; at the order's own precision it would be 6, which is not 20 %.
    vat: '6.33',
  });
});

test('each price and each discount is converted separately, then summed up by the documented rules', () => {
  // 12.90 ÷ 1.1722 = 11.0050…, 1.05 ÷ 1.1722 = 0.8957…, 21.80 ÷ 1.1722 = 18.5975…
  expect(accountingLines(order, { to: 'EUR', rate: usd })).toEqual({
    lines: [
      { ...mug, price: '11.00', discount: '0.90' },
      { ...book, price: '18.60', discount: '0.00' },
    ],
    precision: 2,
    total: '50.70',
    vat: '6.89',
  });
});

test('leva become euro by the fixed rate, and back', () => {
  const record = { ...order, currency: 'BGN', lineItems: [{ ...mug, quantity: 2, price: '65.00', discount: '1.70' }] };

  expect(accountingLines(record, { to: 'EUR', rate: null })).toMatchObject({ lines: [{ price: '33.23', discount: '0.87' }], total: '65.59' });
  expect(accountingLines({ ...record, currency: 'EUR' }, { to: 'BGN', rate: null })).toMatchObject({ lines: [{ price: '127.13', discount: '3.32' }] });
});

test('yen and dinars, which do not have two decimals', () => {
  const yen = { currency: 'JPY', precision: 0, lineItems: [{ ...mug, quantity: 1, price: '1234', discount: '0' }] };
  const dinars = { currency: 'KWD', precision: 3, lineItems: [{ ...mug, quantity: 1, price: '12.345', discount: '0.001' }] };

  expect(accountingLines(yen, { to: 'EUR', rate: { ...usd, currency: 'JPY', divide: '182.34' } })).toMatchObject({ total: '6.77', vat: '1.13' });
  expect(accountingLines(dinars, { to: 'EUR', rate: { ...usd, currency: 'KWD', divide: '0.3581' } })).toMatchObject({ total: '34.47', vat: '5.75' });
});

test('a discount is never more than its line: the price went down, the discount up', () => {
  const rate = { ...usd, divide: '1.5' };
  const free = { ...mug, quantity: 2, price: '0.02', discount: '0.04' };
  const part = { ...mug, quantity: 0.125, price: '0.10', discount: '0.01' };

  const result = accountingLines({ ...order, lineItems: [free, part] }, { to: 'EUR', rate });

  expect(result).toMatchObject({
    lines: [
      { price: '0.01', discount: '0.02' },
      { price: '0.07', discount: '0.00' },
    ],
    total: '0.01',
  });
});

test('without the rate the result is null', () => {
  expect(accountingLines(order, { to: 'EUR', rate: null })).toBeNull();
  expect(linesIn(order, { to: 'EUR', rate: null })).toBeNull();
});

describe('properties', () => {
  const money = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
  const line = fc
    .record({ price: money, quantity: fc.integer({ min: 1, max: 100_000 }).map((thousandths) => thousandths / 1000), share: fc.integer({ min: 0, max: 100 }) })
    .map(({ price, quantity, share }) => ({ ...mug, price, quantity, discount: (Math.floor(Number(price) * quantity * share) / 100).toFixed(2) }));
  const rate = fc.integer({ min: 1, max: 9_999_999 }).map((n) => ({ ...usd, divide: (n / 10_000).toFixed(4) }));

  test('no line costs less than nothing, and the sums are those of the converted lines', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), rate, (lineItems, daily) => {
        const result = accountingLines({ ...order, lineItems }, { to: 'EUR', rate: daily });

        const lines = (result?.lines ?? []).map((one) => ({ ...one, quantity: String(one.quantity) }));
        const totals = totalsOf({ lines, precision: 2 });
        expect(result).toMatchObject({ total: totals.total, vat: totals.totalVat });
        expect(totals.lines.filter(({ subtotal }) => subtotal.startsWith('-'))).toEqual([]);
      }),
    );
  });
});
