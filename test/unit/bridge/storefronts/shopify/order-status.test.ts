import { expect, test } from 'vitest';
import { snapshotOf } from './bodies.ts';

const inTheOrderOfLife = ['expired', 'voided', 'pending', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded'];
const cancelled = { cancelled_at: '2026-10-15T09:00:00+03:00' };

test('the rank follows the life of an order, and cancelled ranks above the same status without it but below the next', () => {
  const ranks = inTheOrderOfLife.flatMap((financial_status) => [snapshotOf({ financial_status }).rank, snapshotOf({ financial_status, ...cancelled }).rank]);

  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  expect(new Set(ranks).size).toBe(ranks.length);
});

test.each([
  ['expired', 'unpaid'],
  ['voided', 'unpaid'],
  ['pending', 'unpaid'],
  ['authorized', 'unpaid'],
  ['partially_paid', 'outstanding'],
  ['paid', 'paid'],
  ['partially_refunded', 'paid'],
  ['refunded', 'paid'],
])('%s is %s', (financial_status, payment) => {
  expect(snapshotOf({ financial_status })).toMatchObject({ payment, status: financial_status, lifecycle: 'live', problems: [] });
  expect(snapshotOf({ financial_status, ...cancelled })).toMatchObject({ payment, status: `${financial_status}, cancelled`, lifecycle: 'cancelled' });
});

test('a paid order that an edit made dearer is outstanding; one that is owed money, or does not say, is paid', () => {
  expect(snapshotOf({ total_outstanding: '0.01' }).payment).toBe('outstanding');
  expect(snapshotOf({ total_outstanding: '-5.00' }).payment).toBe('paid');
  expect(snapshotOf({ total_outstanding: null }).payment).toBe('paid');
});

test('an order without a payment status waits for its payment', () => {
  expect(snapshotOf({ financial_status: null })).toMatchObject({
    status: 'pending',
    payment: 'unpaid',
    rank: snapshotOf({ financial_status: 'pending' }).rank,
  });
});

test.each(['settled_in_shells', 'constructor'])('the unknown status "%s" needs review, and every known one outranks it', (financial_status) => {
  const snapshot = snapshotOf({ financial_status, ...cancelled });

  expect(snapshot).toMatchObject({ payment: 'outstanding', problems: [{ code: 'order.inexpressible', detail: expect.stringContaining(financial_status) }] });
  expect(snapshot.rank).toBeLessThan(snapshotOf({ financial_status: 'expired' }).rank);
});
