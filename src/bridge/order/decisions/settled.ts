import type { TaxRecord } from '../../../contract/record.ts';
import { totalsOf } from '../../../contract/totals.ts';
import type { Problem, StoredCode } from '../facts/failure.ts';
import type { Desired } from './desired.ts';
import type { OrderState } from './order-state.ts';

/**
 * What a person says became of an order in review, with what it means for orderbridge. recorded: the record that was named counts as ours, and as equal to
 * the order. not-a-sale, elsewhere: nothing is recorded here. kept: it stays a sale though no refund proves the money went back. removed: its record is
 * deleted.
 */
export const settledAs = {
  recorded: 'recorded by hand',
  'not-a-sale': 'not a sale',
  elsewhere: 'recorded elsewhere',
  kept: 'still a sale',
  removed: 'no longer a sale',
} as const;

export type SettledAs = keyof typeof settledAs;

/** A person's word about an order. It is about `revision`; `code`: what the person was asked then. `at`: ISO instant. */
export type Settled = { how: SettledAs; revision: number; complianceId: string | null; code: StoredCode; who: string; why: string; at: string };

type About = { settled?: Settled | null; revision?: number };

/** A person's word, as long as nothing new is known of the order. */
export function wordOn({ settled = null, revision }: About): Settled | null {
  return settled !== null && settled.revision === revision ? settled : null;
}

type Recorded = { complianceId: string };
type Resolvable = { settled: Settled | null; revision: number; standing: Recorded | null };

/**
 * The move that follows from a person's word alone; null: none does. An order that was said to be no sale, or recorded elsewhere, is never recorded
 * without a person again: whatever comes of it is shown beside what was said.
 */
export function wordAction(order: Resolvable, wanted: Desired): { do: 'rest'; state: OrderState } | { do: 'ask'; problems: [Problem] } | null {
  const { settled, standing } = order;
  if (settled === null) return null;
  switch (settled.how) {
    case 'recorded':
      return wordOn(order) !== null && standing?.complianceId === settled.complianceId ? { do: 'rest', state: 'settled' } : null;
    case 'not-a-sale':
    case 'elsewhere':
      return { do: 'ask', problems: [{ code: 'settled.changed', detail: changedWords(settled, standing, wanted) }] };
    case 'kept':
    case 'removed':
      return null;
  }
}

function changedWords({ how, who, why, at }: Settled, standing: Recorded | null, wanted: Desired): string {
  const found = standing === null ? '' : `; its record ${standing.complianceId} was found at the compliance service`;
  return `Settled by ${who} at ${at} as ${settledAs[how]}, because “${why}”. New: ${wantedWords(wanted)}${found}.`;
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
export type Found = { state: OrderState; code: StoredCode | null; complianceId: string | null; isStepOpen: boolean };

/** Why a person's word can't be taken. doubled, other: another question comes first. stands: its record exists. */
export type NotTaken = 'unconfirmed' | 'not-in-review' | 'doubled' | 'other' | 'stands' | 'nothing-stands' | 'not-unproven';

/** Null: it may be taken. */
export function whyNotTaken(found: Found, how: SettledAs): NotTaken | null {
  return notAsked(found) ?? notOf(found, how);
}

function notAsked({ state, code, isStepOpen }: Found): NotTaken | null {
  if (state === 'unconfirmed') return 'unconfirmed';
  if (state !== 'review') return 'not-in-review';
  if (code === 'order.other') return 'other';
  return code === 'record.doubled' || isStepOpen ? 'doubled' : null;
}

function notOf({ code, complianceId }: Found, how: SettledAs): NotTaken | null {
  const isUnproven = code === 'removal.unproven';
  switch (how) {
    case 'recorded':
      return null;
    case 'not-a-sale':
    case 'elsewhere':
      return complianceId === null ? null : 'stands';
    case 'kept':
      return isUnproven ? null : 'not-unproven';
    case 'removed':
      return isUnproven || complianceId !== null ? null : 'nothing-stands';
  }
}
