import type { Terms } from '../facts/settings.ts';
import { sameContent } from '../money/same-content.ts';
import { type Answer, destinationNews, type Outcome } from './answer.ts';
import { type Claim, type CurrentRecord, type Receipt, receiptDue, type UncertainRecord } from './claim.ts';
import { type Desired, frozenBy } from './desired.ts';
import { stateOfNothing } from './order-state.ts';
import type { CreateStep, DeleteStep, OpenStep, ReceiptStep, Step } from './step.ts';
import { goOn, paused, rest, retryLater, type Transition, withoutDoubt } from './transition.ts';
import { isContentKnown, wantedOf } from './wanted.ts';

/** The order of this ledger that has the record that is in the way of a create: another one, or the same, which had it deleted. */
export type OtherOrder = { id: number; orderId: string; connectionId: string };

/** The order when the step was sent, and everything else that the meaning of its answer depends on. */
export type Sent = {
  claim: Claim;
  terms: Terms;
  /** What should be recorded, if the step was decided by that in this attempt; facts and terms have not changed since. */
  wanted: Desired | null;
  /** The step's destination honours its Idempotency-Key. */
  mayResend: boolean;
  /** When the step's destination last did what it was sent, ms since 1970; null: not seen. */
  workedAt: number | null;
  /** After a conflict: whose record it is, if this ledger knows that the create did not make it. */
  otherOrder?: OtherOrder | null;
  /** ms since 1970 */
  now: number;
  /** [0, 1) */
  random: number;
};

/** What an answer means for its order. Pure; what it means for the destination is `destinationNews`. */
export function conclude(sent: Sent, step: Step, answer: Answer): Transition {
  const { claim } = sent;
  const after: Sent = { ...sent, claim: { ...claim, stepSeq: Math.max(claim.stepSeq, step.seq), openStep: null } };
  const news = destinationNews(answer);
  if (news.is === 'uncertain') return unknown(after, step, { ...answer, why: news.detail });
  if (news.is === 'paused') return notLetIn(after, step, { ...answer, why: `${news.code}: ${news.detail}` });
  switch (step.kind) {
    case 'create':
      return created(after, step, answer);
    case 'delete':
      return deleted(after, step, answer);
    case 'receipt':
      return receipted(after, step, answer);
  }
}

type Why = Pick<Answer, 'end' | 'outcome'> & { why: string };

/** Nothing is recorded by this reply and no attempt is used. What was uncertain before stays so. */
function notLetIn({ claim, now }: Sent, step: Step, { outcome, end, why }: Why): Transition {
  if (step.uncertain === true) return paused(claim, { why, now, step: end, openStep: step });
  // Anyone who answers 404 to this create may have answered 404 to the delete before it.
  const again = outcome === 'shop-unknown' ? reopenedDelete(claim) : null;
  if (again === null) return paused(claim, { why, now, step: end, openStep: null });
  const before = { current: again.current, previous: null, uncertain: null };
  return paused({ ...claim, ...before }, { why, now, step: end, ...before, openStep: again.openStep });
}

function unknown(sent: Sent, step: Step, { outcome, end, why }: Why): Transition {
  const { claim, terms, mayResend, workedAt, now, random } = sent;
  if (step.kind === 'receipt') return retryLater(claim, { why, now, random, step: end });
  const openStep = step.kind === 'delete' ? leftOpen(step, outcome, now) : { ...step, uncertain: true };
  const isResent =
    step.kind === 'delete' ? !(outcome === 'disbelieved' && isForPerson(step, { now, workedAt })) : mayResend || terms.settings.unknownOutcome === 'resend';
  return isResent ? retryLater(claim, { why, now, random, step: end, openStep }) : unconfirmed(sent, openStep, { end });
}

/** A repeat that is refused says nothing about the first try, whose reply was lost: only a person can find out what became of it. */
function unconfirmed({ claim, now }: Sent, step: OpenStep, { end }: Pick<Answer, 'end'>): Transition {
  return rest(claim, { state: 'unconfirmed', now, step: end, openStep: step });
}

/** A create is recorded, or refused. */
function created(sent: Sent, step: CreateStep, answer: Answer): Transition {
  const { outcome, end } = answer;
  // The service has the record that our lost request made: it is ours, with exactly that content; unless the ledger knows it as another order's, or a deleted one.
  const isOurs = outcome === 'recorded' || (outcome === 'conflict' && step.uncertain && !sent.otherOrder);
  if (isOurs && end.complianceId !== null) return recorded(sent, step, { ...answer, complianceId: end.complianceId });
  if (step.uncertain) return unconfirmed(sent, step, answer);
  return outcome === 'conflict' ? conflicts(sent, answer) : refused(sent, step, answer);
}

function recorded({ claim, terms, wanted, now }: Sent, step: CreateStep, { end, complianceId }: Answer & { complianceId: string }): Transition {
  const { record } = step;
  const { current, receipt } = madeBy(step, complianceId, now);
  const mapping = frozenBy(record, claim.facts, terms.settings.paidStatuses);
  const write = { step: end, openStep: null, current, receipt, mapping, previous: null, ...withoutDoubt(claim) };
  const made: Claim = { ...claim, current, receipt, previous: null, uncertain: null, mapping: claim.mapping ?? mapping };
  const isPrevious = claim.review?.code === 'replacement.refused' && claim.previous !== null && sameContent(record, claim.previous);
  if (isPrevious) return rest(made, { state: 'review', now, ...write, review: claim.review });
  const should = wanted ?? wantedOf(made, terms);
  const isWanted = should.kind === 'record' && should.question === undefined && sameContent(should.record, record);
  return isWanted ? rest(made, { state: 'recorded', now, ...write }) : goOn(made, write);
}

