import { expect, test } from 'vitest';
import {
  adjustmentBody,
  itemBody,
  moneySet,
  newsOf,
  orderBody,
  refundBody,
  refundLineBody,
  refundOf,
  refundShippingBody,
  shippingBody,
  snapshotOf,
  taxBody,
  transactionBody,
} from './bodies.ts';

type Fields = Record<string, unknown>;

const item = '16011000000001';
const shipping = '5501000000001';

/** One of two pieces of 10.00 without VAT at 20 %. */
const netLine = refundLineBody({
  subtotal_set: moneySet('10.00'),
  total_tax_set: moneySet('2.00'),
  line_item: itemBody({ price: '10.00', tax_lines: [taxBody('4.00', 0.2)] }),
});
const netShipping = shippingBody({ price: '3.33', tax_lines: [taxBody('0.67', 0.2)] });

function paidBack(amount: string, fields: Fields = {}): Fields {
  return { transactions: [transactionBody({ amount, ...fields })] };
}

test('a refund has its moment, its transactions and its lines; its money is the transactions’', () => {
  expect(refundOf()).toEqual({
    id: '980012340001',
    at: '2026-10-20T07:02:34.000Z',
    amount: null,
    transactions: ['7300012345678'],
    lines: [{ lineId: item, quantity: '1', amount: '12.90' }],
  });
  expect(refundOf({ processed_at: null }).at).toBe('2026-10-20T07:02:33.000Z');
});

test('only refund transactions carry its money', () => {
  const transactions = [transactionBody({ id: 1, kind: 'void' }), transactionBody({ id: 2 }), transactionBody({ id: 3, status: 'pending' })];

  expect(refundOf({ transactions }).transactions).toEqual(['2', '3']);
  expect(refundOf({ transactions: [] }).transactions).toEqual([]);
});

test('tax comes on top of a line where only that adds up to the money given back', () => {
  expect(refundOf({ refund_line_items: [netLine], ...paidBack('12.00') }).lines).toEqual([{ lineId: item, quantity: '1', amount: '12.00' }]);
});

test('the money decides, even against what the taxes look like', () => {
  expect(refundOf({ refund_line_items: [netLine], ...paidBack('10.00') }).lines).toEqual([{ lineId: item, quantity: '1', amount: '10.00' }]);
  expect(refundOf(paidBack('15.05')).lines).toEqual([{ lineId: item, quantity: '1', amount: '15.05' }]);
});

test.each([
  ['other money', paidBack('7.00')],
  ['no money yet', { transactions: [] }],
  ['money that failed', paidBack('10.00', { status: 'error' })],
])('with %s the taxes themselves show whether they are inside', (_what, money) => {
  expect(refundOf({ refund_line_items: [netLine], ...money }).lines).toMatchObject([{ amount: '12.00' }]);
  expect(refundOf({ refund_line_items: [refundLineBody()], ...money }).lines).toMatchObject([{ amount: '12.90' }]);
});

test('the plain numbers serve where the sets are absent, without the noise of floats', () => {
  const line = refundLineBody({ subtotal: 12.899999999999999, subtotal_set: null, total_tax: 2.15, total_tax_set: null, line_item: null });

  expect(refundOf({ refund_line_items: [line] }).lines).toEqual([{ lineId: item, quantity: '1', amount: '12.90' }]);
  expect(refundOf({ refund_line_items: [line], ...paidBack('15.05') }).lines).toMatchObject([{ amount: '15.05' }]);
});

test('a line that the refund names twice is one', () => {
  expect(refundOf({ refund_line_items: [refundLineBody(), refundLineBody()], ...paidBack('25.80') }).lines).toEqual([
    { lineId: item, quantity: '2', amount: '25.80' },
  ]);
});

test('shipping given back whole is its one piece; in part it is money alone', () => {
  const whole = { refund_line_items: [], refund_shipping_lines: [refundShippingBody('4.90')], ...paidBack('4.90') };
  const part = { refund_line_items: [], refund_shipping_lines: [refundShippingBody('2.00')], ...paidBack('2.00') };

  expect(refundOf(whole).lines).toEqual([{ lineId: shipping, quantity: '1', amount: '4.90' }]);
  expect(refundOf(part).lines).toEqual([{ lineId: shipping, quantity: '0', amount: '2.00' }]);
});

test('shipping without VAT gets its part of the line’s tax, to the cent', () => {
  const whole = { refund_line_items: [], refund_shipping_lines: [refundShippingBody('3.33', netShipping)], ...paidBack('4.00') };
  const part = { refund_line_items: [], refund_shipping_lines: [refundShippingBody('1.00', netShipping)], transactions: [] };

  expect(refundOf(whole).lines).toEqual([{ lineId: shipping, quantity: '1', amount: '4.00' }]);
  expect(refundOf(part).lines).toEqual([{ lineId: shipping, quantity: '0', amount: '1.20' }]);
});

test('shipping of which nothing more is known is money alone, as it is', () => {
  const { subtotal_amount_set: _, ...bare } = refundShippingBody('3.33', null);
  const unknown = { ...bare, subtotal_amount_set: { shop_money: { amount: '3.33' } } };

  expect(refundOf({ refund_line_items: [netLine], refund_shipping_lines: [unknown], ...paidBack('15.33') }).lines).toEqual([
    { lineId: item, quantity: '1', amount: '12.00' },
    { lineId: shipping, quantity: '0', amount: '3.33' },
  ]);
});

