import { expect, test } from 'vitest';
import { compareHead, type KnownHead } from '../../../../src/bridge/reconciliation/compare-head.ts';
import type { OrderHead } from '../../../../src/bridge/storefronts/store-reader.ts';

const AT = '2026-11-21T10:00:00.000Z';
const LATER = '2026-11-21T10:00:01.000Z';

function head(changes: Partial<OrderHead> = {}): OrderHead {
  return {
    ...{ orderId: '7', number: '#7', updatedAt: AT, status: 'processing', lifecycle: 'live', payment: 'paid', test: false },
    ...{ currency: 'EUR', total: '24.00', soldAt: AT, kept: '24.00', refundIds: [] },
    ...changes,
  };
}

function known(changes: Partial<KnownHead> = {}): KnownHead {
  return { updatedAt: AT, status: 'processing', lifecycle: 'live', currency: 'EUR', total: '24.00', refundIds: [], isDeleted: false, ...changes };
}

test('an order that nobody told of is unknown; a basket is no order yet', () => {
  expect(compareHead(head(), [])).toBe('unknown');
  expect(compareHead(head({ lifecycle: 'draft', payment: 'unpaid' }), [])).toBe('known');
  expect(compareHead(head({ lifecycle: 'draft', payment: 'unpaid' }), [known({ lifecycle: 'draft', updatedAt: '2026-11-21T09:59:59.000Z' })])).toBe('known');
});

test('core 3: an order that became a draft is read, and so is a draft that was paid', () => {
  const draft = { lifecycle: 'draft', status: 'checkout-draft' } as const;

  expect(compareHead(head({ ...draft, payment: 'unpaid', updatedAt: LATER }), [known()])).toBe('stale');
  expect(compareHead(head({ ...draft, updatedAt: LATER }), [known()])).toBe('stale');
  expect(compareHead(head(draft), [])).toBe('unknown');
  expect(compareHead(head(draft), [known(draft)])).toBe('known');
});

test.each([
  ['the same', known(), 'known'],
  ['a later change is known already', known({ updatedAt: LATER }), 'known'],
  ['it changed since', known({ updatedAt: '2026-11-21T09:59:59.000Z' }), 'stale'],
  ['within one second, another status', known({ status: 'on-hold' }), 'stale'],
  ['within one second, another total', known({ total: '25.00' }), 'stale'],
  ['a refund was deleted, which does not move the time of change', known({ refundIds: ['70'] }), 'stale'],
  ['this platform lists no refunds in its webhooks', known({ refundIds: null }), 'known'],
  ['a webhook said that it is gone', known({ isDeleted: true, updatedAt: LATER }), 'stale'],
  ['it was trashed', known({ lifecycle: 'trashed' }), 'stale'],
] as const)('%s', (_, one, knowledge) => {
  expect(compareHead(head(), [one])).toBe(knowledge);
});

test('one in the trash that was said to be gone is known', () => {
  expect(compareHead(head({ lifecycle: 'trashed', status: 'trash' }), [known({ lifecycle: 'trashed', status: 'trash', isDeleted: true })])).toBe('known');
});

test('of several orders of one id, one that is the same is enough', () => {
  expect(compareHead(head(), [known({ total: '99.00' }), known()])).toBe('known');
});

test('an order that is gone for good is known once its deletion is, whatever state it had last', () => {
  const gone = head({ lifecycle: 'trashed', status: 'deleted', updatedAt: LATER, isGone: true });
  expect(compareHead(gone, [known({ isDeleted: true })])).toBe('known');
  expect(compareHead(gone, [known()])).toBe('stale');
});
