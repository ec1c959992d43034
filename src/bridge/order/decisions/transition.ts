import { backoffMs } from '../../../platform/backoff.ts';
import type { Problem, StoredCode } from '../facts/failure.ts';
import type { Frozen, Terms } from '../facts/settings.ts';
import { answerOf } from './answer.ts';
import { type Claim, type CurrentRecord, isPending, type Receipt, receiptStepOf } from './claim.ts';
import type { Stop } from './next-action.ts';
import type { OrderState } from './order-state.ts';
import type { OpenStep, Step, StepEnd } from './step.ts';
import { frozenOf } from './wanted.ts';

/** How one attempt at an order ended. */
export type AttemptEnd =
  /** Nothing is left to do for now: recorded, removed, waiting, or with a person. `receipt`: its state after this attempt; due: a separate attempt requests it. */
  | { kind: 'rest'; state: OrderState; detail: string; recordedMs: number | null; receipt?: Receipt['state'] }
  /** To be processed again after `ms`. */
  | { kind: 'again'; ms: number; why: string }
  /** Its destination is paused: it is claimed again when the destination works. */
  | { kind: 'paused'; why: string }
  /** Something is to be fetched from the store at this host, which is not done in this attempt. */
  | { kind: 'fetch'; host: string };

/** Another worker has taken the order: this one must write and send no more. */
export const leaseLost: AttemptEnd = { kind: 'again', ms: 100, why: 'the lease was lost' };
export const leaseLostWhileAnswering: AttemptEnd = { kind: 'again', ms: 100, why: 'the lease was lost while the service was answering' };

const SHORTEST_LEASE_WAIT_MS = 100;
const LONGEST_LEASE_WAIT_MS = 2_000;

/** Another worker has the order until `untilMs`; it may well be done sooner. */
export function leasedUntil(untilMs: number, now: number): AttemptEnd {
  return { kind: 'again', ms: Math.min(Math.max(untilMs - now, SHORTEST_LEASE_WAIT_MS), LONGEST_LEASE_WAIT_MS), why: 'another worker is working on it' };
}

/** Facts that came during the attempt do not wait out the backoff of older ones. `dueAt`: when the order is due, by the ledger. */
export function soonest(end: AttemptEnd, { newer, dueAt }: { newer: boolean; dueAt: number | null }, now: number): AttemptEnd {
  if (end.kind !== 'again' || !newer || dueAt === null) return end;
  return { ...end, ms: Math.min(end.ms, Math.max(0, dueAt - now)) };
}

/** After how many ms the order is to be processed once more; null: not until something changes. */
export function nextAttemptMs(end: AttemptEnd | { kind: 'missing' }): number | null {
  if (end.kind === 'again') return end.ms;
  return end.kind === 'rest' && end.receipt === 'due' ? 0 : null;
}

/** Of orders, of destinations and of stores. */
export const BACKOFF = { firstMs: 1_000, mostMs: 10 * 60_000 };

/** The fields of an order that are written, in one statement. Absent ones stay as they are. */
export type Write = {
  step?: StepEnd;
  current?: CurrentRecord | null;
  /** Absent with a new `current`: none. */
  receipt?: Receipt | null;
  /** Frozen with the order's first record. */
  mapping?: Frozen;
  previous?: Claim['previous'];
  uncertain?: Claim['uncertain'];
  openStep?: OpenStep | null;
  state: OrderState;
  review?: Problem | null;
  /** Raises it: ledger and compliance service agree about this revision. */
  recordedRevision?: number;
  /** Raises it: a person is asked about this revision. */
  reviewRevision?: number;
  /** Lowers both again: this revision is decided again after all. */
  reopens?: true;
  attempts?: number;
  /** When to attempt it again at the earliest, ms since 1970. */
  dueAt?: number;
  /** True: the lease goes on for the next step, or until it is sure that the settings are still those by which the order came to rest. */
  keep?: boolean;
};

/** One transition of an attempt: what is written, the order as it is from then on, and how the attempt ends with that; null: it goes on. */
export type Transition = { claim: Claim; write: Write; end: AttemptEnd | null };

type Also = Partial<Write>;
/** ms since 1970 */
type At = { now: number };

/** The transition of an action that sends nothing. */
export function transitionOf(action: Stop, claim: Claim, { terms, now }: At & { terms: Terms }): Transition {
  switch (action.do) {
    case 'end':
      return rest(claim, { state: action.state, now, previous: null, ...(action.state === 'recorded' ? frozenWith(claim, terms) : {}) });
    case 'wait':
      return again(claim, { ms: action.ms, why: action.why, now });
    case 'review':
      return rest(claim, { state: 'review', now, review: asProblem(action.problems), keep: true });
    case 'confirm':
      return rest(claim, { state: 'unconfirmed', now, openStep: action.step });
  }
}

function frozenWith(claim: Claim, terms: Terms): Pick<Write, 'mapping'> {
  const mapping = frozenOf(claim, terms);
  return mapping === null ? {} : { mapping };
}

/** The settings alone may leave a sale out like this. */
const LEFT_OUT: ReadonlySet<OrderState> = new Set<OrderState>(['waiting', 'ignored']);

