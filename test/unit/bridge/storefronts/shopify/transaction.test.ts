import { expect, test } from 'vitest';
import { newsOf, transactionBody } from './bodies.ts';

function transactionOf(fields: Record<string, unknown>) {
  return newsOf('order_transactions/create', transactionBody(fields)).transactions?.[0];
}

test.each([
  ['sale', 'charge'],
  ['capture', 'charge'],
  ['refund', 'refund'],
  ['authorization', 'other'],
  ['void', 'other'],
  ['change', 'other'],
])('a %s is a %s', (kind, expected) => {
  expect(transactionOf({ kind })?.kind).toBe(expected);
});

test.each([
  ['success', 'success'],
  ['failure', 'failure'],
  ['error', 'error'],
  ['pending', 'pending'],
  ['awaiting_response', 'pending'],
])('the status %s is %s', (status, expected) => {
  expect(transactionOf({ status })?.status).toBe(expected);
});

test('a redeemed gift card is no charge, so that its code never passes for the processor’s reference', () => {
  expect(transactionOf({ kind: 'sale', gateway: 'gift_card' })?.kind).toBe('other');
  expect(transactionOf({ kind: 'refund', gateway: 'gift_card' })?.kind).toBe('refund');
});

test('a gift card that was redeemed, or credited again, is marked', () => {
  const marks = (['sale', 'capture', 'refund', 'authorization'] as const).map((kind) => transactionOf({ kind, gateway: 'gift_card' })?.giftCard);

  expect(marks).toEqual(['charge', 'charge', 'refund', undefined]);
  expect(transactionOf({ kind: 'sale' })).not.toHaveProperty('giftCard');
});

test('cash that was handed back is marked: it belongs to a charge', () => {
  expect(transactionOf({ kind: 'change' })).toMatchObject({ kind: 'other', change: true });
  expect(transactionOf({ kind: 'sale' })).not.toHaveProperty('change');
});

test('its currency is what it says, if it says one', () => {
  expect(transactionOf({ currency: 'RON' })?.currency).toBe('RON');
  expect(transactionOf({ currency: null })).not.toHaveProperty('currency');
});

test('the reference is the payment’s, which both sources name, then the processor’s, else none', () => {
  expect(transactionOf({})?.reference).toBe('r1.1');
  expect(transactionOf({ payment_id: null })?.reference).toBe('re_1');
  expect(transactionOf({ payment_id: '', authorization: '' })?.reference).toBeNull();
  expect(transactionOf({ authorization: null, payment_id: null })?.reference).toBeNull();
});

test('its moment is when it was processed, else when it was made', () => {
  expect(transactionOf({})?.at).toBe('2026-10-20T07:02:33.000Z');
  expect(transactionOf({ processed_at: null })?.at).toBe('2026-10-20T07:02:32.000Z');
});

test('a refund in the buyer’s currency is never summed with the shop’s money', () => {
  expect(transactionOf({ currency: 'USD' })?.kind).toBe('other');
  expect(transactionOf({ currency: 'USD', kind: 'sale' })?.kind).toBe('charge');
});

test.each([
  ['no currency', { currency: null }],
  ['no set', { total_unsettled_set: null }],
  ['a set without shop money', { total_unsettled_set: { shop_money: null } }],
  ['a set without a currency', { total_unsettled_set: { shop_money: {} } }],
])('with %s it is taken for the shop’s own', (_what, fields) => {
  expect(transactionOf({ ...fields, gateway: null })).toMatchObject({ kind: 'refund', gateway: '' });
});
