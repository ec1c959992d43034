import { describe, expect, test } from 'vitest';
import { conclude } from '../../../../src/bridge/order/decisions/conclude.ts';
import { frozenBy } from '../../../../src/bridge/order/decisions/desired.ts';
import type { OpenStep } from '../../../../src/bridge/order/decisions/step.ts';
import type { Write } from '../../../../src/bridge/order/decisions/transition.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';
import { type AnswerCase, answers } from '../../../support/attempts/answers.ts';
import { left, lostCreate, lostDelete, NOW, other, owing, record, uncertain } from '../../../support/attempts/situations.ts';
import { facts } from '../../../support/samples/order-facts.ts';

/** The fields written besides the end of the step, and how the attempt ends; null: it goes on. */
type Expected = [Omit<Write, 'step'>, object | null];

const HALF_AN_HOUR = 30 * 60_000;
const closed = { openStep: null };

/** This record exists now, and no other is remembered. */
function stands(what: TaxRecord, { id = 'c-9' } = {}) {
  const current = { record: what, complianceId: id, destinationId: 'd1' };
  return { ...closed, current, receipt: null, previous: null, mapping: frozenBy(what, facts()) };
}

function recorded(write: Partial<Write>, { end = {} } = {}): Expected {
  const state = 'recorded';
  return [
    { ...write, state, attempts: 0, recordedRevision: 1, review: null },
    { kind: 'rest', state, detail: '', recordedMs: HALF_AN_HOUR, ...end },
  ];
}

function removed(): Expected {
  const write: Write = { state: 'removed', attempts: 0, recordedRevision: 1, review: null, current: null, previous: null, ...closed };
  return [write, { kind: 'rest', state: 'removed', detail: '', recordedMs: HALF_AN_HOUR }];
}

type ReviewCode = 'compliance.refused' | 'compliance.conflict' | 'replacement.refused';

function review(code: ReviewCode, detail: string, write: Partial<Write> = closed): Expected {
  const asked = { state: 'review', attempts: 0, reviewRevision: 1, review: { code, detail } } as const;
  return [
    { ...write, ...asked },
    { kind: 'rest', state: 'review', detail: code, recordedMs: null },
  ];
}

/** Only a person can find out; nothing else is written. */
function unconfirmed(openStep: OpenStep): Expected {
  return [
    { state: 'unconfirmed', attempts: 0, reviewRevision: 1, openStep },
    { kind: 'rest', state: 'unconfirmed', detail: '', recordedMs: null },
  ];
}

/** The next action follows under the same lease. */
function goesOn(write: Partial<Write>): Expected {
  return [{ ...closed, ...write, state: 'queued', keep: true }, null];
}

function paused(why: string, openStep: OpenStep | null, state: Write['state'] = 'queued'): Expected {
  return pausedWith(why, { state, openStep });
}

function pausedWith(why: string, write: Partial<Write>): Expected {
  return [
    { state: 'queued', dueAt: NOW, ...write },
    { kind: 'paused', why },
  ];
}

const NOT_FOUND = '404 page not found';

function disbelievedSince(hours: number): OpenStep {
  return { ...lostDelete, since: new Date(NOW - hours * 3_600_000).toISOString() };
}

function again({ ms, ...write }: { ms: number } & Partial<Write>, why = 'time-out'): Expected {
  return [
    { state: 'queued', dueAt: NOW + ms, ...write },
    { kind: 'again', ms, why },
  ];
}

function receipt(values: object, end: object): Expected {
  const write = { state: 'recorded', attempts: 0, receipt: { complianceId: 'c-1', at: new Date(NOW).toISOString(), ...values } } as Write;
  return [write, { kind: 'rest', state: 'recorded', detail: '', recordedMs: null, ...end }];
}

const dueNow = { state: 'due', complianceId: 'c-9', since: new Date(NOW).toISOString(), seq: null } as const;
const ofAnother = 'it is recorded (its id there: c-8). It is the record of the order 1001 (id:4) of this ledger, made from the connection c2: leave it there';
const deletedBefore = 'it is recorded (its id there: c-8). It is a record of this order that the service had deleted: delete it there';
const nothingStands = 'no such group; the previous content was refused as well: nothing is recorded now';

