import { expect, test } from 'vitest';
import { itemBody, moneySet, newsOf, orderBody, shippingBody, snapshotOf, taxBody } from './bodies.ts';

test('instants are UTC with milliseconds, but the creation time stays as it was written', () => {
  expect(snapshotOf()).toMatchObject({
    updatedAt: '2026-10-14T08:32:15.000Z',
    placedAt: '2026-10-14T08:32:04.000Z',
    createdAt: '2026-10-14T11:32:05+03:00',
    paidAt: null,
    transactionId: null,
    number: '#1042',
  });
  expect(snapshotOf({ processed_at: null }).placedAt).toBe('2026-10-14T08:32:05.000Z');
});

test('a test order is marked, and only that', () => {
  expect(snapshotOf({ test: true }).test).toBe(true);
  expect([snapshotOf().test, snapshotOf({ test: null }).test]).toEqual([false, false]);
});

test.each([
  [['shopify_payments', 'gift_card'], ['shopify_payments']],
  [['gift_card'], ['gift_card']],
  [
    ['Cash on Delivery (COD)', 'paypal', 'Cash on Delivery (COD)'],
    ['Cash on Delivery (COD)', 'paypal'],
  ],
  [[], []],
])('the gateways %j count as %j', (payment_gateway_names, gateways) => {
  expect(snapshotOf({ payment_gateway_names }).gateways).toEqual(gateways);
});

test('money is the shop’s own, never what the buyer saw', () => {
  const item = itemBody({ price: '25.23', price_set: moneySet('12.90'), discount_allocations: [{ amount: '9.99', amount_set: moneySet('1.00') }] });

  expect(snapshotOf({ line_items: [item], total_price: '48.50', total_price_set: moneySet('24.80') })).toMatchObject({
    total: '24.80',
    currency: 'EUR',
    lines: [{ gross: '25.80', discount: '1.00' }],
  });
});

test('the digest changes with the fiscal content and with the buyer, not with what is not read', () => {
  const digests = [orderBody(), orderBody({ tags: 'vip' }), orderBody({ email: 'a@example.invalid' }), orderBody({ total_price: '25.81' })].map(
    (body) => newsOf('orders/updated', body).snapshot?.digest,
  );

  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(digests[1]).toBe(digests[0]);
  expect(new Set(digests).size).toBe(3);
});

test('every doubt about VAT names its line', () => {
  const uncertain = {
    line_items: [
      itemBody({ id: 1, name: 'Stacked', tax_lines: [taxBody('1.00', 0.2), taxBody('0.50', 0.05)] }),
      itemBody({ id: 2, name: 'Odd', tax_lines: [taxBody('1.00', 4)] }),
      itemBody({ id: 3, name: 'Rateless', tax_lines: [taxBody('1.00', null)] }),
      itemBody({ id: 4, name: 'Free', price: '0.00', tax_lines: [taxBody('1.00', 0.2)] }),
    ],
    shipping_lines: [shippingBody({ title: null, tax_lines: [taxBody('0.41', 0.2), taxBody('0.41', 0.2)] })],
  };

  expect(snapshotOf(uncertain).problems).toEqual([
    { code: 'vat.unclear', detail: 'Line “Stacked” bears several taxes.' },
    { code: 'vat.unclear', detail: 'Line “Odd” bears a tax of more than 100 %.' },
    { code: 'vat.unclear', detail: 'Line “Rateless” bears a tax without a rate.' },
    { code: 'vat.unclear', detail: 'Line “Free” costs nothing but bears a tax.' },
    { code: 'vat.unclear', detail: 'Line “Shipping” bears several taxes.' },
  ]);
});

test('a tax of zero beside the real one, and a free line without tax, are no doubt', () => {
  const items = [itemBody({ tax_lines: [taxBody('4.30', 0.2), taxBody('0.00', 0)] }), itemBody({ id: 2, price: '0.00', tax_lines: [taxBody('0.00', 0.2)] })];

  expect(snapshotOf({ line_items: items }).problems).toEqual([]);
});

test('an order that another party sells, or owes the VAT of, says so', () => {
  const liable = itemBody({ tax_lines: [taxBody('4.30', 0.2, { channel_liable: true })] });

  expect(snapshotOf({ merchant_of_record_app_id: 580111, line_items: [liable] }).problems).toEqual([
    { code: 'seller.other', detail: 'App 580111 is the merchant of record.' },
    { code: 'seller.other', detail: 'The sales channel owes the VAT of line “Чаша”.' },
  ]);
});

test.each(['total_cash_rounding_payment_adjustment_set', 'total_cash_rounding_refund_adjustment_set'])(
  'cash that was rounded (%s) can’t be expressed by lines',
  (field) => {
    expect(snapshotOf({ [field]: moneySet('-0.02') }).problems).toMatchObject([{ code: 'order.inexpressible' }]);
    expect(snapshotOf({ [field]: moneySet('0.00') }).problems).toEqual([]);
  },
);
