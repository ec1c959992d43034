import { describe, expect, test } from 'vitest';
import { answerOf, foundOut, isToLookUp, type LookUpResult, type Reply, withLookUp } from '../../../../src/bridge/order/decisions/answer.ts';
import { conclude } from '../../../../src/bridge/order/decisions/conclude.ts';
import type { OpenStep, Step } from '../../../../src/bridge/order/decisions/step.ts';
import { lostCreate, lostDelete, NOW, other, same } from '../../../support/attempts/situations.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

function answered(status: number, standingId: string | null = null): Reply {
  return { kind: 'answered', status, id: null, standingId, detail: `${status} no`, retryAfterMs: null };
}

const there: LookUpResult = { is: 'there', complianceId: 'c-9' };
const notThere: LookUpResult = { is: 'not-there' };

/** What is written after a repeat that was refused, once its record was looked up. */
function written(given: OpenStep, looked: LookUpResult, claim: Parameters<typeof sampleClaim>[0] = {}) {
  const { step, answer } = withLookUp(given, answerOf(given, answered(422)), looked);
  const sent = { claim: sampleClaim(claim), terms: sampleTerms(), wanted: null, mayResend: true, workedAt: null, now: NOW, random: 0 };
  return conclude(sent, step, answer).write;
}

describe('a record is looked up', () => {
  test.each<[string, Step, Reply]>([
    ['a create is refused', lostCreate, answered(422)],
    ['a create meets a record that is not named', lostCreate, answered(409)],
    ['a delete is refused', lostDelete, answered(400)],
  ])('if the repeat of %s', (_what, step, reply) => {
    expect(isToLookUp(step, answerOf(step, reply))).toBe(true);
  });

  test.each<[string, Step, Reply]>([
    ['a first try', { ...lostCreate, uncertain: false }, answered(422)],
    ['a repeat that names the record', lostCreate, answered(409, 'c-9')],
    ['a repeat that is paused', lostCreate, answered(403)],
    ['a repeat of unknown outcome', lostCreate, answered(500)],
  ])('not after %s', (_what, step, reply) => {
    expect(isToLookUp(step, answerOf(step, reply))).toBe(false);
  });
});

test('of a create that can’t be repeated the list of records shows what became of it', () => {
  expect(foundOut(lostCreate, there)).toMatchObject({ outcome: 'recorded', recorded: 'yes', end: { seq: 3, outcome: 'recorded', complianceId: 'c-9' } });
  expect(foundOut(lostCreate, notThere)).toMatchObject({ recorded: 'no', end: { seq: 3, outcome: 'not-recorded', complianceId: null } });
});

describe('a repeat that is refused', () => {
  test('leaves the step open if the service does not show the record', () => {
    expect(written(lostCreate, { is: 'hidden' }, { previous: other })).toMatchObject({ state: 'unconfirmed', openStep: lostCreate });
    expect(written(lostDelete, { is: 'hidden' }, { current: same })).toMatchObject({ state: 'unconfirmed', openStep: lostDelete });
  });

  test('of a create whose record is listed records it', () => {
    const detail = '422 no; the service’s list of records shows that the request before was carried out';

    expect(written(lostCreate, there)).toMatchObject({
      ...{ state: 'recorded', openStep: null, current: { complianceId: 'c-9', record: lostCreate.record } },
      step: { outcome: 'recorded', detail, complianceId: 'c-9' },
    });
  });

  test('without words is journaled with its status', () => {
    const answer = answerOf(lostCreate, { kind: 'answered', status: 413, id: null, standingId: null, detail: '', retryAfterMs: null });

    expect(withLookUp(lostCreate, answer, there).answer.end.detail).toMatch(/^413; the service/);
  });

  test('of a create whose record is not listed is a refusal', () => {
    expect(written(lostCreate, notThere)).toMatchObject({ state: 'review', openStep: null, review: { code: 'compliance.refused', detail: '422 no' } });
    expect(written(lostCreate, notThere, { previous: other })).toMatchObject({ openStep: null, review: { code: 'replacement.refused' } });
  });

  test('of a delete whose record is listed is a refusal', () => {
    expect(written(lostDelete, there, { current: same })).toMatchObject({ state: 'review', openStep: null, review: { code: 'compliance.refused' } });
  });

  test('of a delete whose record is not listed any more has deleted it', () => {
    const write = written(lostDelete, notThere, { current: { ...same, record: other } });

    expect(write).toMatchObject({ current: null, previous: other, openStep: null, step: { outcome: 'deleted', complianceId: null } });
  });
});
