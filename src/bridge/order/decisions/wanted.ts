import { decimalsOf, sum } from '../../../contract/money.ts';
import type { TaxRecord } from '../../../contract/record.ts';
import { totalsOf } from '../../../contract/totals.ts';
import { minorOrZero } from '../facts/effective-refunds.ts';
import type { Facts } from '../facts/facts.ts';
import type { Problem, StoredCode } from '../facts/failure.ts';
import { hintsOf } from '../facts/missing.ts';
import type { Frozen, Terms } from '../facts/settings.ts';
import { viewOf } from '../facts/view.ts';
import type { Claim } from './claim.ts';
import { type Desired, desired, fiscalSettings, frozenBy, takenIn } from './desired.ts';
import type { OrderState } from './order-state.ts';

/**
 * The content of a record that a person says was made by hand, at a service that can't be read: what should be recorded. Where that can't be decided,
 * it has no lines: it equals nothing that is desired later, so that a change replaces it.
 */
export function recordByHand({ orderId, facts, wanted }: { orderId: string; facts: Facts; wanted: Desired }): TaxRecord {
  if (wanted.kind === 'record') return wanted.record;
  const { number = '', createdAt = '', currency = 'EUR', transactionId = null } = facts.snapshot ?? {};
  const head = { internalId: orderId, internalNumber: number, internalCreatedAt: createdAt };
  return { ...head, lineItems: [], paymentType: 'OTHER', paymentProcessorName: null, transactionId, currency, precision: decimalsOf(currency) };
}

/** False for one that a person reported and nobody could read. */
export function isContentKnown({ lineItems }: Pick<TaxRecord, 'lineItems'>): boolean {
  return lineItems.length > 0;
}

/**
 * What a person says became of an order in review, with what it means for orderbridge. recorded: the record that was named counts as ours, and as equal to
 * the order. not-a-sale, elsewhere: nothing is recorded here. kept: it stays a sale though no refund proves the money went back. removed: its record is
 * deleted; so may that of a recorded order, which nobody was asked about.
 */
export const resolvedAs = {
  recorded: 'recorded by hand',
  'not-a-sale': 'not a sale',
  elsewhere: 'recorded elsewhere',
  kept: 'still a sale',
  removed: 'no longer a sale',
} as const;

export type ResolvedAs = keyof typeof resolvedAs;

/** A person's resolution of an order. It is about `revision`; `code`: what the person was asked then, null: nothing, it was recorded. `at`: ISO instant. */
export type Resolution = { how: ResolvedAs; revision: number; complianceId: string | null; code: StoredCode | null; who: string; why: string; at: string };

/** A person's resolution, as long as nothing new is known of the order. */
export function currentResolution({ resolution = null, revision }: { resolution?: Resolution | null; revision?: number }): Resolution | null {
  return resolution !== null && resolution.revision === revision ? resolution : null;
}

type Recorded = { complianceId: string };
type Resolvable = { resolution: Resolution | null; revision: number; current: Recorded | null };

/**
 * The action that follows from a person's resolution; null: none does. An order that was said to be no sale, or recorded elsewhere, is never recorded
 * without a person again: whatever comes of it is shown beside what was said.
 */
export function resolutionAction(order: Resolvable, wanted: Desired): { do: 'end'; state: OrderState } | { do: 'review'; problems: [Problem] } | null {
  const { resolution, current } = order;
  if (resolution === null) return null;
  switch (resolution.how) {
    case 'recorded':
      return currentResolution(order) !== null && current?.complianceId === resolution.complianceId ? { do: 'end', state: 'resolved' } : null;
    case 'not-a-sale':
    case 'elsewhere':
      return changed(resolution, current, wanted);
    case 'removed':
      return wasRecorded(resolution) && currentResolution(order) === null && wanted.kind !== 'nothing' ? changed(resolution, current, wanted) : null;
    case 'kept':
      return null;
  }
}

/** What was right until a person removed it is not recorded once more by itself. */
function wasRecorded({ code }: Resolution): boolean {
  return code === null;
}

function changed(resolution: Resolution, current: Recorded | null, wanted: Desired): { do: 'review'; problems: [Problem] } {
  return { do: 'review', problems: [{ code: 'resolution.changed', detail: changedWords(resolution, current, wanted) }] };
}

function changedWords({ how, who, why, at }: Resolution, current: Recorded | null, wanted: Desired): string {
  const found = current === null ? '' : `; its record ${current.complianceId} was found at the compliance service`;
  return `Resolved by ${who} at ${at} as ${resolvedAs[how]}, because “${why}”. New: ${wantedWords(wanted)}${found}.`;
}

function wantedWords(wanted: Desired): string {
  switch (wanted.kind) {
    case 'record':
      return `${amountOf(wanted.record)} should be recorded`;
    case 'nothing':
      return `nothing should be recorded (${wanted.why})`;
    case 'problems':
      return wanted.problems.map(({ code, detail }) => `${code}: ${detail.replace(/\.$/, '')}`).join('; ');
  }
}

function amountOf({ lineItems, precision, currency }: TaxRecord): string {
  return `${totalsOf({ lines: lineItems, precision }).total} ${currency}`;
}

/** An order as a person finds it. `complianceId`: of its record; null: none. */
export type KnownState = { state: OrderState; code: StoredCode | null; complianceId: string | null; isStepOpen: boolean };

/** Why a person can't resolve it so. doubled, other: another question comes first. recorded: its record exists. */
export type NotTaken = 'unconfirmed' | 'not-in-review' | 'doubled' | 'other' | 'recorded' | 'nothing-recorded' | 'not-unproven';

