import { ownValue } from '../../contract/own-value.ts';
import type { Facts, RefundMention, Snapshot } from './facts.ts';
import type { Problem } from './failure.ts';
import { minorOrZero } from './minor-or-zero.ts';

/**
 * Refunds of which the order's list and their own message tell two amounts: one of them is out of date, and which can't be known. Where transactions
 * carry the money, they alone count; a mention without money may only be early.
 */
export function refundContradictions({ refunds }: Pick<Facts, 'refunds'>, snapshot: Snapshot): Problem[] {
  return (snapshot.refunds ?? []).flatMap((mention) => {
    const own = ownAmount(mention, refunds);
    if (own === null || sameAmount(own, mention.amount, snapshot.currency)) return [];
    const detail = `The order lists refund ${mention.id} with ${mention.amount} ${snapshot.currency}, but its own message said ${own} ${snapshot.currency}.`;
    return [{ code: 'total.mismatch', detail }];
  });
}

function ownAmount({ id }: RefundMention, refunds: Facts['refunds']): string | null {
  const known = ownValue(refunds, id);
  return known === undefined || known.transactions.length > 0 ? null : known.amount;
}

// An amount that can't be read is reported where the lines are.
function sameAmount(own: string, mentioned: string, currency: string): boolean {
  const [a, b] = [own, mentioned].map((amount) => minorOrZero(amount, currency));
  return a === b || a === 0n || b === 0n;
}
