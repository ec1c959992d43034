import { expect, test } from 'vitest';
import { connectionSettings, type SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { noFacts } from '../../../../src/bridge/order/facts/facts.ts';
import type { Problem } from '../../../../src/bridge/order/facts/failure.ts';
import { differenceOf } from '../../../../src/bridge/reconciliation/difference.ts';
import { isOfSale, ledgerFindingOf, paidByList } from '../../../../src/bridge/reconciliation/order-findings.ts';
import type { OrderSummary } from '../../../../src/bridge/storefronts/store-reader.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';

const AT = '2026-11-21T10:00:00.000Z';
const SUMMARY: OrderSummary = {
  ...{ orderId: '7', number: '#7', updatedAt: AT, status: 'processing', lifecycle: 'live', payment: 'paid', test: false },
  ...{ currency: 'EUR', total: '24.00', soldAt: AT, kept: '20.00', refundIds: [] },
};

function paid(summary: Partial<OrderSummary>, settings: SettingsInput = {}, gaps: { from: string; until: string }[] = []): string | null {
  const money = paidByList({ ...SUMMARY, ...summary }, { recordFrom: '2026-11-01T00:00:00Z', gaps, settings: connectionSettings.parse(settings) });
  return money === null ? null : `${money.total} ${money.currency}`;
}

test.each([
  ['what was paid and kept', paid({}), '20.00 EUR'],
  ['the total, where the list does not say what was kept', paid({ kept: null }), '24.00 EUR'],
  ['a test order', paid({ test: true }), null],
  ['a basket', paid({ lifecycle: 'draft', payment: 'unpaid' }), null],
  ['a draft that was paid', paid({ lifecycle: 'draft' }), '20.00 EUR'],
  ['an unpaid order', paid({ payment: 'unpaid' }), null],
  ['one in a status that counts as paid', paid({ payment: 'unpaid', status: 'delivered' }, { paidStatuses: ['delivered'] }), '20.00 EUR'],
  ['on its way to be paid on delivery', paid({ payment: 'on-delivery' }), null],
  ['the same, if that counts as paid', paid({ payment: 'on-delivery' }, { codPaidWhen: 'processing' }), '20.00 EUR'],
  ['from before', paid({ soldAt: '2026-10-31T00:00:00.000Z' }), null],
  ['from a time in which the store was disconnected', paid({}, {}, [{ from: '2026-11-20T00:00:00Z', until: '2026-11-22T00:00:00Z' }]), null],
  ['refunded whole', paid({ kept: '0.00' }), null],
  ['free', paid({ kept: '0.00', total: '0.00' }), null],
  ['free, where those are recorded', paid({ kept: '0.00', total: '0.00' }, { freeOrders: 'record' }), '0.00 EUR'],
  ['cancelled, its money kept', paid({ lifecycle: 'cancelled' }), '20.00 EUR'],
  ['cancelled, which is enough', paid({ lifecycle: 'cancelled' }, { removeWithoutRefund: 'remove' }), null],
  ['converted', paid({ currency: 'BGN', kept: '19.56' }, { convertTo: 'EUR' }), '10.00 EUR'],
])('by the store’s list: %s', (_, money, wanted) => {
  expect(money).toBe(wanted);
});

test('an order whose record is right waits for a person as long as a question is left', () => {
  const record: TaxRecord = {
    ...{ internalId: '7', internalNumber: '#7', internalCreatedAt: AT, currency: 'EUR', precision: 2 },
    lineItems: [{ name: 'Mug', quantity: 1, price: '20.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
    ...{ paymentType: 'OTHER', paymentProcessorName: null, transactionId: null },
  };
  const question: Problem = { code: 'refund.unattributed', detail: '5.00 EUR names no line.' };
  const order = { state: 'review', review: question, isPending: false, facts: noFacts, current: { record, complianceId: 'c', destinationId: 'd' } } as const;
  const ledger = ledgerFindingOf(order, { kind: 'record', record, question }, null);

  expect(ledger).toMatchObject({ wanted: 'person', isRight: true, code: 'refund.unattributed' });
  const store = { is: 'there', knowledge: 'known', paid: ledger.current } as const;
  expect(differenceOf({ store, ledger, service: 'same', file: 'unread' })).toEqual({ kind: 'not-recorded', why: 'person' });
});

test('a record is of a sale if it was made at the same moment', () => {
  expect(isOfSale({ internalCreatedAt: '2026-11-21T12:00:00+02:00' }, AT)).toBe(true);
  expect(isOfSale({ internalCreatedAt: '2026-11-21T12:00:00' }, '2026-11-21T12:00:00')).toBe(true);
  expect(isOfSale({ internalCreatedAt: '2026-11-21T10:00:02Z' }, AT)).toBe(false);
});
