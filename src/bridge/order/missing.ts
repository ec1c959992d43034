import { sum } from '../../contract/money.ts';
import { isDeleted } from './deletion.ts';
import { effectiveRefunds } from './effective-refunds.ts';
import type { Facts, Snapshot } from './facts.ts';
import { hintsOf } from './hints.ts';
import { minorOrZero } from './minor-or-zero.ts';
import type { Terms } from './terms.ts';

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
