import { expect, test } from 'vitest';
import type { Facts, Snapshot } from '../../../../src/bridge/order/facts.ts';
import { wantedOf } from '../../../../src/bridge/order/wanted.ts';
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
