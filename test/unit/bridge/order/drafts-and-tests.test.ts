import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import { nextAction } from '../../../../src/bridge/order/decisions/next-action.ts';
import type { Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import type { Terms } from '../../../../src/bridge/order/facts/settings.ts';
import { NOW, record, same } from '../../../support/attempts/situations.ts';
import { at, facts, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

type Way = { values: Partial<Snapshot>; claim?: Partial<Claim>; settings?: Partial<Terms['settings']> };

/** What is done with an order whose newest state is this one. */
function action({ values, claim = {}, settings = {} }: Way) {
  const known = facts({ snapshot: snapshot({ status: 'checkout-draft', ...values }), paidSeenAt: at('10:01') });
  return nextAction({ claim: sampleClaim({ facts: known, ...claim }), terms: sampleTerms({ settings }), mayFetch: false, mayResend: false, now: NOW });
}

const asks = { do: 'review', problems: [{ code: 'removal.unproven' }] };
/** Without the moment of payment nothing is left of the sale: neither lines nor buyer. */
const emptied: Partial<Snapshot> = { lifecycle: 'draft', payment: 'unpaid', lines: [] };

describe('core 3: a recorded order that becomes a draft or a test keeps its record until a person decided', () => {
  test.each<[string, Partial<Snapshot>]>([
    ['a draft that still has its moment of payment', { lifecycle: 'draft' }],
    ['a draft without one', emptied],
    ['a draft of 0.00', { ...emptied, total: '0.00' }],
    ['a test', { test: true }],
    ['a draft that was refunded in part', { lifecycle: 'draft', refunds: [{ id: 'r1', amount: '4.00' }] }],
  ])('%s', (_what, values) => {
    expect(action({ values, claim: { current: same } })).toMatchObject(asks);
  });

  test('a draft asks, too, of what counted as paid by the settings alone', () => {
    const never = { current: same, facts: facts({ snapshot: snapshot(emptied), paidSeenAt: null }) };

    expect(action({ values: {}, claim: never })).toMatchObject(asks);
  });

  test('what was deleted for a replacement is put back', () => {
    expect(action({ values: emptied, claim: { previous: record } })).toMatchObject({ do: 'send', step: { kind: 'create', record } });
  });

  test.each<[string, Partial<Snapshot>, 'removed' | 'refunded']>([
    ['a draft', emptied, 'removed'],
    ['a test', { test: true }, 'removed'],
  ])('where cancelling is enough (`removeWithoutRefund`), %s removes it', (_what, values, why) => {
    const sent = action({ values, claim: { current: same }, settings: { removeWithoutRefund: 'remove' } });

    expect(sent).toMatchObject({ do: 'send', step: { kind: 'delete' }, wanted: { kind: 'nothing', why } });
  });

  test.each([
    ['a draft', { lifecycle: 'draft' } as const],
    ['a draft whose lines are gone', emptied],
    ['a test', { test: true }],
  ])('where it is to be kept, or a person said so, %s stays recorded', (_what, values) => {
    expect(action({ values, claim: { current: same }, settings: { removeWithoutRefund: 'keep' } })).toEqual({ do: 'end', state: 'recorded' });
    const resolution = { how: 'kept', revision: 1, complianceId: null, code: 'removal.unproven', who: 'cli', why: '', at: at('10:00') } as const;
    expect(action({ values, claim: { current: same, resolution } })).toEqual({ do: 'end', state: 'recorded' });
  });

  test('a refund that is seen of a draft without lines is never lost', () => {
    const values = { ...emptied, refunds: [{ id: 'r1', amount: '4.00' }] };

    expect(action({ values, claim: { current: same }, settings: { removeWithoutRefund: 'keep' } })).toMatchObject({ do: 'review' });
  });

  test.each([
    ['a draft', emptied],
    ['a test', { test: true }],
  ])('%s whose money went back is removed', (_what, values) => {
    const sent = action({ values: { ...values, refunds: [{ id: 'r1', amount: '24.00' }] }, claim: { current: same } });

    expect(sent).toMatchObject({ do: 'send', step: { kind: 'delete' }, wanted: { kind: 'nothing', why: 'refunded' } });
  });
});

describe('core 3: nothing of it is recorded', () => {
  test('a draft that was seen paid asks: a sale that waited for settings is not forgotten', () => {
    expect(action({ values: emptied })).toMatchObject(asks);
    expect(action({ values: { lifecycle: 'draft' } })).toMatchObject(asks);
  });

  test('a draft that was never seen paid is ignored, and so is a test', () => {
    const never = facts({ snapshot: snapshot(emptied), paidSeenAt: null, refunds: [refund({ amount: '1.00' })] });

    expect(action({ values: {}, claim: { facts: never } })).toEqual({ do: 'end', state: 'ignored' });
    expect(action({ values: { test: true } })).toEqual({ do: 'end', state: 'ignored' });
  });
});

test('a record whose content only a person knows is not removed because its order is older than the connection', () => {
  const unknown = { ...same, record: { ...record, lineItems: [] } };
  const claim = sampleClaim({ current: unknown, revision: 2, facts: facts({ snapshot: snapshot({ number: '#1043' }) }) });
  const sent = nextAction({ claim, terms: sampleTerms({ recordFrom: '2026-12-01T00:00:00Z', onTrial: true }), mayFetch: false, mayResend: false, now: NOW });

  expect(sent).toMatchObject({ wanted: { kind: 'record' } });
});
