import { describe, expect, test } from 'vitest';
import { sameContent } from '../../../../src/bridge/order/money/same-content.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';

const record: TaxRecord = {
  internalId: '5001',
  internalNumber: '#1042',
  internalCreatedAt: '2026-11-20T11:55:00+02:00',
  lineItems: [
    { name: 'Mug', quantity: 2, price: '12.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' },
    { name: 'Book', quantity: 1, price: '9.00', discount: '1.00', vatRate: '9', vatGroup: 'GROUP_D' },
  ],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  currency: 'EUR',
  precision: 2,
  transactionId: null,
};

describe('the same fiscal content', () => {
  const [mug, book] = record.lineItems;
  test.each<[string, Partial<TaxRecord>]>([
    ['a late transaction id', { transactionId: 'pi_1' }],
    ['lines in another order', { lineItems: record.lineItems.toReversed() }],
    ['the same moment in another time zone', { internalCreatedAt: '2026-11-20T09:55:00Z' }],
  ])('is not changed by %s', (_what, values) => {
    expect(sameContent(record, { ...record, ...values })).toBe(true);
  });

  test.each<[string, Partial<TaxRecord>]>([
    ['a quantity', { lineItems: [{ ...mug, quantity: 1 }, book] as TaxRecord['lineItems'] }],
    ['a price', { lineItems: [{ ...mug, price: '12.01' }, book] as TaxRecord['lineItems'] }],
    ['a line twice', { lineItems: [mug, book, book] as TaxRecord['lineItems'] }],
    ['a payment type', { paymentType: 'POSTAL_PAYMENT' }],
    ['a processor', { paymentProcessorName: null }],
    ['a currency', { currency: 'BGN' }],
    ['a precision', { precision: 3 }],
    ['a number', { internalNumber: '#1' }],
    ['an order', { internalId: '5002' }],
    ['a moment', { internalCreatedAt: '2026-11-20T11:56:00+02:00' }],
    ['a moment without an offset', { internalCreatedAt: '2026-11-20T11:55:00' }],
  ])('is changed by %s', (_what, values) => {
    expect(sameContent(record, { ...record, ...values })).toBe(false);
  });

  test('moments without an offset are compared as they are written', () => {
    const local = { ...record, internalCreatedAt: '2026-11-20T11:55:00' };

    expect(sameContent(local, { ...local })).toBe(true);
  });
});
