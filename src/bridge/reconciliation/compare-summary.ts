import { isBasket, type Snapshot } from '../order/facts/facts.ts';
import type { OrderSummary } from '../storefronts/store-reader.ts';

/**
 * The newest state that the ledger has of an order. `isDeleted`: a webhook said that it is gone, and none that it is back. `kept`: what the customer paid and
 * was not given back; null: it is not paid, or its state does not say it. `seenAt`: since when that state is known, ISO; '': it is not.
 */
export type KnownSummary = Pick<Snapshot, 'updatedAt' | 'status' | 'lifecycle' | 'currency' | 'total' | 'readAt'> & {
  kept: string | null;
  seenAt: string;
  refundIds: readonly string[] | null;
  isDeleted: boolean;
};

/** What the ledger knows of an order that its store lists. stale: something of it changed since. */
export type Knowledge = 'known' | 'unknown' | 'stale';

/** Compares an order as its store lists it with what is known of it; several, if other orders came under its id. A basket is no order yet. */
export function compareSummary(summary: OrderSummary, known: readonly KnownSummary[]): Knowledge {
  if (isBasket(summary) && known.every(({ lifecycle }) => lifecycle === 'draft')) return 'known';
  if (known.length === 0) return 'unknown';
  return known.some((one) => isAllOf(summary, one)) ? 'known' : 'stale';
}

function isAllOf(summary: OrderSummary, known: KnownSummary): boolean {
  if (known.isDeleted && summary.isGone === true) return true;
  if (known.isDeleted && summary.lifecycle !== 'trashed') return false;
  if (known.updatedAt !== summary.updatedAt) return known.updatedAt > summary.updatedAt;
  // Times of change have whole seconds, and some changes do not move them.
  const isSameTotal = summary.totalMayDiffer === true || known.total === summary.total;
  return (
    known.status === summary.status &&
    known.lifecycle === summary.lifecycle &&
    isSameTotal &&
    sameKept(summary, known) &&
    sameIds(known.refundIds, summary.refundIds)
  );
}

// Where the snapshot makes its amounts in another way, one that was read when its second was over is what the store has.
function sameKept({ kept, totalMayDiffer }: OrderSummary, known: KnownSummary): boolean {
  if (kept === null || known.kept === null || (totalMayDiffer === true && known.readAt !== undefined)) return true;
  return Number(kept) === Number(known.kept);
}

function sameIds(known: readonly string[] | null, listed: readonly string[] | null): boolean {
  if (known === null || listed === null) return true;
  return known.length === listed.length && known.every((id) => listed.includes(id));
}

/** Clocks differ, and a list may be behind. */
const LIST_LAG_MS = 5 * 60_000;

/**
 * Does the store show an older state than one that it gave long before `listedAt` (ms since 1970), and another one, such as after a backup was restored? What
 * is recorded is not changed by that.
 */
export function isOlderThere(summary: OrderSummary, known: readonly KnownSummary[], listedAt: number): boolean {
  const [one, another] = known;
  if (one === undefined || another !== undefined || one.isDeleted || summary.lifecycle === 'draft') return false;
  if (summary.updatedAt >= one.updatedAt || Date.parse(one.seenAt) > listedAt - LIST_LAG_MS) return false;
  return one.status !== summary.status || one.lifecycle !== summary.lifecycle || !sameKept(summary, one) || !sameIds(one.refundIds, summary.refundIds);
}
