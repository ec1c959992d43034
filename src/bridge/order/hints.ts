import { isDeleted } from './deletion.ts';
import type { Facts, Snapshot } from './facts.ts';
import { listLengths } from './merge.ts';

/** What the storefront said since the newest known state without saying what the order is now; ISO instants of its last such word. */
export type Hints = {
  /** The order changed. */
  changedAt?: string;
  /** A refund that the newest state lists was deleted. */
  refundsAt?: string;
};

/** Null: none is open. */
export function hintsOf(facts: Facts): Hints | null {
  const { snapshot, changedAt } = facts;
  const seenAt = knownUntil(facts);
  const refundsAt =
    snapshot === null
      ? undefined
      : [...withdrawals(facts, snapshot), ...shorterLists(facts, snapshot)]
          .filter((at) => at > seenAt)
          .sort()
          .at(-1);
  const hints = { ...(changedAt !== undefined && changedAt > seenAt ? { changedAt } : {}), ...(refundsAt === undefined ? {} : { refundsAt }) };
  return Object.keys(hints).length === 0 ? null : hints;
}

function knownUntil({ snapshot, snapshotSeenAt }: Facts): string {
  const [seenAt, readAt] = [snapshotSeenAt ?? '', snapshot?.readAt ?? ''];
  return seenAt > readAt ? seenAt : readAt;
}

// With an order that is thrown away its refunds go, too: then its own removal is the question.
function withdrawals(facts: Facts, snapshot: Snapshot): string[] {
  if (snapshot.lifecycle === 'trashed' || isDeleted(facts, snapshot)) return [];
  return Object.entries(facts.withdrawn ?? {}).flatMap(([id, at]) => (snapshot.refunds?.some((refund) => refund.id === id) ? [at] : []));
}

function shorterLists(facts: Facts, { refunds }: Snapshot): string[] {
  return Object.entries(listLengths(facts)).flatMap(([length, at]) => (refunds !== null && Number(length) < refunds.length ? [at] : []));
}