const expected: Record<string, Expected> = {
  'create recorded, it is desired': recorded(stands(record)),
  'create recorded, it is desired, after a 404 that was believed': recorded({ ...stands(record), uncertain: null }),
  'create recorded, it is desired, with a receipt': recorded({ ...stands(record), receipt: dueNow, dueAt: NOW }, { end: { receipt: 'due' } }),
  'create recorded, repeated, and it is still desired': recorded(stands(record)),
  'create recorded, it is desired, and a person must decide about the rest': goesOn({ ...stands(left), mapping: frozenBy(left, owing) }),
  'create recorded, repeated, and another record is desired': goesOn(stands(other)),
  'create recorded, the previous record was put back, because its replacement was refused': review('replacement.refused', '422 no such group', stands(other)),
  'create recorded, the previous record was put back, because a person must decide': goesOn(stands(other)),
  'create refused, there was no previous record': review('compliance.refused', 'no such group'),
  'create refused, it was to replace a record': goesOn({ review: { code: 'replacement.refused', detail: 'no such group' } }),
  'create refused, the previous record was to be put back': review('replacement.refused', nothingStands),
  'create refused, repeated': unconfirmed(lostCreate),
  'create refused, repeated, and it was to replace a record': unconfirmed(lostCreate),
  'create refused, repeated, and the previous record was to be put back': unconfirmed({ ...lostCreate, record: other }),
  'create conflict, sent for the first time': review('compliance.conflict', 'it is recorded (its id there: c-8)'),
  'create conflict, sent for the first time, and the service does not say which record': review('compliance.conflict', 'the service answered 409'),
  'create conflict, repeated: the record is the one that the lost request made': recorded(stands(record, { id: 'c-8' })),
  'create conflict, repeated, and the service does not say which record': unconfirmed(lostCreate),
  'create conflict, and the record is another order’s of this ledger': review('compliance.conflict', ofAnother),
  'create conflict, repeated, and the record is another order’s of this ledger': unconfirmed(lostCreate),
  'create conflict, and the record is one of this order that was deleted': review('compliance.conflict', deletedBefore),
  'create conflict, repeated, and the record is one of this order that was deleted': unconfirmed(lostCreate),
  'create unreachable, sent for the first time': paused('compliance.unreachable: ECONNREFUSED', null),
  'create unreachable, repeated': paused('compliance.unreachable: ECONNREFUSED', lostCreate),
  'create throttled, sent for the first time': paused('compliance.throttled: throttled', null),
  'create throttled, repeated': paused('compliance.throttled: throttled', lostCreate),
  'create misconfigured, sent for the first time': paused('compliance.misconfigured: unknown key', null),
  'create misconfigured, repeated': paused('compliance.misconfigured: unknown key', lostCreate),
  'create shop-unknown, sent for the first time': paused('compliance.misconfigured: no such shop', null),
  'create shop-unknown, repeated': paused('compliance.misconfigured: no such shop', lostCreate),
  'create shop-unknown, a 404 was believed that said that the old record is gone': pausedWith('compliance.misconfigured: 404 page not found', {
    ...{ current: { record: other, ...uncertain }, previous: null, uncertain: null },
    openStep: { kind: 'delete', seq: 4, ...uncertain, uncertain: true },
  }),
  'create shop-unknown, repeated, after a 404 that was believed': paused('compliance.misconfigured: 404 page not found', lostCreate),
  'create shop-refused, sent for the first time': paused('compliance.misconfigured: shop suspended', null),
  'create shop-refused, repeated': paused('compliance.misconfigured: shop suspended', lostCreate),
  'create unknown, its key is honoured': again({ ms: 500, attempts: 1, openStep: lostCreate }),
  'create unknown, the merchant says to resend': again({ ms: 500, attempts: 1, openStep: lostCreate }),
  'create unknown, a person must look': unconfirmed(lostCreate),
  'create unknown, repeated, and its key is honoured': again({ ms: 500, attempts: 1, openStep: lostCreate }, 'out of order'),
  'create unknown, repeated, and a person must look': unconfirmed(lostCreate),

  'delete deleted, no record is desired': removed(),
  'delete deleted, another record is desired': goesOn({ current: null, previous: other }),
  'delete deleted, repeated, and no record is desired': removed(),
  'delete deleted, another record is desired, and nobody could read the old one': goesOn({ current: null, previous: null }),
  'delete deleted, after a 404 that was believed, and another record is desired': goesOn({ current: null, previous: other, uncertain: null }),
  'delete deleted, repeated, its record is forgotten, and another record is desired': goesOn({ current: null, previous: other }),
  'delete gone, it was deleted elsewhere, and no record is desired': removed(),
  'delete gone, it was deleted elsewhere, and another record is desired': goesOn({ current: null, previous: other, uncertain }),
  'delete disbelieved, for the first time': again({ ms: 500, attempts: 1, openStep: disbelievedSince(0) }, NOT_FOUND),
  'delete gone, repeated, and no record is desired': removed(),
  'delete disbelieved, repeated, and it was not disbelieved before': again({ ms: 500, attempts: 1, openStep: disbelievedSince(0) }, NOT_FOUND),
  'delete disbelieved, for an hour': again({ ms: 2_000, attempts: 3, openStep: disbelievedSince(1) }, NOT_FOUND),
  'delete disbelieved, for six hours, in which the service did nothing else': again({ ms: 500, attempts: 1, openStep: disbelievedSince(6) }, NOT_FOUND),
  'delete disbelieved, for six hours, and nothing else was sent': again({ ms: 500, attempts: 1, openStep: disbelievedSince(6) }, NOT_FOUND),
  'delete disbelieved, for six hours, and other records were made': unconfirmed(disbelievedSince(6)),
  'delete refused': review('compliance.refused', 'the delete was refused: the month is closed'),
  'delete refused, without a reason': review('compliance.refused', 'the delete was refused: 400'),
  'delete refused, repeated': unconfirmed(lostDelete),
  'delete unreachable, sent for the first time': paused('compliance.unreachable: ECONNREFUSED', null),
  'delete unreachable, repeated': paused('compliance.unreachable: ECONNREFUSED', lostDelete),
  'delete throttled, sent for the first time': paused('compliance.throttled: throttled', null),
  'delete throttled, repeated': paused('compliance.throttled: throttled', lostDelete),
  'delete misconfigured, sent for the first time': paused('compliance.misconfigured: misconfigured', null),
  'delete misconfigured, repeated': paused('compliance.misconfigured: misconfigured', lostDelete),
  'delete shop-refused, sent for the first time': paused('compliance.misconfigured: shop-refused', null),
  'delete shop-refused, repeated': paused('compliance.misconfigured: shop-refused', lostDelete),
  'delete unknown': again({ ms: 2_000, attempts: 3, openStep: lostDelete }),
  'delete unknown, repeated': again({ ms: 500, attempts: 1, openStep: lostDelete }),
  'delete unknown, after a 404 that was not believed': again({ ms: 500, attempts: 1, openStep: disbelievedSince(7) }),

  'receipt receipt-got': receipt({ state: 'got', id: 'receipt-1' }, { receipt: 'got' }),
  'receipt receipt-got, the service returns no id': receipt({ state: 'got', id: null }, { receipt: 'got' }),
  'receipt receipt-refused': receipt({ state: 'refused', detail: 'no receipts here' }, { detail: 'receipt.refused: no receipts here', receipt: 'refused' }),
  'receipt receipt-refused, without a reason': receipt(
    { state: 'refused', detail: 'the service answered 501' },
    { detail: 'receipt.refused: the service answered 501', receipt: 'refused' },
  ),
  'receipt unreachable': paused('compliance.unreachable: ECONNREFUSED', null, 'recorded'),
  'receipt throttled': paused('compliance.throttled: throttled', null, 'recorded'),
  'receipt misconfigured': paused('compliance.misconfigured: unknown key', null, 'recorded'),
  'receipt shop-refused': paused('compliance.misconfigured: no right to it', null, 'recorded'),
  'receipt unknown': again({ ms: 500, attempts: 1, state: 'recorded' }),
  'receipt unknown, without a reason': again({ ms: 500, attempts: 1, state: 'recorded' }, 'the reply was lost'),
};

