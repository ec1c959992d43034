import { expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { vatDiffers } from '../../../../src/bridge/order/money/untaxed-prices.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';
import { snapshot } from '../../../support/samples/order-facts.ts';

const record: TaxRecord = {
  internalId: '1',
  internalNumber: '#1',
  internalCreatedAt: '2026-11-01T10:00:00Z',
  lineItems: [{ name: 'T-shirt', quantity: 1, price: '9.99', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: null,
  transactionId: null,
  currency: 'EUR',
  precision: 2,
};

const cases: [string, Partial<Snapshot>, boolean][] = [
  ['the same VAT', { vat: '1.67' }, false],
  ['a cent less', { vat: '1.66' }, true],
  ['no word about it', { vat: null }, false],
  ['a refund since', { vat: '1.66', refunds: [{ id: 'r', amount: '1.00' }] }, false],
  ['refunds that are not listed', { vat: '1.66', refunds: null }, true],
  ['another currency, as after a conversion', { vat: '1.66', currency: 'BGN' }, false],
];

test.each(cases)('%s', (_what, values, differs) => {
  expect(vatDiffers(record, snapshot(values))).toBe(differs);
});

test('without a snapshot there is nothing to compare', () => {
  expect(vatDiffers(record, null)).toBe(false);
});
