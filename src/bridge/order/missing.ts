import { effectiveRefunds } from './effective-refunds.ts';
import type { Facts } from './facts.ts';
import { isDeleted } from './view.ts';

/** What must still be fetched from the storefront. */
export type Missing = {
  /** Refunds that count, and whose lines are not known. */
  refundIds: string[];
  /** Only undated news reports that the order is gone. */
  deleted: boolean;
  /** The order as it is now. */
  order?: true;
  /** Its amounts with all their decimals. */
  exact?: true;
};

/** Refunds that count but whose lines are not known, and a deletion that only undated news reports; null if nothing is missing. */
export function missingOf(facts: Facts): Missing | null {
  const { snapshot } = facts;
  if (snapshot === null) return null;
  const refundIds = effectiveRefunds(facts, snapshot).flatMap(({ id, lines }) => (lines === null ? [id] : []));
  const deleted = isDeleted(facts, snapshot);
  return deleted || refundIds.length > 0 ? { refundIds, deleted } : null;
}