test('an adjustment that repeats refunded shipping counts once, with VAT or without', () => {
  const both = (adjustment: Fields) => ({
    refund_shipping_lines: [refundShippingBody('4.90')],
    order_adjustments: [adjustment],
    ...paidBack('17.80'),
  });

  for (const adjustment of [adjustmentBody('shipping_refund', '-4.08', '-0.82'), adjustmentBody('shipping_refund', '-4.90', '-0.82')]) {
    expect(refundOf(both(adjustment)).lines).toEqual([
      { lineId: item, quantity: '1', amount: '12.90' },
      { lineId: shipping, quantity: '1', amount: '4.90' },
    ]);
  }
});

test.each([
  ['without VAT', adjustmentBody('shipping_refund', '-3.33', '-0.67'), '16.00'],
  ['with VAT', adjustmentBody('shipping_refund', '-4.00', '-0.67'), '16.00'],
  ['without any', adjustmentBody('shipping_refund', '-4.00'), '16.00'],
])('shipping that only an adjustment shows, %s, has no line but does not hide how the lines are meant', (_what, adjustment, money) => {
  const refund = refundOf({ refund_line_items: [netLine], order_adjustments: [adjustment], ...paidBack(money) });

  expect(refund.lines).toEqual([{ lineId: item, quantity: '1', amount: '12.00' }]);
});

test('money that the merchant kept back, or gave beyond the lines, does not bend the lines', () => {
  const keptBack = {
    order_adjustments: [{ ...adjustmentBody('refund_discrepancy', '9.99', '9.99'), amount_set: moneySet('2.15'), tax_amount_set: moneySet('0.00') }],
  };
  const beyond = { order_adjustments: [adjustmentBody('refund_discrepancy', '-2.15')] };

  expect(refundOf({ ...keptBack, ...paidBack('10.75') }).lines).toMatchObject([{ amount: '12.90' }]);
  expect(refundOf({ ...beyond, ...paidBack('15.05') }).lines).toMatchObject([{ amount: '12.90' }]);
});

test('an amount without lines has none', () => {
  const goodwill = { refund_line_items: [], order_adjustments: [adjustmentBody('refund_discrepancy', '-5.00')], ...paidBack('5.00') };

  expect(refundOf(goodwill)).toMatchObject({ amount: null, lines: [] });
});

test('duties given back are lines of their own', () => {
  const duty = { duties: [{ duty_id: 7, amount_set: moneySet('2.00') }], ...paidBack('14.90') };

  expect(refundOf(duty).lines).toEqual([
    { lineId: item, quantity: '1', amount: '12.90' },
    { lineId: '7', quantity: '0', amount: '2.00' },
  ]);
});

test('a refund in the buyer’s currency is given in the shop’s: by its lines, once all of it has gone back', () => {
  const abroad = { currency: 'USD', amount: '15.00' };
  const gone = paidBack('15.00', abroad);
  const going = { transactions: [transactionBody(abroad), transactionBody({ ...abroad, id: 2, status: 'pending' })] };
  const kept = { order_adjustments: [adjustmentBody('refund_discrepancy', '0.90', '0.00')] };

  expect(refundOf(gone)).toMatchObject({ amount: '12.90', transactions: [] });
  expect(refundOf({ ...gone, ...kept })).toMatchObject({ amount: '12.00' });
  expect(refundOf(going)).toMatchObject({ amount: '0.00', transactions: [] });
  expect(refundOf(paidBack('15.00', { ...abroad, status: 'failure' }))).toMatchObject({ amount: '0.00' });
  expect(snapshotOf({ refunds: [refundBody(gone)] }).refunds).toEqual([{ id: '980012340001', amount: '12.90' }]);
});

test('an order lists each refund with the money that has surely gone back', () => {
  const transactions = [
    transactionBody({ amount: '5.00' }),
    transactionBody({ id: 2, amount: '4.00' }),
    transactionBody({ id: 3, amount: '3.90', status: 'pending' }),
  ];
  const refunds = [refundBody({ transactions }), refundBody({ id: 2, transactions: [] }), refundBody({ id: 3, ...paidBack('1.00', { status: 'error' }) })];

  expect(snapshotOf({ refunds }).refunds).toEqual([
    { id: '980012340001', amount: '9.00' },
    { id: '2', amount: '0.00' },
    { id: '3', amount: '0.00' },
  ]);
});

test.each([
  ['plain', refundBody()],
  ['without VAT', refundBody({ refund_line_items: [netLine], ...paidBack('7.00') })],
  ['without transactions', refundBody({ transactions: [] })],
  ['abroad', refundBody(paidBack('15.00', { currency: 'USD' }))],
  ['with old shipping', refundBody({ order_adjustments: [adjustmentBody('shipping_refund', '-4.08', '-0.82')], ...paidBack('17.80') })],
])('a refund %s is the same alone and within its order, regardless of the order’s taxes', (_what, refund) => {
  const alone = newsOf('refunds/create', refund);

  for (const taxes_included of [true, false]) {
    const together = newsOf('orders/updated', orderBody({ taxes_included, refunds: [refund] }));
    expect(together).toMatchObject({ refunds: alone.refunds, transactions: alone.transactions });
  }
});
