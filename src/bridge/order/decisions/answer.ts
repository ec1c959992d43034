import type { FailureCode } from '../facts/failure.ts';
import type { OpenStep, Step, StepEnd } from './step.ts';

/** The result of one request to the compliance service, as seen on the wire. */
export type Reply =
  | { kind: 'not-sent'; error: string }
  | { kind: 'lost'; error: string }
  | {
      kind: 'answered';
      status: number;
      id: string | null;
      standingId: string | null;
      detail: string;
      retryAfterMs: number | null;
      /** Sorted top-level keys of the body of a 404 or 410; absent if it is no JSON object. */
      keys?: readonly string[];
      /** A 404 or 410 in the shape in which the service itself says that it has no such order; absent: anybody may have answered. */
      isOwn?: true;
    };

/** A step that changes the record at the service. */
type RecordStep = 'create' | 'delete';
export type StepKind = RecordStep | 'receipt';

/** Each has one row in `outcomes`. */
export type Outcome =
  | 'recorded'
  | 'deleted'
  | 'gone'
  | 'refused'
  | 'conflict'
  | 'receipt-got'
  | 'receipt-refused'
  | 'unreachable'
  | 'throttled'
  | 'misconfigured'
  | 'shop-unknown'
  | 'shop-refused'
  | 'disbelieved'
  | 'unknown';

type Recorded = 'yes' | 'no' | 'unknown';

type Row = {
  /** Is the order recorded after this reply to a first try? */
  recorded: Recorded;
  /** And after this reply to a repeat, whose first try may have been done? */
  repeated: Recorded;
  /** finish: the step is over. pause: the destination or shop is paused, no attempt is used. uncertain: resend, or ask a person. */
  then: 'finish' | 'pause' | 'uncertain';
  /** shop-first: the shop is paused, and the destination with the second shop that is answered so. */
  scope: 'destination' | 'shop' | 'shop-first' | 'none';
  code: FailureCode | null;
};

/** The one table of what each reply means and how it is handled. */
export const outcomes = {
  recorded: { recorded: 'yes', repeated: 'yes', then: 'finish', scope: 'none', code: null },
  deleted: { recorded: 'no', repeated: 'no', then: 'finish', scope: 'none', code: null },
  gone: { recorded: 'no', repeated: 'no', then: 'finish', scope: 'none', code: null },
  refused: { recorded: 'no', repeated: 'unknown', then: 'finish', scope: 'none', code: 'compliance.refused' },
  conflict: { recorded: 'no', repeated: 'unknown', then: 'finish', scope: 'none', code: 'compliance.conflict' },
  // The order stays recorded, with or without its receipt.
  'receipt-got': { recorded: 'yes', repeated: 'yes', then: 'finish', scope: 'none', code: null },
  'receipt-refused': { recorded: 'yes', repeated: 'yes', then: 'finish', scope: 'none', code: 'receipt.refused' },
  unreachable: { recorded: 'no', repeated: 'unknown', then: 'pause', scope: 'destination', code: 'compliance.unreachable' },
  throttled: { recorded: 'no', repeated: 'unknown', then: 'pause', scope: 'destination', code: 'compliance.throttled' },
  misconfigured: { recorded: 'no', repeated: 'unknown', then: 'pause', scope: 'destination', code: 'compliance.misconfigured' },
  'shop-unknown': { recorded: 'no', repeated: 'unknown', then: 'pause', scope: 'shop', code: 'compliance.misconfigured' },
  'shop-refused': { recorded: 'no', repeated: 'unknown', then: 'pause', scope: 'shop-first', code: 'compliance.misconfigured' },
  // A 404 to a delete that an ingress or another program may have given.
  disbelieved: { recorded: 'unknown', repeated: 'unknown', then: 'uncertain', scope: 'none', code: 'compliance.failing' },
  unknown: { recorded: 'unknown', repeated: 'unknown', then: 'uncertain', scope: 'none', code: 'compliance.failing' },
} as const satisfies Record<Outcome, Row>;

/** Why a destination or shop is paused. `compliance.insecure` is found before a request is sent. */
export type PauseCode = Extract<(typeof outcomes)[Outcome], { then: 'pause' }>['code'] | 'compliance.failing' | 'compliance.insecure';

