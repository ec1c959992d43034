import { expect, test } from 'vitest';
import { itemBody, orderBody, taxBody, transactionBody } from './bodies.ts';
import { recordOf } from './record-of.ts';

const order = (fields: Record<string, unknown>) => ({ topic: 'orders/updated', body: orderBody({ current_total_price: '25.80', ...fields }) });
const charge = (fields: Record<string, unknown>) => ({
  topic: 'order_transactions/create',
  body: transactionBody({ kind: 'sale', amount: '25.80', processed_at: '2026-10-14T11:32:10+03:00', ...fields }),
});

test('B12: an order with cash on delivery that was paid in full by its payment link is paid by card', () => {
  const both = order({ payment_gateway_names: ['Cash on Delivery (COD)', 'shopify_payments'] });

  expect(recordOf([both])).toEqual(['payment.split: Paid by Cash on Delivery (COD) and shopify_payments.']);
  expect(recordOf([both, charge({})])).toEqual(['2 × 12.90 − 0.00 Чаша, 20 %']);
  expect(recordOf([both, charge({ amount: '20.00' })])).toEqual(['payment.split: Paid by Cash on Delivery (COD) and shopify_payments.']);
});

test('C: cash on delivery beside a gift card waits for the rest, and goes on by itself', () => {
  const names = { payment_gateway_names: ['gift_card', 'Cash on Delivery (COD)'] };
  const card = charge({ id: 1, gateway: 'gift_card', amount: '10.00' });
  const partly = order({ ...names, financial_status: 'partially_paid', total_outstanding: '15.80' });
  const whole = order({ ...names, updated_at: '2026-10-14T12:00:00+03:00' });

  expect(recordOf([partly, card])).toEqual(['payment.outstanding: It comes to 25.80 EUR, and not all of that is paid.']);
  expect(recordOf([whole, card, partly])).toEqual(['2 × 12.90 − 0.00 Чаша, 20 %']);
});

test('known payments beyond what the order says was paid: a person is asked, with both figures', () => {
  expect(recordOf([order({}), charge({ amount: '30.00' })])).toEqual([
    'total.mismatch: Payments of 30.00 EUR are known, less refunds 30.00 EUR, but by the order 25.80 EUR were paid, and 25.80 EUR of them kept.',
  ]);
});

test('paid before the store was connected, and edited dearer since: a person is asked, not all of it recorded once more', () => {
  const edited = {
    updated_at: '2026-11-05T10:00:00+02:00',
    line_items: [itemBody(), itemBody({ id: 2, price: '15.00', quantity: 1, current_quantity: 1, tax_lines: [taxBody('2.50', 0.2)] })],
  };
  const dearer = { ...edited, current_total_price: '40.80' };
  const told = [
    order({ ...dearer, financial_status: 'partially_paid', total_outstanding: '15.00' }),
    charge({ id: 2, amount: '15.00', processed_at: '2026-11-05T10:04:59+02:00' }),
    { ...order({ ...dearer, updated_at: '2026-11-05T10:05:00+02:00' }), topic: 'orders/paid' },
  ];
  const connected = { recordFrom: '2026-11-01T00:00:00Z' };

  for (const known of [told, [charge({}), ...told]]) {
    expect(recordOf(known, connected)).toEqual([expect.stringMatching(/^payment\.divided: Its 40\.80 EUR seem to be paid in parts: /)]);
  }
  expect(recordOf(told)).toEqual(['2 × 12.90 − 0.00 Чаша, 20 %', '1 × 15.00 − 0.00 Чаша, 20 %']);
});
