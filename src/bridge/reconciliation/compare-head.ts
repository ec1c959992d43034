import type { Snapshot } from '../order/facts.ts';
import type { OrderHead } from '../storefronts/store-reader.ts';

/**
 * The newest state that the ledger has of an order. `isDeleted`: a webhook said that it is gone, and none that it is back. `kept`: what the customer paid and
 * was not given back; null: it is not paid, or its state does not say it.
 */
export type KnownHead = Pick<Snapshot, 'updatedAt' | 'status' | 'lifecycle' | 'currency' | 'total' | 'readAt'> & {
  kept: string | null;
  refundIds: readonly string[] | null;
  isDeleted: boolean;
};

/** What the ledger knows of an order that its store lists. stale: something of it changed since. */
export type Knowledge = 'known' | 'unknown' | 'stale';

/** Compares an order as its store lists it with what is known of it; several, if other orders came under its id. A draft is no order yet. */
export function compareHead(head: OrderHead, known: readonly KnownHead[]): Knowledge {
  if (head.lifecycle === 'draft') return 'known';
  if (known.length === 0) return 'unknown';
  return known.some((one) => isAllOf(head, one)) ? 'known' : 'stale';
}

function isAllOf(head: OrderHead, known: KnownHead): boolean {
  if (known.isDeleted && head.isGone === true) return true;
  if (known.isDeleted && head.lifecycle !== 'trashed') return false;
  if (known.updatedAt !== head.updatedAt) return known.updatedAt > head.updatedAt;
  // Times of change have whole seconds, and some changes do not move them.
  const isSameTotal = head.totalMayDiffer === true || known.total === head.total;
  return known.status === head.status && known.lifecycle === head.lifecycle && isSameTotal && sameKept(head, known) && sameIds(known.refundIds, head.refundIds);
}

// Where the snapshot makes its amounts in another way, one that was read when its second was over is what the store has.
function sameKept({ kept, totalMayDiffer }: OrderHead, known: KnownHead): boolean {
  if (kept === null || known.kept === null || (totalMayDiffer === true && known.readAt !== undefined)) return true;
  return Number(kept) === Number(known.kept);
}

function sameIds(known: readonly string[] | null, listed: readonly string[] | null): boolean {
  if (known === null || listed === null) return true;
  return known.length === listed.length && known.every((id) => listed.includes(id));
}