/** Null: they can. */
export function whyNotTaken(found: KnownState, how: ResolvedAs): NotTaken | null {
  if (how === 'removed' && found.state === 'recorded' && found.complianceId !== null && !found.isStepOpen) return null;
  return notAsked(found) ?? notOf(found, how);
}

function notAsked({ state, code, isStepOpen }: KnownState): NotTaken | null {
  if (state === 'unconfirmed') return 'unconfirmed';
  if (state !== 'review') return 'not-in-review';
  if (code === 'order.other') return 'other';
  return code === 'record.doubled' || isStepOpen ? 'doubled' : null;
}

function notOf({ code, complianceId }: KnownState, how: ResolvedAs): NotTaken | null {
  const isUnproven = code === 'removal.unproven';
  const isDivided = code === 'payment.divided';
  switch (how) {
    case 'recorded':
      return null;
    case 'not-a-sale':
    case 'elsewhere':
      return complianceId === null ? null : 'recorded';
    case 'kept':
      return isUnproven || isDivided ? null : 'not-unproven';
    case 'removed':
      return isUnproven || complianceId !== null ? null : 'nothing-recorded';
  }
}

/** The parts of an order by which it is decided what should be recorded. */
export type Decidable = Pick<Claim, 'facts' | 'mapping' | 'current' | 'previous' | 'backfilled'> &
  Partial<Pick<Claim, 'resolution' | 'revision'>> & { key: Pick<Claim['key'], 'orderId'> };

/** What should be recorded, by an order's facts, its connection's terms, and what a person said of it. */
export function wantedOf(claim: Decidable, terms: Terms): Desired {
  const { how, code } = currentResolution(claim) ?? {};
  if (how === 'removed') return { kind: 'nothing', why: 'removed' };
  const wanted = byFacts(claim, how === 'kept' ? ifKept(code, terms) : terms);
  return isAllRefunded(claim, wanted) ? { kind: 'nothing', why: 'refunded' } : meanwhile(claim, wanted);
}

/** The terms of an order of which a person said that it is still a sale, or that it is one to record here. */
function ifKept(code: StoredCode | null | undefined, terms: Terms): Terms {
  return code === 'payment.divided' ? takenIn(terms) : { ...terms, settings: { ...terms.settings, removeWithoutRefund: 'keep' } };
}

function byFacts(claim: Decidable, terms: Terms): Desired {
  const wanted = desired({
    orderId: claim.key.orderId,
    facts: claim.facts,
    recorded: claim.current?.record ?? claim.previous,
    settings: fiscalSettings(claim.backfilled ? takenIn(terms) : terms, frozenOf(claim, terms)),
  });
  return refundsAreInDoubt(claim, terms) ? questioned(wanted) : wanted;
}

/** What certainly went back comes off a record that exists, while a person decides about the rest; a record that a person made is left to them. */
function meanwhile({ current, previous, resolution }: Decidable, wanted: Desired): Desired {
  if (wanted.kind !== 'problems' || wanted.certain === undefined) return wanted;
  const isOurs = (current !== null || previous !== null) && resolution?.how !== 'recorded';
  return isOurs ? { kind: 'record', record: wanted.certain, question: wanted.problems[0] } : wanted;
}

/** A refund that counts may be deleted: the facts say so, but not what the order is now. */
export function refundsAreInDoubt({ facts }: Pick<Claim, 'facts'>, { refundsVanish }: Pick<Terms, 'refundsVanish'>): boolean {
  return refundsVanish && hintsOf(facts)?.refundsAt !== undefined;
}

// What is not recorded for another reason than its refunds does not depend on them.
function questioned(wanted: Desired): Desired {
  if (wanted.kind === 'nothing' && wanted.why !== 'refunded' && wanted.why !== 'removed') return wanted;
  const problem: Problem = { code: 'refund.deleted', detail: 'The store says that a refund was deleted since it last sent the order.' };
  return { kind: 'problems', problems: wanted.kind === 'problems' ? [...wanted.problems, problem] : [problem] };
}

type Made = Pick<Decidable, 'mapping' | 'current' | 'previous' | 'facts'>;

/** A record that a late reply or a person reported may lack the frozen mapping. Its order may have counted as paid by its status alone. */
export function frozenOf({ mapping, current, previous, facts }: Made, { settings: { paidStatuses } }: Pick<Terms, 'settings'>): Frozen | null {
  const record = current?.record ?? previous;
  return mapping ?? (record === null || !isContentKnown(record) ? null : frozenBy(record, facts, paidStatuses));
}

/**
 * Did all the money of an order go back that a person recorded? Only what that person decided about may still be in doubt, and the refunds must cover
 * the order and the record: then it is deleted, although the order itself still can't be decided.
 */
export function isAllRefunded({ facts, current, resolution }: Pick<Claim, 'facts' | 'current'> & Partial<Pick<Claim, 'resolution'>>, wanted: Desired): boolean {
  if (resolution?.how !== 'recorded' || wanted.kind !== 'problems' || (current !== null && current.complianceId !== resolution.complianceId)) return false;
  const view = viewOf(facts);
  if (view === null || !wanted.problems.every(({ code }) => code === resolution.code)) return false;
  const total = minorOrZero(view.total, view.currency);
  const back = sum(view.refunds.map(({ amount }) => minorOrZero(amount, view.currency)));
  return total > 0n && back >= total && back >= recordedIn(view.currency, current);
}

function recordedIn(currency: string, current: Claim['current']): bigint {
  if (current === null || current.record.currency !== currency) return 0n;
  const { lineItems, precision } = current.record;
  return minorOrZero(totalsOf({ lines: lineItems, precision }).total, currency);
}
