import { describe, expect, test } from 'vitest';
import type { Facts, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { type Hints, hintsOf } from '../../../../src/bridge/order/facts/missing.ts';
import { fingerprint } from '../../../../src/bridge/order/facts/view.ts';
import { at, facts, snapshot } from '../../../support/samples/order-facts.ts';

/** An order with one refund, whose state came at 10:01. */
function refunded(values: Partial<Omit<Facts, 'refunds' | 'transactions'>> = {}, state: Partial<Snapshot> = {}): Facts {
  return facts({ snapshot: snapshot({ refunds: [{ id: 'r1', amount: '5.00' }], ...state }), ...values });
}

test.each<[string, Facts, Hints | null]>([
  ['an order of which everything is known is not', refunded(), null],
  ['an order that is said to have changed is not: its state comes, or is read', refunded({ changedAt: at('10:02') }), null],
  ['nor one that is not known', facts({ snapshot: null, snapshotSeenAt: null, changedAt: at('10:02') }), null],
  ['one in the trash that is said to have changed since is', refunded({ changedAt: at('10:02') }, { lifecycle: 'trashed' }), { changedAt: at('10:02') }],
  ['not if it was said before it was seen there', refunded({ changedAt: at('10:01') }, { lifecycle: 'trashed' }), null],
  ['not if the store was read since', refunded({ changedAt: at('10:02') }, { lifecycle: 'trashed', readAt: at('10:03') }), null],
  ['one that was deleted, and said to have changed since, is', refunded({ deletedAt: at('10:02'), changedAt: at('10:03') }), { changedAt: at('10:03') }],
  ['not if it was said before it was deleted', refunded({ deletedAt: at('10:03'), changedAt: at('10:02') }), null],
  ['a listed refund that is said to be deleted is', refunded({ withdrawn: { r1: at('10:02'), r9: at('10:09') } }), { refundsAt: at('10:02') }],
  ['not a refund that is not listed', refunded({ withdrawn: { r2: at('10:02') } }), null],
  ['not where nothing is listed', refunded({ withdrawn: { r1: at('10:02') } }, { refunds: null }), null],
  ['not if it was said before', refunded({ withdrawn: { r1: at('10:00') } }), null],
  ['not if the store was read since and still lists it', refunded({ withdrawn: { r1: at('10:02') } }, { readAt: at('10:03') }), null],
  ['not in the trash: an order takes its refunds along', refunded({ withdrawn: { r1: at('10:02') } }, { lifecycle: 'trashed' }), null],
  ['not when the order itself was deleted', refunded({ withdrawn: { r1: at('10:02') }, deletedAt: at('10:02') }), null],
  ['a list that came shorter later is', refunded({ listLengths: { 0: at('10:02') } }), { refundsAt: at('10:02') }],
  ['not one that came shorter earlier', refunded({ listLengths: { 0: at('10:00') } }), null],
  ['not one that came longer', refunded({ listLengths: { 2: at('10:02') } }), null],
  ['not where the state lists nothing', refunded({ listLengths: { 0: at('10:02') } }, { refunds: null }), null],
  ['the last of several words counts', refunded({ withdrawn: { r1: at('10:05') }, listLengths: { 0: at('10:02') } }), { refundsAt: at('10:05') }],
])('open hints: %s', (_what, known, hints) => {
  expect(hintsOf(known)).toEqual(hints);
});

describe('the fingerprint', () => {
  test('changes with a hint, and with each newer word of it', () => {
    const trashed = (values: Parameters<typeof refunded>[0]) => refunded(values, { lifecycle: 'trashed' });
    const prints = [trashed({}), trashed({ changedAt: at('10:02') }), trashed({ changedAt: at('10:03') }), refunded({ listLengths: { 0: at('10:02') } })];

    expect(new Set(prints.map(fingerprint)).size).toBe(4);
    expect(fingerprint(refunded({ changedAt: at('10:02') }))).toBe(fingerprint(refunded()));
  });

  test('does not change with words that were answered', () => {
    expect(fingerprint(refunded({ changedAt: at('10:00'), withdrawn: { r1: at('10:00') } }))).toBe(fingerprint(refunded()));
  });
});
