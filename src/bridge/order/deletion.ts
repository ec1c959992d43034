import type { Facts, Snapshot } from './facts.ts';

/** A deletion has no time: its arrival is compared with the arrival of the order's newest state. */
export function isDeleted({ deletedAt, restoredAt, snapshotSeenAt }: Facts, { lifecycle }: Snapshot): boolean {
  if (deletedAt === null || lifecycle === 'draft' || lifecycle === 'trashed') return false;
  return [snapshotSeenAt, restoredAt].every((seenAt) => seenAt === null || deletedAt > seenAt);
}
