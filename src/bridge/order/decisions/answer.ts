import type { FailureCode } from '../facts/failure.ts';
import { classify, type Outcome, outcomes, type Reply } from './outcome.ts';
import type { OpenStep, Step, StepEnd } from './step.ts';

/** What the reply to one step says. */
export type Answer = {
  outcome: Outcome;
  end: StepEnd;
  /** Is the order recorded after it, as far as this answer shows? */
  recorded: 'yes' | 'no' | 'unknown';
  /** The service's id of the requested receipt, if it gave one. */
  receiptId: string | null;
  retryAfterMs: number | null;
};

/**
 * What an answer says about its destination. `wholeDestination` false: only the shop of the request is concerned; if `spreads`, until a
 * second shop is answered so.
 */
export type DestinationNews =
  | { is: 'working' }
  /** It says nothing of the creates that wait. */
  | { is: 'unclear' }
  /** `ofOrder`: perhaps for this order alone. */
  | { is: 'doubtful'; detail: string; ofOrder?: true }
  | { is: 'paused'; wholeDestination: boolean; spreads?: true; code: FailureCode; detail: string; retryAfterMs: number | null };

/** Reads the reply to a step. */
export function answerOf(step: Step, reply: Reply): Answer {
  const outcome = classify(step.kind, reply);
  const row = outcomes[outcome];
  const answered = reply.kind === 'answered' ? reply : null;
  const detail = reply.kind === 'answered' ? reply.detail : reply.error;
  const id = outcome === 'conflict' ? answered?.standingId : answered?.id;
  return {
    outcome,
    end: { seq: step.seq, outcome, status: answered?.status ?? null, detail: detail || null, complianceId: step.kind === 'create' ? (id ?? null) : null },
    recorded: step.uncertain ? row.repeated : row.recorded,
    receiptId: step.kind === 'receipt' ? (answered?.id ?? null) : null,
    retryAfterMs: answered?.retryAfterMs ?? null,
  };
}

/** What an answer says about its destination, apart from what it means for the order. */
export function destinationNews({ outcome, end, retryAfterMs }: Answer): DestinationNews {
  const row = outcomes[outcome];
  if (outcome === 'gone') return { is: 'unclear' };
  if (row.then === 'finish') return { is: 'working' };
  // A record that is not there any more is answered so, too.
  if (outcome === 'disbelieved') return { is: 'doubtful', detail: end.detail ?? outcome, ofOrder: true };
  if (row.then === 'uncertain') return { is: 'doubtful', detail: end.detail ?? 'the reply was lost' };
  const scope = { wholeDestination: row.scope === 'destination', ...(row.scope === 'shop-first' ? { spreads: true as const } : {}) };
  return { is: 'paused', ...scope, code: row.code, detail: end.detail ?? outcome, retryAfterMs };
}

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
