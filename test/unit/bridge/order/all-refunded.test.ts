import { expect, test } from 'vitest';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import { frozenOf, isAllRefunded, type Resolution, recordByHand, wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import type { Facts } from '../../../../src/bridge/order/facts/facts.ts';
import { another, other, record, same, undecided } from '../../../support/attempts/situations.ts';
import { facts, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

const byHand: Resolution = { how: 'recorded', revision: 1, complianceId: 'c-1', code: 'seller.other', who: 'cli:ana@office', why: 'so', at: '' };
const refunded: Facts = { ...undecided, refunds: facts({ refunds: [refund()] }).refunds };
const removed = { kind: 'nothing', why: 'refunded' };
const inDoubt = { kind: 'problems' };

/** A later revision of an order that a person recorded: all of it was refunded, and who sold it is still not clear. */
function wanted(values: Partial<Claim> = {}) {
  return wantedOf(sampleClaim({ revision: 2, facts: refunded, current: same, resolution: byHand, ...values }), sampleTerms());
}

test('a record that was made by hand is deleted once all the money went back', () => {
  expect(wanted()).toEqual(removed);
  expect(wanted({ current: null })).toEqual(removed);
  expect(wanted({ current: { ...same, record: { ...record, currency: 'BGN' } } })).toEqual(removed);
});

test('not while a part of it stays, of the order or of what was recorded', () => {
  expect(wanted({ facts: { ...undecided, refunds: facts({ refunds: [refund({ amount: '12.00' })] }).refunds } })).toMatchObject(inDoubt);
  const dearer = record.lineItems.map((line) => ({ ...line, price: '99.00' }));
  expect(wanted({ current: { ...same, record: { ...record, lineItems: dearer } } })).toMatchObject(inDoubt);
});

test('nor if more is in doubt than the person decided, or the record is another one, or the person said something else', () => {
  expect(wanted({ resolution: { ...byHand, code: 'payment.split' } })).toMatchObject(inDoubt);
  expect(wanted({ resolution: { ...byHand, complianceId: 'c-9' }, current: another })).toMatchObject(inDoubt);
  expect(wanted({ resolution: { ...byHand, how: 'elsewhere' } })).toMatchObject(inDoubt);
  expect(wanted({ resolution: null })).toMatchObject(inDoubt);
});

test('nothing is known to be given back of an order that is not known', () => {
  expect(
    isAllRefunded(
      { facts: facts({ snapshot: null }), current: null, resolution: byHand },
      { kind: 'problems', problems: [{ code: 'seller.other', detail: '' }] },
    ),
  ).toBe(false);
});

test('a free order has nothing to give back', () => {
  const free = snapshot({ total: '0.00', problems: [{ code: 'seller.other', detail: 'sold by another shop' }] });

  expect(wanted({ facts: { ...refunded, snapshot: free } })).toMatchObject(inDoubt);
});

test('what a record was made with is not read from one that nobody could read', () => {
  const unread = recordByHand({ orderId: '5001', facts: undecided, wanted: { kind: 'nothing', why: 'unknown' } });
  const made = { mapping: null, previous: null, facts: facts() };

  expect(frozenOf({ ...made, current: { ...same, record: unread } }, sampleTerms())).toBeNull();
  expect(frozenOf({ ...made, current: { ...same, record: other } }, sampleTerms())).not.toBeNull();
});
