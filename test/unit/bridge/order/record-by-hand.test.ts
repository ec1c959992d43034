import { expect, test } from 'vitest';
import { isContentKnown, recordByHand } from '../../../../src/bridge/order/decisions/wanted.ts';
import { sameContent } from '../../../../src/bridge/order/money/same-content.ts';
import { record } from '../../../support/attempts/situations.ts';
import { facts, snapshot } from '../../../support/samples/order-facts.ts';

const undecided = { kind: 'problems', problems: [{ code: 'payment.split', detail: 'two' }] } as const;

test('a record that a person reports has the content that should be recorded', () => {
  expect(recordByHand({ orderId: '5001', facts: facts(), wanted: { kind: 'record', record } })).toBe(record);
  expect(isContentKnown(record)).toBe(true);
});

test('where that can’t be decided it has no lines, so that it equals nothing that is desired later', () => {
  const known = facts({ snapshot: snapshot({ currency: 'JPY' }) });
  const said = recordByHand({ orderId: '5001', facts: known, wanted: { kind: 'problems', problems: [...undecided.problems] } });

  expect(said).toMatchObject({ internalId: '5001', internalNumber: record.internalNumber, lineItems: [], currency: 'JPY', precision: 0 });
  expect(isContentKnown(said)).toBe(false);
  expect(sameContent(said, record)).toBe(false);
});

test('it can be reported of an order of which nothing else is known', () => {
  const said = recordByHand({ orderId: '5001', facts: facts({ snapshot: null }), wanted: { kind: 'nothing', why: 'unknown' } });

  expect(said).toMatchObject({ internalId: '5001', internalNumber: '', lineItems: [], currency: 'EUR', precision: 2 });
});
