import { describe, expect, test } from 'vitest';
import { knownSummaryOf } from '../../../../src/bridge/ledger/sync/known-summaries.ts';
import type { Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../../src/bridge/order/facts/merge.ts';
import { viewOf } from '../../../../src/bridge/order/facts/view.ts';
import { compareSummary, isOlderThere, type KnownSummary } from '../../../../src/bridge/reconciliation/compare-summary.ts';
import type { OrderSummary } from '../../../../src/bridge/storefronts/store-reader.ts';
import { at, line, news, snapshot } from '../../../support/samples/order-facts.ts';

const AT = '2026-11-21T10:00:00.000Z';
const LATER = '2026-11-21T10:00:01.000Z';

function summary(changes: Partial<OrderSummary> = {}): OrderSummary {
  return {
    ...{ orderId: '7', number: '#7', updatedAt: AT, status: 'processing', lifecycle: 'live', payment: 'paid', test: false },
    ...{ currency: 'EUR', total: '24.00', soldAt: AT, kept: '24.00', refundIds: [] },
    ...changes,
  };
}

function known(changes: Partial<KnownSummary> = {}): KnownSummary {
  return {
    updatedAt: AT,
    status: 'processing',
    lifecycle: 'live',
    currency: 'EUR',
    total: '24.00',
    kept: '24.00',
    seenAt: AT,
    refundIds: [],
    isDeleted: false,
    ...changes,
  };
}

test('an order that nobody told of is unknown; a basket is no order yet', () => {
  expect(compareSummary(summary(), [])).toBe('unknown');
  expect(compareSummary(summary({ lifecycle: 'draft', payment: 'unpaid' }), [])).toBe('known');
  expect(compareSummary(summary({ lifecycle: 'draft', payment: 'unpaid' }), [known({ lifecycle: 'draft', updatedAt: '2026-11-21T09:59:59.000Z' })])).toBe(
    'known',
  );
});

test('core 3: an order that became a draft is read, and so is a draft that was paid', () => {
  const draft = { lifecycle: 'draft', status: 'checkout-draft' } as const;

  expect(compareSummary(summary({ ...draft, payment: 'unpaid', updatedAt: LATER }), [known()])).toBe('stale');
  expect(compareSummary(summary({ ...draft, updatedAt: LATER }), [known()])).toBe('stale');
  expect(compareSummary(summary(draft), [])).toBe('unknown');
  expect(compareSummary(summary(draft), [known(draft)])).toBe('known');
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
  expect(compareSummary(summary(), [one])).toBe(knowledge);
});

test('one in the trash that was said to be gone is known', () => {
  expect(compareSummary(summary({ lifecycle: 'trashed', status: 'trash' }), [known({ lifecycle: 'trashed', status: 'trash', isDeleted: true })])).toBe('known');
});

test('of several orders of one id, one that is the same is enough', () => {
  expect(compareSummary(summary(), [known({ total: '99.00' }), known()])).toBe('known');
});

test('an order that is gone for good is known once its deletion is, whatever state it had last', () => {
  const gone = summary({ lifecycle: 'trashed', status: 'deleted', updatedAt: LATER, isGone: true });
  expect(compareSummary(gone, [known({ isDeleted: true })])).toBe('known');
  expect(compareSummary(gone, [known()])).toBe('stale');
});

test.each([
  ['the money that was kept', known({ kept: '14.00' }), {}, 'stale'],
  ['the same money in other words', known({ kept: '24' }), {}, 'known'],
  ['a list that does not say it', known({ kept: '14.00' }), { kept: null }, 'known'],
  ['a state that does not say it', known({ kept: null }), {}, 'known'],
  ['money that the list makes in another way', known({ kept: '14.00' }), { total: '9.00', totalMayDiffer: true }, 'stale'],
  ['the same of a state that was read since', known({ kept: '14.00', readAt: LATER }), { total: '9.00', totalMayDiffer: true }, 'known'],
  ['money of a later state', known({ kept: '14.00', updatedAt: LATER }), {}, 'known'],
] as const)('Shopify F3: within one second, %s', (...[, one, listed, knowledge]) => {
  expect(compareSummary(summary(listed), [one])).toBe(knowledge);
});

describe('Shopify F3: of two states of one second the one that the store shows wins, whichever of them came last', () => {
  const state = (total: string, more: Partial<Snapshot> = {}) =>
    factsOf(news({ snapshot: snapshot({ total, kept: total, lines: [line({ gross: total })], digest: total, ...more }) }), at('10:01'));

  test.each([
    ['30.00', '45.00'],
    ['45.00', '30.00'],
  ])('known are %s and %s', (first, second) => {
    const listed = summary({ updatedAt: at('10:00'), total: '0.00', totalMayDiffer: true, kept: '45.00' });
    const known = merge(state(first), state(second));
    // The merge of webhooks alone has no means to tell them apart.
    const isWrong = known.snapshot?.kept !== '45.00';
    expect(compareSummary(listed, [knownSummaryOf(known)])).toBe(isWrong ? 'stale' : 'known');
    expect(compareSummary({ ...listed, kept: '30.00' }, [knownSummaryOf(known)])).toBe(isWrong ? 'known' : 'stale');

    for (const kept of ['45.00', '30.00']) {
      const read = merge(known, state(kept, { readAt: at('10:05') }));
      expect(viewOf(read)?.kept).toBe(kept);
      expect(compareSummary({ ...listed, kept }, [knownSummaryOf(read)])).toBe('known');
    }
  });
});

const EARLIER = '2026-11-21T09:00:00.000Z';
const LISTED_AT = Date.parse(AT) + 10 * 60_000;

test.each([
  ['a refund is gone there', { refundIds: [], kept: '24.00' }, known({ refundIds: ['8'], kept: '14.00' }), true],
  ['it is not paid there', { status: 'pending', payment: 'unpaid', kept: null }, known(), true],
  ['nothing but its time differs', {}, known(), false],
  ['the later state came while the list was read, or just before', { status: 'pending' }, known({ seenAt: '2026-11-21T10:06:00.000Z' }), false],
  ['the list is newer', { status: 'completed', updatedAt: LATER }, known(), false],
  ['it was deleted', { status: 'pending' }, known({ isDeleted: true }), false],
  ['it is a draft', { lifecycle: 'draft' }, known(), false],
] as const)('live L3: a store shows an older state than it gave before, if %s', (...[, listed, one, isOlder]) => {
  const shown = summary({ updatedAt: EARLIER, ...listed });
  expect(isOlderThere(shown, [one], LISTED_AT)).toBe(isOlder);
  expect(isOlderThere(shown, [one, known()], LISTED_AT)).toBe(false);
  expect(isOlderThere(shown, [], LISTED_AT)).toBe(false);
});
