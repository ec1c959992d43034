import { describe, expect, test } from 'vitest';
import { classify, type Outcome, outcomes, type Reply, type StepKind } from '../../../../src/bridge/order/decisions/answer.ts';
import { conclude } from '../../../../src/bridge/order/decisions/conclude.ts';
import { type AnswerCase, answers } from '../../../support/attempts/answers.ts';

const cases: AnswerCase[] = Object.values(answers).flatMap((byOutcome) => Object.values(byOutcome).flat());

describe('every outcome', () => {
  const statuses = Array.from({ length: 500 }, (_, i) => i + 100);
  const replies: Reply[] = [
    ...([{ kind: 'not-sent' }, { kind: 'lost' }] as const).map((one) => ({ ...one, error: '' })),
    ...statuses.flatMap((status) => [null, 'c-1'].map((id) => ({ kind: 'answered' as const, status, id, standingId: id, detail: '', retryAfterMs: null }))),
    { kind: 'answered', status: 404, id: null, standingId: null, detail: '', retryAfterMs: null, isOwn: true },
  ];
  const ofStep = (step: StepKind) => new Set(replies.map((reply) => classify(step, reply)));

  test.each(Object.keys(answers) as StepKind[])('that a %s can have has a row', (step) => {
    expect(new Set(Object.keys(answers[step]))).toEqual(ofStep(step));
  });

  test.each(['create', 'delete'] as const)('that a %s can have has a row for a first try, and one for a repeat', (step) => {
    const tries = Object.entries(answers[step]).map(([outcome, cases]) => [outcome, [...new Set(cases.map((one) => one.step.uncertain))].toSorted()]);

    expect(tries).toEqual(Object.keys(answers[step]).map((outcome) => [outcome, [false, true]]));
  });

  test('a repeat that is refused leaves the step open, and closes none that may have been done', () => {
    const repeats = cases.filter(({ step, answer }) => step.uncertain && ['refused', 'conflict'].includes(answer.outcome));
    const isOurs = ({ sent, answer }: AnswerCase) => answer.end.complianceId !== null && !sent.otherOrder;
    const left = repeats.filter((one) => !isOurs(one)).map(({ sent, step, answer }) => [conclude(sent, step, answer).write.openStep, answer.recorded]);

    expect(left).toEqual(repeats.filter((one) => !isOurs(one)).map(({ step }) => [step, 'unknown']));
    expect(left.length).toBeGreaterThan(4);
  });

  test('can be had by some step', () => {
    const had = (['create', 'delete', 'receipt'] as const).flatMap((step) => [...ofStep(step)]);

    expect(new Set<Outcome>(had)).toEqual(new Set(Object.keys(outcomes)));
  });
});
