import { sum } from '../../../contract/money.ts';
import { totalsOf } from '../../../contract/totals.ts';
import { minorOrZero } from '../facts/effective-refunds.ts';
import type { Problem } from '../facts/failure.ts';
import { hintsOf } from '../facts/missing.ts';
import type { Frozen, Terms } from '../facts/settings.ts';
import { viewOf } from '../facts/view.ts';
import type { Claim } from './claim.ts';
import { type Desired, desired } from './desired.ts';
import { fiscalSettings, frozenBy, takenIn } from './fiscal-settings.ts';
import { isContentKnown } from './record-by-word.ts';
import { wordOn } from './settled.ts';

/** The parts of an order by which it is decided what should be recorded. */
export type Decidable = Pick<Claim, 'facts' | 'mapping' | 'standing' | 'previous' | 'backfilled'> &
  Partial<Pick<Claim, 'settled' | 'revision'>> & { key: Pick<Claim['key'], 'orderId'> };

/** What should be recorded, by an order's facts, its connection's terms, and what a person said of it. */
export function wantedOf(claim: Decidable, terms: Terms): Desired {
  const how = wordOn(claim)?.how;
  if (how === 'removed') return { kind: 'nothing', why: 'removed' };
  const wanted = byFacts(claim, how === 'kept' ? { ...terms, settings: { ...terms.settings, removeWithoutRefund: 'keep' } } : terms);
  return wentBack(claim, wanted) ? { kind: 'nothing', why: 'refunded' } : meanwhile(claim, wanted);
}

function byFacts(claim: Decidable, terms: Terms): Desired {
  const wanted = desired({
    orderId: claim.key.orderId,
    facts: claim.facts,
    recorded: claim.standing?.record ?? claim.previous,
    settings: fiscalSettings(claim.backfilled ? takenIn(terms) : terms, frozenOf(claim)),
  });
  return refundsAreInDoubt(claim, terms) ? questioned(wanted) : wanted;
}

/** What certainly went back comes off a record that exists, while a person decides about the rest; a record that a person made is left to him. */
function meanwhile({ standing, previous, settled }: Decidable, wanted: Desired): Desired {
  if (wanted.kind !== 'problems' || wanted.certain === undefined) return wanted;
  const isOurs = (standing !== null || previous !== null) && settled?.how !== 'recorded';
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

/** A record that a late reply or a person reported may lack the frozen mapping. */
export function frozenOf({ mapping, standing, previous, facts }: Pick<Decidable, 'mapping' | 'standing' | 'previous' | 'facts'>): Frozen | null {
  const record = standing?.record ?? previous;
  return mapping ?? (record === null || !isContentKnown(record) ? null : frozenBy(record, facts));
}

type ByHand = Pick<Claim, 'facts' | 'standing'> & Partial<Pick<Claim, 'settled'>>;

/**
 * Did all the money of an order go back that a person recorded? Only what that person decided about may still be in doubt, and the refunds must cover
 * the order and the record: then it is deleted, although the order itself still can't be decided.
 */
export function wentBack({ facts, standing, settled }: ByHand, wanted: Desired): boolean {
  if (settled?.how !== 'recorded' || wanted.kind !== 'problems' || (standing !== null && standing.complianceId !== settled.complianceId)) return false;
  const view = viewOf(facts);
  if (view === null || !wanted.problems.every(({ code }) => code === settled.code)) return false;
  const total = minorOrZero(view.total, view.currency);
  const back = sum(view.refunds.map(({ amount }) => minorOrZero(amount, view.currency)));
  return total > 0n && back >= total && back >= recordedIn(view.currency, standing);
}

function recordedIn(currency: string, standing: Claim['standing']): bigint {
  if (standing === null || standing.record.currency !== currency) return 0n;
  const { lineItems, precision } = standing.record;
  return minorOrZero(totalsOf({ lines: lineItems, precision }).total, currency);
}