/** Classifies a reply; every status has a class. */
export function classify(step: StepKind, reply: Reply): Outcome {
  if (reply.kind === 'not-sent') return 'unreachable';
  if (reply.kind === 'lost') return 'unknown';
  const { status } = reply;
  if (status === 429 || status === 503) return 'throttled';
  if (status === 401) return 'misconfigured';
  if (status === 403) return 'shop-refused';
  switch (step) {
    case 'create':
      return created(status, reply.id);
    case 'delete':
      return deleted(status, reply.isOwn === true);
    case 'receipt':
      return receipted(status);
  }
}

function created(status: number, id: string | null): Outcome {
  if (status >= 200 && status < 300) return id === null ? 'unknown' : 'recorded';
  if (status === 404) return 'shop-unknown';
  if (status === 409) return 'conflict';
  if (status === 408 || status >= 500 || status < 400) return 'unknown';
  return 'refused';
}

function deleted(status: number, isOwn: boolean): Outcome {
  if (status === 404 || status === 410) return isOwn ? 'gone' : 'disbelieved';
  return status >= 200 && status < 300 ? 'deleted' : deletionRefused(status);
}

function deletionRefused(status: number): Outcome {
  return isRefusal(status) ? 'refused' : 'unknown';
}

/** 404 and 501, too: the service lacks the operation or the order, so repeating the request would not help. */
function receipted(status: number): Outcome {
  if (status >= 200 && status < 300) return 'receipt-got';
  return isRefusal(status) || status === 501 ? 'receipt-refused' : 'unknown';
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

/**
 * Marks a 404 or 410 as the service's own if its body has the same keys as the service's answer to the delete of an order that never existed.
 * `known`: those keys, sorted; null: not known, so nothing is believed.
 */
export function withOrigin(reply: Reply, known: readonly string[] | null): Reply {
  if (reply.kind !== 'answered' || reply.keys === undefined || known === null) return reply;
  return sameKeys(reply.keys, known) ? { ...reply, isOwn: true } : reply;
}

function sameKeys(keys: readonly string[], known: readonly string[]): boolean {
  return keys.length === known.length && keys.every((key, at) => key === known[at]);
}

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
  | { is: 'uncertain'; detail: string; ofOrder?: true }
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
  if (outcome === 'disbelieved') return { is: 'uncertain', detail: end.detail ?? outcome, ofOrder: true };
  if (row.then === 'uncertain') return { is: 'uncertain', detail: end.detail ?? 'the reply was lost' };
  const scope = { wholeDestination: row.scope === 'destination', ...(row.scope === 'shop-first' ? { spreads: true as const } : {}) };
  return { is: 'paused', ...scope, code: row.code, detail: end.detail ?? outcome, retryAfterMs };
}

/** What the service shows of a step's record. hidden: it lists no records, or none that is surely this one. */
export type LookUpResult = { is: 'there'; complianceId: string } | { is: 'not-there' } | { is: 'hidden' };

/** The first try of this step may have been done, and its repeat is refused: only a list of records shows what became of it. */
export function isToLookUp(step: Step, { outcome, end }: Answer): step is OpenStep {
  return step.uncertain && (outcome === 'refused' || (outcome === 'conflict' && end.complianceId === null));
}

/** The answer and its step, with what a look-up of the record has shown. */
export function withLookUp(step: OpenStep, answer: Answer, looked: LookUpResult): { step: OpenStep; answer: Answer } {
  if (looked.is === 'hidden') return { step, answer };
  // The list confirms the refusal: nothing became of the first try either.
  if ((looked.is === 'there') === (step.kind === 'delete')) return { step: { ...step, uncertain: false }, answer };
  const outcome = step.kind === 'create' ? 'recorded' : 'deleted';
  const detail = `${answer.end.detail ?? answer.end.status}; the service’s list of records shows that the request before was carried out`;
  const complianceId = looked.is === 'there' ? looked.complianceId : null;
  return { step, answer: { ...answer, outcome, recorded: looked.is === 'there' ? 'yes' : 'no', end: { ...answer.end, outcome, detail, complianceId } } };
}

/** What a look-up shows of a create that can't be repeated, as its answer. */
export function foundOut({ seq }: OpenStep, looked: Exclude<LookUpResult, { is: 'hidden' }>): Answer {
  const rest = { receiptId: null, retryAfterMs: null };
  const end = { seq, status: null };
  if (looked.is === 'not-there') {
    const detail = 'the service’s list of records does not have it';
    return { ...rest, outcome: 'refused', recorded: 'no', end: { ...end, outcome: 'not-recorded', detail, complianceId: null } };
  }
  const detail = 'the service’s list of records shows it';
  return { ...rest, outcome: 'recorded', recorded: 'yes', end: { ...end, outcome: 'recorded', detail, complianceId: looked.complianceId } };
}
