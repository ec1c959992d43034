import type { FailureCode } from '../facts/failure.ts';

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
