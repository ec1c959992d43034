import type { StoredCode } from './failure.ts';
import type { OrderState } from './order-state.ts';
import type { SettledAs } from './settled.ts';

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
