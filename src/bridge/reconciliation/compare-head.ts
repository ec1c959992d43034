import type { Snapshot } from '../order/facts.ts';
import { isBasket } from '../order/is-basket.ts';
import type { OrderHead } from '../storefronts/store-reader.ts';

/** The newest state that the ledger has of an order. `isDeleted`: a webhook said that it is gone, and none that it is back. */
export type KnownHead = Pick<Snapshot, 'updatedAt' | 'status' | 'lifecycle' | 'currency' | 'total'> & {
  refundIds: readonly string[] | null;
  isDeleted: boolean;
};

/** What the ledger knows of an order that its store lists. stale: something of it changed since. */
export type Knowledge = 'known' | 'unknown' | 'stale';

/** Compares an order as its store lists it with what is known of it; several, if other orders came under its id. A basket is no order yet. */
export function compareHead(head: OrderHead, known: readonly KnownHead[]): Knowledge {
  if (isBasket(head) && known.every(({ lifecycle }) => lifecycle === 'draft')) return 'known';
  if (known.length === 0) return 'unknown';
  return known.some((one) => isAllOf(head, one)) ? 'known' : 'stale';
}

function isAllOf(head: OrderHead, known: KnownHead): boolean {
  if (known.isDeleted && head.isGone === true) return true;
  if (known.isDeleted && head.lifecycle !== 'trashed') return false;
  if (known.updatedAt !== head.updatedAt) return known.updatedAt > head.updatedAt;
  // Times of change have whole seconds, and some changes do not move them.
  const isSameTotal = head.totalMayDiffer === true || known.total === head.total;
  return known.status === head.status && known.lifecycle === head.lifecycle && isSameTotal && sameIds(known.refundIds, head.refundIds);
}

function sameIds(known: readonly string[] | null, listed: readonly string[] | null): boolean {
  if (known === null || listed === null) return true;
  return known.length === listed.length && known.every((id) => listed.includes(id));
}
