import { sum } from '../../contract/money.ts';
import { totalsOf } from '../../contract/totals.ts';
import type { Claim } from './claim.ts';
import type { Desired } from './desired.ts';
import { minorOrZero } from './minor-or-zero.ts';
import { viewOf } from './view.ts';

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
