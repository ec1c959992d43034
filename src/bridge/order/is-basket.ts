import type { Snapshot } from './facts.ts';

/** A visitor looked at the checkout, and nobody paid. A paid order that was set back to a draft is none: it is a sale until its refunds say otherwise. */
export function isBasket({ lifecycle, payment }: Pick<Snapshot, 'lifecycle' | 'payment'>): boolean {
  return lifecycle === 'draft' && payment === 'unpaid';
}
