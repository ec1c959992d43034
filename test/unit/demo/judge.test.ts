import { describe, expect, test } from 'vitest';
import type { TaxRecord } from '../../../src/contract/record.ts';
import { evaluate } from '../../../src/demo/story.ts';

const record: TaxRecord = {
  internalId: '7',
  internalNumber: '#7',
  internalCreatedAt: '2026-11-21T10:00:00+02:00',
  lineItems: [
    { name: 'Чаша', quantity: 2, price: '12.90', discount: '1.00', vatRate: '20', vatGroup: 'GROUP_B' },
    { name: 'Еконт', quantity: 1, price: '5.90', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' },
  ],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  transactionId: 'pi_1',
  precision: 2,
  currency: 'EUR',
};
const order = { state: 'recorded', review: null, complianceId: 'r1', record } as const;
const story = { orderId: '7', ends: { state: 'recorded', total: '30.70' } } as const;

function current({ id = 'r1', total = 30.7 }: { id?: string; total?: number } = {}): Parameters<typeof evaluate>[2][number] {
  return { id, internalId: '7', total };
}

describe('the demo’s judge', () => {
  test('reports nothing about an order that ended as it should', () => {
    expect(evaluate(story, order, [current()])).toEqual({ ended: { state: 'recorded', total: '30.70' }, faults: [] });
  });

  test('expects a refused order in neither ledger nor service', () => {
    const refused = { orderId: '8', ends: { state: 'refused', total: null } } as const;

    expect(evaluate(refused, null, [current()]).faults).toEqual([]);
  });

  test('reports another state', () => {
    const review = { ...order, state: 'review', review: { code: 'vat.unmapped', detail: '' } } as const;

    expect(evaluate(story, review, [current()]).faults).toEqual(['its state is review: vat.unmapped, and should be recorded']);
  });

  test('reports the right state for another reason', () => {
    const review = { ...order, state: 'review', review: { code: 'vat.unmapped', detail: '' } } as const;
    const expected = { ...story, ends: { ...story.ends, state: 'review', code: 'total.mismatch' } } as const;

    expect(evaluate(expected, review, [current()]).faults).toEqual(['its state is review: vat.unmapped, and should be review: total.mismatch']);
  });

  test('reports a cent too much, even if ledger and service agree', () => {
    expect(evaluate({ ...story, ends: { state: 'recorded', total: '30.69' } }, order, [current()]).faults).toEqual(['30.70 is recorded, and should be 30.69']);
  });

  test('reports that ledger and service do not agree on the sum', () => {
    const expected = { ...story, ends: { state: 'recorded', total: '30.71' } } as const;

    expect(evaluate(expected, order, [current({ total: 30.71 })]).faults).toEqual(['the ledger says 30.70, the compliance service 30.71']);
  });

  test('reports a record that the service does not have', () => {
    expect(evaluate(story, order, []).faults).toEqual([
      'nothing is recorded, and should be 30.70',
      'the ledger knows the record r1, the compliance service none',
    ]);
  });

  test('reports a record of an order that should have none', () => {
    const removed = { orderId: '7', ends: { state: 'removed', total: null } } as const;

    expect(evaluate(removed, { ...order, state: 'removed', complianceId: null, record: null }, [current()]).faults).toEqual([
      '30.70 is recorded, and should be nothing',
      'the ledger knows the record none, the compliance service r1',
    ]);
  });

  test('reports an order that is recorded twice', () => {
    expect(evaluate(story, order, [current(), current({ id: 'r2' })]).faults).toEqual(['it is recorded 2 times']);
  });
});
