import { sum } from '../../../contract/money.ts';
import { effectiveRefunds, minorOrZero } from './effective-refunds.ts';
import { type Facts, isDeleted, type Snapshot } from './facts.ts';
import { listLengths } from './merge.ts';
import type { Terms } from './settings.ts';

/** What must still be fetched from the storefront. */
export type Missing = {
  /** Refunds that count, and whose lines are not known. */
  refundIds: string[];
  /** Only undated news reports that the order is gone. */
  deleted: boolean;
  /** The order as it is now: it may be back, or a refund that counts may be gone. */
  order?: true;
  /** Its amounts with all their decimals. */
  exact?: true;
};

/** All that is not known of an order; null if nothing is missing. */
export function missingOf(facts: Facts, { refundsVanish }: Pick<Terms, 'refundsVanish'> = { refundsVanish: false }): Missing | null {
  const { snapshot } = facts;
  if (snapshot === null) return null;
  const hints = hintsOf(facts);
  const order = hints?.changedAt !== undefined || (refundsVanish && hints?.refundsAt !== undefined) ? { order: true as const } : {};
  const refundIds = effectiveRefunds(facts, snapshot).flatMap(({ id, lines }) => (lines === null ? [id] : []));
  const missing = { refundIds, deleted: isDeleted(facts, snapshot), ...order, ...(isRounded(snapshot) ? { exact: true as const } : {}) };
  return canDoWithout(missing) && missing.exact === undefined ? null : missing;
}

/** True: it would only be more exact with it. */
export function canDoWithout({ refundIds, deleted, order }: Missing): boolean {
  return refundIds.length === 0 && !deleted && order === undefined;
}

// Its lines miss its total by what rounding explains.
function isRounded({ mayBeOff, exact, lines, total, currency }: Snapshot): boolean {
  if (mayBeOff === undefined || exact === true) return false;
  return sum(lines.map(({ gross, discount }) => minorOrZero(gross, currency) - minorOrZero(discount, currency))) !== minorOrZero(total, currency);
}

/** What the storefront said since the newest known state without saying what the order is now; ISO instants of its last such word. */
export type Hints = {
  /** An order that is gone changed since: it may be back. */
  changedAt?: string;
  /** A refund that the newest state lists was deleted. */
  refundsAt?: string;
};

/** Null: none is open. */
export function hintsOf(facts: Facts): Hints | null {
  const { snapshot } = facts;
  if (snapshot === null) return null;
  const seenAt = knownUntil(facts);
  const changedAt = changeOfGone(facts, snapshot);
  const refundsAt = [...withdrawals(facts, snapshot), ...shorterLists(facts, snapshot)]
    .filter((at) => at > seenAt)
    .sort()
    .at(-1);
  const hints = { ...(changedAt === undefined ? {} : { changedAt }), ...(refundsAt === undefined ? {} : { refundsAt }) };
  return Object.keys(hints).length === 0 ? null : hints;
}

function knownUntil({ snapshot, snapshotSeenAt }: Facts): string {
  return latest(snapshotSeenAt, snapshot?.readAt);
}

// Of any other order the state itself comes, or the next reading of the store brings it: nothing has to wait for that.
function changeOfGone(facts: Facts, snapshot: Snapshot): string | undefined {
  const { changedAt, deletedAt } = facts;
  if (changedAt === undefined || !isGone(facts, snapshot)) return undefined;
  return changedAt > latest(knownUntil(facts), deletedAt) ? changedAt : undefined;
}

// With an order that is thrown away its refunds go, too: then its own removal is the question.
function withdrawals(facts: Facts, snapshot: Snapshot): string[] {
  if (isGone(facts, snapshot)) return [];
  return Object.entries(facts.withdrawn ?? {}).flatMap(([id, at]) => (snapshot.refunds?.some((refund) => refund.id === id) ? [at] : []));
}

function shorterLists(facts: Facts, { refunds }: Snapshot): string[] {
  return Object.entries(listLengths(facts)).flatMap(([length, at]) => (refunds !== null && Number(length) < refunds.length ? [at] : []));
}

function isGone(facts: Facts, snapshot: Snapshot): boolean {
  return snapshot.lifecycle === 'trashed' || isDeleted(facts, snapshot);
}

function latest(...instants: (string | null | undefined)[]): string {
  return instants.reduce<string>((last, at) => (at != null && at > last ? at : last), '');
}
