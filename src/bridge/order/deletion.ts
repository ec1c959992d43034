import type { Facts, Snapshot } from './facts.ts';
import { isBasket } from './is-basket.ts';

/** A deletion has no time: its arrival is compared with the arrival of the order's newest state. */
export function isDeleted({ deletedAt, restoredAt, snapshotSeenAt }: Facts, snapshot: Snapshot): boolean {
  if (deletedAt === null || isBasket(snapshot) || snapshot.lifecycle === 'trashed') return false;
  return [snapshotSeenAt, restoredAt].every((seenAt) => seenAt === null || deletedAt > seenAt);
}