/** The order rests at this revision: ledger and service agree, or a person is asked. */
export function rest(claim: Claim, { state, now, ...also }: Also & At & { state: OrderState }): Transition {
  const isAsked = state === 'review' || state === 'unconfirmed';
  const resting = isAsked ? { reviewRevision: claim.revision } : { recordedRevision: claim.revision, review: null };
  const isDue = receiptStepOf(claim) !== null;
  const when = { ...(isDue ? { dueAt: now } : {}), ...(LEFT_OUT.has(state) ? { keep: true } : {}) };
  return {
    claim,
    write: { state, attempts: 0, ...resting, ...withoutDoubt(claim), ...when, ...also },
    end: {
      kind: 'rest',
      state,
      detail: also.review?.code ?? '',
      recordedMs: (state === 'recorded' || state === 'removed') && claim.dirtySince !== null ? now - Date.parse(claim.dirtySince) : null,
      ...(isDue ? { receipt: 'due' as const } : {}),
    },
  };
}

/** What was deleted is gone for good. */
export function withoutDoubt({ uncertain }: Claim): Pick<Write, 'uncertain'> {
  return uncertain === null ? {} : { uncertain: null };
}

/** The step is done; the next action is decided by what is now known. */
export function goOn(claim: Claim, also: Also): Transition {
  return { claim, write: { state: pending(claim), ...also, keep: true }, end: null };
}

/** The order came to rest at this revision under terms that are out of date: it is decided again under today's. */
export function reopened(claim: Claim): Transition {
  return goOn(claim, { review: claim.review, reopens: true });
}

/** To be processed again after `ms`. */
function again(claim: Claim, { ms, why, now, ...also }: Also & At & { ms: number; why: string }): Transition {
  return { claim, write: { state: pending(claim), dueAt: now + ms, ...also }, end: { kind: 'again', ms, why } };
}

/** Waits longer with each failure in a row of this order. `random` in [0, 1). */
export function retryLater(claim: Claim, { random, ...also }: Also & At & { random: number; why: string }): Transition {
  const attempts = claim.attempts + 1;
  return again(claim, { ms: backoffMs(BACKOFF, attempts, random), attempts, ...also });
}

const FIRST_STAY_IN_QUEUE = 6;

/** Another attempt fetches what is missing. If that one is lost, the order is pending after 16 to 32 s, and later each time. `random` in [0, 1). */
export function handedOver(claim: Claim, { host, now, random }: At & { host: string; random: number }): Transition {
  const dueAt = now + backoffMs(BACKOFF, claim.attempts + FIRST_STAY_IN_QUEUE, random);
  return { claim, write: { state: pending(claim), dueAt, attempts: claim.attempts + 1 }, end: { kind: 'fetch', host } };
}

const SPREAD_MS = 2_000;

/** Its store is not called for so long; the orders that wait for that do not all come at once. `random` in [0, 1). */
export function waitForStore(claim: Claim, { leftMs, why, now, random }: At & { leftMs: number; why: string; random: number }): Transition {
  return again(claim, { ms: Math.max(0, leftMs) + Math.round(random * SPREAD_MS), why, now, attempts: Math.max(claim.attempts, 1) });
}

/** Its destination is paused. */
export function paused(claim: Claim, { why, now, ...also }: Also & At & { why: string }): Transition {
  return { claim, write: { state: pending(claim), dueAt: now, ...also }, end: { kind: 'paused', why } };
}

/** The same before it was sent: a step that was uncertain before stays so. */
export function notSent(claim: Claim, step: Step, { why, now }: At & { why: string }): Transition {
  return paused(claim, { why, now, ...(step.uncertain === true ? { openStep: step } : {}) });
}

/** The same of a step that is journaled, since its buyer does not open here for now. `random` in [0, 1). */
export function unopened(claim: Claim, step: Step, at: At & { random: number }): Transition {
  const why = 'its buyer could not be read for now, so that nothing was sent';
  const { end } = answerOf(step, { kind: 'not-sent', error: why });
  return retryLater(claim, { ...at, why, step: end, openStep: step.uncertain === true ? step : null });
}

function pending(claim: Claim): OrderState {
  return isPending(claim) ? pendingState(claim.state) : claim.state;
}

/** All problems in the words of one, under the code of the first. */
export function asProblem([first, ...more]: readonly [Problem, ...Problem[]]): Problem {
  const others = more.map(({ code, detail }) => (code === first.code ? detail : `${code}: ${detail}`));
  return { code: first.code, detail: [first.detail, ...others].join('; ') };
}

/** How merging newer facts changes an order. */
export type Requeued = {
  /** It will be submitted. */
  queued: boolean;
  /** The question to a person is out of date. */
  cleared: boolean;
  /** A person must still decide, also about the newer facts. */
  asked: boolean;
};

/** `raised`: its fiscal content changed. Which record must be deleted, and which sale it is, only a person can say, even if the order changes again. */
export function requeued({ state, reviewCode }: { state: OrderState; reviewCode: StoredCode | null }, raised: boolean): Requeued {
  const isAsked = reviewCode === 'record.doubled' || reviewCode === 'order.other';
  return { queued: raised && !isAsked && pendingState(state) === 'queued', cleared: raised && !isAsked, asked: isAsked };
}

/** The state of an order that is pending: it is submitted, unless a person must first report the outcome of a create. */
export function pendingState(state: OrderState): OrderState {
  return state === 'unconfirmed' ? state : 'queued';
}
