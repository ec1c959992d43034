import { describe, expect, test } from 'vitest';
import { notSent, reopened, retryLater, transitionOf } from '../../../../src/bridge/order/decisions/transition.ts';
import { wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import type { Problem } from '../../../../src/bridge/order/facts/failure.ts';
import { another, due, lostCreate, lostDelete, NOW, same } from '../../../support/attempts/situations.ts';
import { facts, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

const claim = sampleClaim({ review: { code: 'vat.unmapped', detail: '9 %' }, attempts: 3 });
const terms = sampleTerms();
const paidWhenDelivered = sampleTerms({ settings: { paidStatuses: ['delivered'] } });
const agreed = { attempts: 0, recordedRevision: 1, review: null };

describe('an order that comes to rest', () => {
  test.each(['waiting', 'ignored'] as const)(
    'as %s agrees with the service at this revision, and keeps its lease until the settings are looked at',
    (state) => {
      expect(transitionOf({ do: 'end', state }, claim, { terms, now: NOW })).toEqual({
        claim,
        write: { state, ...agreed, previous: null, keep: true },
        end: { kind: 'rest', state, detail: '', recordedMs: null },
      });
    },
  );

  test.each(['recorded', 'removed'] as const)('as %s says how long that took', (state) => {
    expect(transitionOf({ do: 'end', state }, claim, { terms, now: NOW }).end).toMatchObject({ recordedMs: 30 * 60_000 });
    expect(transitionOf({ do: 'end', state }, { ...claim, dirtySince: null }, { terms, now: NOW }).end).toMatchObject({ recordedMs: null });
  });

  test('as recorded freezes the mapping of what stands', () => {
    expect(transitionOf({ do: 'end', state: 'recorded' }, { ...claim, current: same }, { terms, now: NOW }).write).toMatchObject({
      mapping: { vatGroups: { '20': 'GROUP_B' } },
    });
    expect(transitionOf({ do: 'end', state: 'waiting' }, { ...claim, current: same }, { terms, now: NOW }).write).not.toHaveProperty('mapping');
  });

  test('so that what counted as paid by its status alone is not deleted in another one', () => {
    const delivered = { ...claim, current: same, facts: facts({ snapshot: snapshot({ payment: 'unpaid', paidAt: null, status: 'delivered' }) }) };
    const { mapping = null } = transitionOf({ do: 'end', state: 'recorded' }, delivered, { terms: paidWhenDelivered, now: NOW }).write;
    const archived = facts({ snapshot: snapshot({ payment: 'unpaid', paidAt: null, status: 'archived' }) });

    expect(wantedOf({ ...delivered, mapping, facts: archived }, paidWhenDelivered)).toMatchObject({ problems: [{ code: 'payment.outstanding' }] });
    expect(wantedOf(delivered, sampleTerms())).toEqual({ kind: 'nothing', why: 'unpaid' });
    expect(wantedOf(delivered, paidWhenDelivered)).toMatchObject({ kind: 'record' });
  });

  test('while a receipt is due is processed again at once', () => {
    const transition = transitionOf({ do: 'end', state: 'recorded' }, { ...claim, current: same, receipt: due }, { terms, now: NOW });

    expect([transition.write.dueAt, transition.end]).toEqual([NOW, expect.objectContaining({ receipt: 'due' })]);
  });
});

describe('a person', () => {
  const vat: Problem = { code: 'vat.unmapped', detail: 'The VAT rate 9 % has no group.' };

  test.each<[string, [Problem, ...Problem[]], string]>([
    ['one problem', [vat], vat.detail],
    ['several of a kind', [vat, { ...vat, detail: 'The VAT rate 7 % has no group.' }], 'The VAT rate 9 % has no group.; The VAT rate 7 % has no group.'],
    ['several kinds', [vat, { code: 'payment.unmapped', detail: 'cod' }], 'The VAT rate 9 % has no group.; payment.unmapped: cod'],
  ])('is asked about %s in one text, while the lease goes on', (_what, problems, detail) => {
    const { write, end } = transitionOf({ do: 'review', problems }, claim, { terms, now: NOW });

    expect(write).toEqual({ state: 'review', attempts: 0, reviewRevision: 1, review: { code: 'vat.unmapped', detail }, keep: true });
    expect(end).toEqual({ kind: 'rest', state: 'review', detail: 'vat.unmapped', recordedMs: null });
  });

  test('is asked about the outcome of a create, which stays open', () => {
    const { write, end } = transitionOf({ do: 'confirm', step: lostCreate }, claim, { terms, now: NOW });

    expect(write).toEqual({ state: 'unconfirmed', attempts: 0, reviewRevision: 1, openStep: lostCreate });
    expect(end).toEqual({ kind: 'rest', state: 'unconfirmed', detail: '', recordedMs: null });
  });
});

test('what came to rest under older settings is decided again, and the earlier question stays', () => {
  expect(reopened(claim)).toEqual({ claim, write: { state: 'queued', review: claim.review, reopens: true, keep: true }, end: null });
});

describe('an order that waits', () => {
  test('is processed again when the time is over', () => {
    expect(transitionOf({ do: 'wait', ms: 5_000, why: 'its id is awaited' }, claim, { terms, now: NOW })).toEqual({
      claim,
      write: { state: 'queued', dueAt: NOW + 5_000 },
      end: { kind: 'again', ms: 5_000, why: 'its id is awaited' },
    });
  });

  test('after a failure waits longer than after the one before', () => {
    expect(retryLater(claim, { why: 'no answer', now: NOW, random: 0 })).toMatchObject({ write: { attempts: 4, dueAt: NOW + 4_000 }, end: { ms: 4_000 } });
  });

  test.each([
    [{ state: 'queued' }, 'queued'],
    [{ state: 'recorded' }, 'queued'],
    [{ state: 'unconfirmed' }, 'unconfirmed'],
    [{ state: 'review', reviewRevision: 1 }, 'review'],
    [{ state: 'recorded', recordedRevision: 1 }, 'recorded'],
  ] as const)('from %o on is %s', (from, state) => {
    expect(retryLater({ ...claim, ...from }, { why: '', now: NOW, random: 0 }).write.state).toBe(state);
  });

  test.each([
    ['a step that was never sent is not open', { ...lostCreate, uncertain: false }, { state: 'queued', dueAt: NOW }],
    ['a create whose reply was lost stays open', lostCreate, { state: 'queued', dueAt: NOW, openStep: lostCreate }],
    ['a delete whose reply was lost stays open', lostDelete, { state: 'queued', dueAt: NOW, openStep: lostDelete }],
  ])('for its destination keeps what is known: %s', (_what, step, write) => {
    expect(notSent({ ...claim, current: another }, step, { why: 'compliance.throttled: 429', now: NOW })).toEqual({
      claim: { ...claim, current: another },
      write,
      end: { kind: 'paused', why: 'compliance.throttled: 429' },
    });
  });
});
