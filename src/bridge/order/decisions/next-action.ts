import { typesWithReceipt } from '../../../contract/order-dto.ts';
import type { TaxRecord } from '../../../contract/record.ts';
import { canonicalText } from '../facts/canonical-text.ts';
import type { Facts } from '../facts/facts.ts';
import type { FailureCode, Problem, StoredCode } from '../facts/failure.ts';
import { canDoWithout, hintsOf, type Missing, missingOf } from '../facts/missing.ts';
import type { Terms } from '../facts/settings.ts';
import { sameButRounding, sameContent } from '../money/same-content.ts';
import { type Claim, type CurrentRecord, hasReceipt, isPending, receiptStepOf } from './claim.ts';
import type { Desired } from './desired.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';
import { type OrderState, stateOfNothing } from './order-state.ts';
import type { CreateStep, OpenStep, Step } from './step.ts';
import { type Decidable, refundsAreInDoubt, resolutionAction, wantedOf } from './wanted.ts';

/** How long a store that does not answer keeps its order waiting before a person is asked. */
export const LONGEST_WAIT_MS = 6 * 3_600_000;
/** So often it is queried by then: the order may have waited for something else before. */
export const FEWEST_TRIES = 8;

/** Problems that better known lines may cure. */
const curedByLines: ReadonlySet<StoredCode> = new Set<FailureCode>(['refund.unattributed', 'total.mismatch', 'vat.unmapped', 'order.inexpressible']);

/** What the store is queried for: what is missing, if it can change the decision. A full refund needs no lines. */
export function toFetch(claim: Decidable, terms: Terms): Missing | null {
  const missing = missingOf(claim.facts, terms);
  if (missing === null || missing.order === true) return missing;
  const wanted = wantedOf(claim, terms);
  const linesMatter = (missing.refundIds.length > 0 || missing.exact === true) && dependsOnLines(claim, wanted);
  return linesMatter || (missing.deleted && dependsOnDeletion(claim, terms, wanted)) ? missing : null;
}

function dependsOnLines({ facts: { snapshot } }: Decidable, wanted: Desired): boolean {
  if (wanted.kind !== 'problems') return wanted.kind === 'record';
  return snapshot?.problems.length === 0 && wanted.problems.every(({ code }) => curedByLines.has(code));
}

function dependsOnDeletion(claim: Decidable, terms: Terms, wanted: Desired): boolean {
  return canonicalText(wantedOf({ ...claim, facts: { ...claim.facts, deletedAt: null, deletedOn: '' } }, terms)) !== canonicalText(wanted);
}

/** What is not waited for if the store does not answer: what would only be more exact, and a word about an order that was refunded in full. */
export function goesOnWithout(claim: Decidable, terms: Terms, missing: Missing): boolean {
  if (canDoWithout(missing)) return true;
  const wanted = wantedOf(claim, terms);
  return wanted.kind === 'nothing' && wanted.why === 'refunded';
}

/** True if a person must be asked about what could not be fetched. */
export function waitedTooLong({ dirtySince }: Pick<Claim, 'dirtySince'>, now: number): boolean {
  return dirtySince !== null && now - Date.parse(dirtySince) >= LONGEST_WAIT_MS;
}

/** Fetch from the store what its webhooks left out. */
export type Fetch = { do: 'fetch'; missing: Missing };

/** `wanted`: what should be recorded, if the step follows from that; null: an earlier decision is carried out. */
export type Send = { do: 'send'; step: Step; wanted: Desired | null };

/** An action that ends an attempt and sends nothing. */
export type Stop =
  /** Ledger and service agree. */
  | { do: 'end'; state: OrderState }
  | { do: 'wait'; ms: number; why: string }
  /** A person must decide. */
  | { do: 'review'; problems: readonly [Problem, ...Problem[]] }
  /** Only a person can find out whether this create is recorded. */
  | { do: 'confirm'; step: CreateStep };

/** What to do next with an order. leave: nothing, neither its record nor its receipt is pending. */
export type Action = { do: 'skip' } | Fetch | Send | Stop;

/** Everything that the next action depends on. */
export type Situation = {
  claim: Claim;
  terms: Terms;
  /** May the store's API be called? Once an attempt at most. */
  mayFetch: boolean;
  /** What became of the query of the store's API in this attempt; a problem: a person must be told that it does not answer. Absent: it was not queried. */
  queried?: 'answered' | 'unanswered' | Problem;
  /** The destination of the open step honours its Idempotency-Key. */
  mayResend: boolean;
  /** ms since 1970 */
  now: number;
};

/** A storefront's times have whole seconds. */
const SECOND_IS_OVER_MS = 2_000;
const READ_AGAIN_MS = 60_000;

/** The whole decision: by what is recorded, what should be, and which step is open. Pure and total. */
export function nextAction(situation: Situation): Action {
  const { claim, terms, mayFetch } = situation;
  if (!isPending(claim)) return withReceipt(claim);
  const missing = mayFetch ? toFetch(claim, terms) : null;
  if (missing !== null) return { do: 'fetch', missing };
  return claim.openStep === null ? towardsWanted(situation) : repeatOrConfirm(situation, claim.openStep);
}

/** In a separate attempt, after records that wait: a receipt never delays a record. */
function withReceipt(claim: Claim): Action {
  const step = receiptStepOf(claim);
  return step === null ? { do: 'skip' } : { do: 'send', step, wanted: null };
}