type Row = [string, AnswerCase & { outcome: string }];

const rows: Row[] = Object.entries(answers).flatMap(([step, byOutcome]) =>
  Object.entries(byOutcome).flatMap(([outcome, cases]) =>
    cases.map((one): Row => [`${step} ${outcome}${one.and === '' ? '' : `, ${one.and}`}`, { ...one, outcome }]),
  ),
);

describe('an answer', () => {
  test.each(rows)('%s', (name, { step, answer, sent, outcome }) => {
    const [write, end] = expected[name] ?? [];
    const transition = conclude(sent, step, answer);

    expect(answer.outcome).toBe(outcome);
    expect(transition.write).toEqual({ step: answer.end, ...write });
    expect(transition.end).toEqual(end);
  });

  test('has no expectation without a row', () => {
    expect(Object.keys(expected).toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  });

  test('returns the order with the written fields, and with the number of its step', () => {
    for (const [, { step, answer, sent }] of rows) {
      const { claim, write } = conclude(sent, step, answer);

      if (write.current !== undefined) expect(claim.current).toEqual(write.current);
      if (write.previous !== undefined && write.keep === true) expect(claim.previous).toEqual(write.previous);
      expect([claim.stepSeq, claim.openStep]).toEqual([3, null]);
    }
  });

  test('keeps the mapping that the order was first recorded with', () => {
    const [{ step, answer, sent }] = answers.create.recorded as [AnswerCase];
    const first = { vatGroups: {}, payments: {}, convertTo: null, pricesContainVat: null, giftCards: null, giftCardsDeducted: null };

    expect(conclude({ ...sent, claim: { ...sent.claim, mapping: first } }, step, answer).claim.mapping).toEqual(first);
  });

  test('that names no record has made none', () => {
    const [{ step, answer, sent }] = answers.create.recorded as [AnswerCase];

    expect(conclude(sent, step, { ...answer, end: { ...answer.end, complianceId: null } }).write.state).toBe('review');
  });

  test('changes nothing of the order as it was sent', () => {
    const before = structuredClone(answers);
    for (const [, { step, answer, sent }] of rows) conclude(sent, step, answer);

    expect(answers).toEqual(before);
  });
});