/** The service has a record under the order's id that was not made for it. */
function conflicts({ claim, now, otherOrder }: Sent, { end }: Answer): Transition {
  const there = end.complianceId === null ? wordsOf(end) : `${wordsOf(end)} (its id there: ${end.complianceId})`;
  const words = otherOrder ? `${there}. ${otherOrder.id === claim.id ? DELETED : ofThisLedger(otherOrder)}` : there;
  return rest(claim, { state: 'review', now, step: end, openStep: null, review: { code: 'compliance.conflict', detail: words } });
}

const DELETED = 'It is a record of this order that the service had deleted: delete it there';

function ofThisLedger({ id, orderId, connectionId }: OtherOrder): string {
  return `It is the record of the order ${orderId} (id:${id}) of this ledger, made from the connection ${connectionId}: leave it there`;
}

/** A record that it was to replace is put back before a person is asked. */
function refused({ claim, now }: Sent, { record }: CreateStep, { end }: Answer): Transition {
  const over = { step: end, openStep: null };
  const detail = wordsOf(end);
  if (claim.previous === null) return rest(claim, { state: 'review', now, ...over, review: { code: 'compliance.refused', detail } });
  if (sameContent(record, claim.previous)) {
    const nothing = `${detail}; the previous content was refused as well: nothing is recorded now`;
    return rest(claim, { state: 'review', now, ...over, review: { code: 'replacement.refused', detail: nothing } });
  }
  const review = { code: 'replacement.refused', detail } as const;
  return goOn({ ...claim, review }, { ...over, review });
}

/** A delete is done, or refused. */
function deleted(sent: Sent, step: DeleteStep, { outcome, end }: Answer): Transition {
  const { claim, terms, wanted, now } = sent;
  const over = { step: end, openStep: null };
  if (outcome === 'refused' && step.uncertain) return unconfirmed(sent, step, { end });
  if (outcome === 'refused') {
    const detail = `the delete was refused: ${end.detail ?? end.status}`;
    return rest(claim, { state: 'review', now, ...over, review: { code: 'compliance.refused', detail } });
  }
  const gone: Claim = { ...claim, current: null, receipt: null, previous: before(claim) };
  const should = wanted ?? wantedOf(gone, terms);
  if (should.kind === 'nothing') return rest(gone, { state: stateOfNothing[should.why], now, ...over, current: null, previous: null });
  const uncertain = uncertainBy(step, outcome);
  return goOn({ ...gone, uncertain }, { ...over, current: null, previous: gone.previous, ...(uncertain === null ? withoutDoubt(claim) : { uncertain }) });
}

// What nobody could read can't be recorded again.
function before({ current, previous }: Claim): Claim['previous'] {
  if (current === null) return previous;
  return isContentKnown(current.record) ? current.record : null;
}

/** The service has given the receipt, or refuses it: either way nothing is left to do for the order, and its record is unchanged. */
function receipted({ claim, now }: Sent, { complianceId }: ReceiptStep, { outcome, end, receiptId }: Answer): Transition {
  const { state } = claim;
  const at = new Date(now).toISOString();
  const isGot = outcome === 'receipt-got';
  const receipt: Receipt = isGot ? { state: 'got', complianceId, at, id: receiptId } : { state: 'refused', complianceId, at, detail: wordsOf(end) };
  return {
    claim,
    write: { state, receipt, step: end, attempts: 0 },
    end: { kind: 'rest', state, detail: isGot ? '' : `receipt.refused: ${wordsOf(end)}`, recordedMs: null, receipt: receipt.state },
  };
}

function wordsOf({ detail, status }: Answer['end']): string {
  return detail ?? `the service answered ${status}`;
}

const LONGEST_DOUBT_MS = 6 * 60 * 60_000;

/** The delete as it stays open; `since` if its 404 is not believed. `now` in ms since 1970. */
function leftOpen(step: DeleteStep, outcome: Outcome, now: number): DeleteStep {
  const since = outcome === 'disbelieved' ? { since: step.since ?? new Date(now).toISOString() } : {};
  return { ...step, uncertain: true, ...since };
}

/**
 * Only a person can find out: the service works, and its answer to this delete has not been believed for hours. `workedAt`: when it last did
 * what it was sent, ms since 1970; null: not seen.
 */
function isForPerson({ since }: DeleteStep, { now, workedAt }: { now: number; workedAt: number | null }): boolean {
  if (since === undefined || workedAt === null) return false;
  const from = Date.parse(since);
  return now - from >= LONGEST_DOUBT_MS && workedAt > from;
}

/** The record that a create with a 404 makes uncertain again: it exists as far as is known, and its delete is open. Null: there is none. */
function reopenedDelete({ uncertain, previous, stepSeq }: Claim): { current: CurrentRecord; openStep: DeleteStep } | null {
  if (uncertain === null || previous === null) return null;
  return { current: { record: previous, ...uncertain }, openStep: { kind: 'delete', seq: stepSeq + 1, ...uncertain, uncertain: true } };
}

/** A record that a 404 said to be gone: the create that follows shows whether that was the service's word. */
export function uncertainBy({ complianceId, destinationId }: DeleteStep, outcome: string): UncertainRecord | null {
  return outcome === 'gone' ? { complianceId, destinationId } : null;
}

export type CreatedRecord = { current: CurrentRecord; receipt: Receipt | null };

/** The record that a create has made, and the receipt that is then due. `now` in ms since 1970. */
export function madeBy({ record, destinationId, receipt }: CreateStep, complianceId: string, now: number): CreatedRecord {
  return { current: { record, complianceId, destinationId }, receipt: receipt ? receiptDue(complianceId, now) : null };
}