/**
 * A step of unknown outcome: a delete is safe to repeat; a create is repeated with the same bytes under a key that is honoured, or if the merchant's
 * settings say so.
 */
function repeatOrConfirm({ claim, terms, mayResend }: Situation, step: OpenStep): Action {
  const again: Action = { do: 'send', step, wanted: null };
  if (step.kind === 'delete') return again;
  if (step.buyer === 'erased') return { do: 'confirm', step };
  if (mayResend) return again;
  const wanted = wantedOf(claim, terms);
  const isWanted = wanted.kind === 'record' && sameContent(wanted.record, step.record);
  return isWanted && terms.settings.unknownOutcome === 'resend' ? again : { do: 'confirm', step };
}

function towardsWanted(situation: Situation): Action {
  const { claim, terms, queried } = situation;
  const { current, previous, review } = claim;
  const gone = current === null ? previous : null;
  // The service refused the replacement: the previous record is put back.
  if (gone !== null && review?.code === 'replacement.refused') return create(claim, terms, { record: gone, wanted: null });
  const wait = readAgain(situation);
  if (wait !== null) return wait;
  const wanted: Desired = typeof queried === 'object' ? { kind: 'problems', problems: [queried] } : wantedOf(claim, terms);
  const said = resolutionAction(claim, wanted);
  if (said !== null) return said;
  // A correctly recorded sale stays recorded although its change can't be decided.
  if (wanted.kind === 'problems' && gone !== null) return create(claim, terms, { record: gone, wanted });
  if (wanted.kind === 'problems') return transactionWait(situation, wanted) ?? { do: 'review', problems: wanted.problems };
  if (current !== null) return onCurrent(claim, current, wanted);
  if (wanted.kind === 'nothing') return { do: 'end', state: stateOfNothing[wanted.why] };
  return (gone === null ? transactionWait(situation, wanted) : null) ?? create(claim, terms, { record: wanted.record, wanted });
}

/** A record that is right stays; then what is left may be a question to a person. */
function onCurrent(claim: Claim, current: CurrentRecord, wanted: Desired): Action {
  const isSame = wanted.kind === 'record' && sameButRounding(current.record, wanted.record, claim.facts.snapshot?.roundedTo);
  if (!isSame) return remove(claim, current, wanted);
  return wanted.question === undefined ? { do: 'end', state: 'recorded' } : { do: 'review', problems: [wanted.question] };
}

/** The store answered with a state that may be older than a refund's deletion, or the order's return, because its last change is not over by our clock. */
function readAgain({ claim, terms, queried, now }: Situation): Action | null {
  const { snapshot } = claim.facts;
  if (queried !== 'answered' || snapshot === null || (claim.attempts >= FEWEST_TRIES && waitedTooLong(claim, now))) return null;
  const over = Date.parse(snapshot.updatedAt) + SECOND_IS_OVER_MS;
  const isInDoubt = refundsAreInDoubt(claim, terms) || (over > now && hintsOf(claim.facts)?.changedAt !== undefined);
  if (!isInDoubt) return null;
  return { do: 'wait', ms: over > now ? Math.min(over - now, READ_AGAIN_MS) : READ_AGAIN_MS, why: 'the store’s answer may be older than what it said last' };
}

function create({ key, stepSeq }: Claim, { settings, destinationId }: Terms, { record, wanted }: { record: TaxRecord; wanted: Desired | null }): Action {
  const seq = stepSeq + 1;
  const receipt = hasReceipt(record, settings.receipts);
  return { do: 'send', step: { kind: 'create', seq, record, idempotencyKey: idempotencyKeyOf(key, seq), destinationId, uncertain: false, receipt }, wanted };
}

function remove({ stepSeq }: Claim, { complianceId, destinationId }: CurrentRecord, wanted: Desired): Action {
  return { do: 'send', step: { kind: 'delete', seq: stepSeq + 1, complianceId, destinationId, uncertain: false }, wanted };
}

function transactionWait({ claim, terms, now }: Situation, wanted: Desired): Action | null {
  if (!terms.transactionComesLater) return null;
  const due = transactionDueAt({ facts: claim.facts, desired: wanted, waitSeconds: terms.settings.transactionWaitSeconds });
  return due === null || due <= now ? null : { do: 'wait', ms: due - now, why: 'the payment’s transaction id has not come yet' };
}

/** `waitSeconds` counts from the first paid state seen. */
type Wait = { facts: Facts; desired: Desired; waitSeconds: number };

/**
 * Until when a record may wait for its processor's reference or a gift card's payment, in ms since 1970; null if there is nothing to wait for. For platforms that
 * never write them into the order, but send them in another webhook. After that time the order is recorded without the reference, or a person is asked.
 */
export function transactionDueAt({ facts: { paidSeenAt }, desired, waitSeconds }: Wait): number | null {
  if (paidSeenAt === null) return null;
  const due = Date.parse(paidSeenAt) + waitSeconds * 1000;
  if (desired.kind === 'problems' && desired.mayCome === true) return due;
  if (desired.kind !== 'record') return null;
  const { transactionId, paymentType } = desired.record;
  // Only these payments have a processor that gives a reference.
  return transactionId === null && typesWithReceipt.has(paymentType) ? due : null;
}
