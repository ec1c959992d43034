import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { formatMoney, parseMoney } from '../../../../src/contract/money.ts';
import type { AuditOrder } from '../../../../src/service/audit/audit-file.ts';
import { MonthTally } from '../../../../src/service/audit/summary/month-tally.ts';
import { summaryLimits } from '../../../../src/service/audit/summary/summary-page.ts';
import { bookOrder, order, refund } from './audit-summary-month.ts';

function figuresOf(orders: readonly AuditOrder[]) {
  const tally = new MonthTally();
  for (const one of orders) tally.add(one);
  return tally.figures();
}

describe('the figures of a month', () => {
  test('are the sums of its orders', () => {
    expect(figuresOf([order(), bookOrder()])).toMatchObject({ orders: 2, net: '220.00', discount: '2.00', vat: '21.60', total: '239.60' });
  });

  test('are split by VAT rate, after discount', () => {
    expect(figuresOf([order(), bookOrder()]).byRate).toEqual([
      { rate: 9, net: '200.00', vat: '18.00', total: '218.00' },
      { rate: 20, net: '18.00', vat: '3.60', total: '21.60' },
    ]);
  });

  test('are split by payment method and by the day of the document', () => {
    const { byPayment, byDay } = figuresOf([order(), bookOrder(), order({ payment: 3, documentedOn: '2026-10-07' })]);

    expect(byPayment).toEqual([
      { payment: 3, orders: 2, total: '239.60' },
      { payment: 4, orders: 1, total: '130.60' },
    ]);
    expect(byDay).toEqual([
      { day: '2026-10-06', orders: 1, vat: '12.60', total: '130.60' },
      { day: '2026-10-07', orders: 2, vat: '21.60', total: '239.60' },
    ]);
  });

  test('count returned orders, and all that was given back', () => {
    const tally = new MonthTally();
    for (const given of [refund, { ...refund, amount: '4.50' }, { ...refund, number: '#7' }]) tally.addReturn(given);

    expect(tally.figures()).toMatchObject({ orders: 0, returns: 2, returned: '95.50' });
  });

  test('list the orders one by one, without goods and payment references', () => {
    const { articles: _, posNumber: __, transaction: ___, processor: ____, ...row } = order();

    expect(figuresOf([order()]).list).toEqual([row]);
  });

  test('list no orders once there are more than a page shows', () => {
    const orders = Array.from({ length: summaryLimits.orders + 1 }, () => order());

    expect(figuresOf(orders.slice(1)).list).toHaveLength(summaryLimits.orders);
    expect(figuresOf(orders)).toMatchObject({ list: null, orders: summaryLimits.orders + 1 });
  });

  test('refuse an amount that is not in cents', () => {
    expect(() => figuresOf([order({ total: '1.005' })])).toThrow(RangeError);
  });
});

const cents = fc.bigInt({ min: 0n, max: 99_999_999n });
const anyOrder = fc.record({ net: cents, rate: fc.constantFrom(0, 9, 20), payment: fc.integer({ min: 1, max: 6 }), day: fc.integer({ min: 10, max: 31 }) });

property.prop([fc.array(anyOrder, { maxLength: 40 })])('each way to split a month adds up to its total', (orders) => {
  const figures = figuresOf(
    orders.map(({ net, rate, payment, day }) => {
      const vat = (net * BigInt(rate)) / 100n;
      const amounts = { net: formatMoney(net, 2), discount: '0.00', vat: formatMoney(vat, 2), total: formatMoney(net + vat, 2) };
      const article = { name: 'x', quantity: '1.00', price: amounts.net, vatRate: rate, vat: amounts.vat, sum: amounts.total };
      return order({ ...amounts, articles: [article], payment, documentedOn: `2026-10-${day}` });
    }),
  );

  for (const part of [figures.byRate, figures.byPayment, figures.byDay, figures.list ?? []]) expect(total(part)).toBe(figures.total);
});

function total(rows: readonly { total: string }[]): string {
  return formatMoney(
    rows.reduce((sum, row) => sum + (parseMoney(row.total, 2) ?? 0n), 0n),
    2,
  );
}
