import { describe, expect, test } from 'vitest';
import { factColumns } from '../../../../src/bridge/ledger/order-columns.ts';
import { noFacts } from '../../../../src/bridge/order/facts/facts.ts';
import { at, snapshot } from '../../../support/samples/order-facts.ts';

const { customer: _apart, ...none } = noFacts;

describe('the columns that repeat facts', () => {
  test('are empty where there is no snapshot', () => {
    const nothing = { number: null, sold_at: null, total: null, currency: null, delivered_at: null };
    expect(factColumns(none)).toEqual({ facts: none, ...nothing });
    expect(factColumns({ ...none, paidAt: at('11:00') })).toMatchObject({ ...nothing, sold_at: at('11:00') });
  });

  test('say when it was paid, by the order or by a payment, or else placed', () => {
    const unpaid = snapshot({ paidAt: null });
    expect(factColumns({ ...none, paidAt: at('11:00'), snapshot: snapshot() })).toMatchObject({ sold_at: at('10:00') });
    expect(factColumns({ ...none, paidAt: at('11:00'), snapshot: unpaid })).toMatchObject({ sold_at: at('11:00') });
    expect(factColumns({ ...none, snapshot: unpaid })).toMatchObject({ sold_at: at('09:55') });
  });

  test.each([
    ['24.00', '24.00'],
    ['-3', '-3'],
    ['1e9', null],
    ['', null],
    ['.5', null],
    ['123456789012345678901', null],
    ['1.12345678901', null],
  ])('have the amount %j as %j', (total, column) => {
    expect(factColumns({ ...none, snapshot: snapshot({ total }) }).total).toBe(column);
  });

  test('have number, currency, and when it was delivered', () => {
    const facts = { ...none, snapshot: snapshot({ deliveredAt: at('12:00') }) };
    expect(factColumns(facts)).toMatchObject({ facts, number: '#1042', currency: 'EUR', delivered_at: at('12:00') });
  });
});
