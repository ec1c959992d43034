import { expect, test } from 'vitest';
import { wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import type { Facts, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { at, facts, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

function wanted(values: Partial<Snapshot>, amount = '12.00', refundsVanish = true) {
  const known: Facts = facts({
    snapshot: snapshot({ refunds: [{ id: 'r1', amount }], ...values }),
    refunds: [refund({ amount })],
    withdrawn: { r1: at('12:00') },
  });
  return wantedOf(sampleClaim({ facts: known }), sampleTerms({ refundsVanish }));
}

const inDoubt = { code: 'refund.deleted', detail: 'The store says that a refund was deleted since it last sent the order.' };

test('a person is asked about a refund that may be deleted', () => {
  expect([wanted({}), wanted({}, '24.00')]).toEqual(Array.from({ length: 2 }, () => ({ kind: 'problems', problems: [inDoubt] })));
});

test('after what must be asked anyway', () => {
  expect(wanted({ gateways: ['unknownpay'] })).toMatchObject({ kind: 'problems', problems: [{ code: 'payment.unmapped' }, inDoubt] });
});

test('not where nothing is recorded for another reason, nor where no refund can be deleted', () => {
  expect(wanted({ payment: 'unpaid' })).toEqual({ kind: 'nothing', why: 'unpaid' });
  expect([wanted({}, '12.00', false).kind, wanted({}, '24.00', false).kind]).toEqual(['record', 'nothing']);
});

test('an order that a backfill took in counts whenever it was paid: before the connection’s time, and while it was disconnected', () => {
  const payments = { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' } };
  const later = sampleTerms({ recordFrom: '2027-01-01T00:00:00Z', settings: { payments } });
  const away = sampleTerms({
    recordFrom: '2020-01-01T00:00:00Z',
    gaps: [{ from: '2020-01-02T00:00:00Z', until: '2027-01-01T00:00:00Z' }],
    settings: { payments },
  });

  expect([later, away].map((terms) => wantedOf(sampleClaim(), terms))).toEqual([
    { kind: 'nothing', why: 'before-record-from' },
    { kind: 'nothing', why: 'disconnected' },
  ]);
  for (const terms of [later, away]) expect(wantedOf(sampleClaim({ backfilled: true }), terms)).not.toMatchObject({ kind: 'nothing' });
});

test('while its store is on trial nothing is recorded of an order, backfilled or not, unless it was recorded before', () => {
  const terms = sampleTerms({ onTrial: true, settings: { payments: { stripe: { paymentType: 'OTHER' } } } });
  const before = wantedOf(sampleClaim(), { ...terms, onTrial: false });
  if (before.kind !== 'record') throw new Error('the sample order should be recorded');
  const current = { record: before.record, complianceId: 'c-1', destinationId: 'd1' };

  expect([{}, { backfilled: true }].map((claim) => wantedOf(sampleClaim(claim), terms))).toEqual(Array(2).fill({ kind: 'nothing', why: 'trial' }));
  expect(wantedOf(sampleClaim({ current }), terms)).toEqual(before);
});
