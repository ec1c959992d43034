import type { Answer } from './answer.ts';
import type { OpenStep, Step } from './step.ts';

/** What the service shows of a step's record. hidden: it lists no records, or none that is surely this one. */
export type Looked = { is: 'there'; complianceId: string } | { is: 'not-there' } | { is: 'hidden' };

/** The first try of this step may have been done, and its repeat is refused: only a list of records shows what became of it. */
export function isToLookUp(step: Step, { outcome, end }: Answer): step is OpenStep {
  return step.uncertain && (outcome === 'refused' || (outcome === 'conflict' && end.complianceId === null));
}

/** The answer and its step, with what a look-up of the record has shown. */
export function withLookUp(step: OpenStep, answer: Answer, looked: Looked): { step: OpenStep; answer: Answer } {
  if (looked.is === 'hidden') return { step, answer };
  // The list confirms the refusal: nothing became of the first try either.
  if ((looked.is === 'there') === (step.kind === 'delete')) return { step: { ...step, uncertain: false }, answer };
  const outcome = step.kind === 'create' ? 'recorded' : 'deleted';
  const detail = `${answer.end.detail ?? answer.end.status}; the service’s list of records shows that the request before was carried out`;
  const complianceId = looked.is === 'there' ? looked.complianceId : null;
  return { step, answer: { ...answer, outcome, recorded: looked.is === 'there' ? 'yes' : 'no', end: { ...answer.end, outcome, detail, complianceId } } };
}

/** What a look-up shows of a create that can't be repeated, as its answer. */
export function foundOut({ seq }: OpenStep, looked: Exclude<Looked, { is: 'hidden' }>): Answer {
  const rest = { receiptId: null, retryAfterMs: null };
  const end = { seq, status: null };
  if (looked.is === 'not-there') {
    const detail = 'the service’s list of records does not have it';
    return { ...rest, outcome: 'refused', recorded: 'no', end: { ...end, outcome: 'not-recorded', detail, complianceId: null } };
  }
  const detail = 'the service’s list of records shows it';
  return { ...rest, outcome: 'recorded', recorded: 'yes', end: { ...end, outcome: 'recorded', detail, complianceId: looked.complianceId } };
}
