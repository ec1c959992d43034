import { canonicalText } from '../facts/canonical-text.ts';
import type { FailureCode, StoredCode } from '../facts/failure.ts';
import { canDoWithout, type Missing, missingOf } from '../facts/missing.ts';
import type { Terms } from '../facts/settings.ts';
import type { Claim } from './claim.ts';
import type { Desired } from './desired.ts';
import { type Decidable, wantedOf } from './wanted.ts';

/** How long a store that does not answer keeps its order waiting before a person is asked. */
const LONGEST_WAIT_MS = 6 * 3_600_000;

/** Problems that better known lines may cure. */
const curedByLines: ReadonlySet<StoredCode> = new Set<FailureCode>(['refund.unattributed', 'total.mismatch', 'vat.unmapped', 'order.inexpressible']);

/** What the store is queried for: what is missing, if it can change the decision. A full refund needs no lines. */
export function toFetch(claim: Decidable, terms: Terms): Missing | null {
  const missing = missingOf(claim.facts, terms);
  if (missing === null || missing.order === true) return missing;
  const wanted = wantedOf(claim, terms);
  const linesMatter = (missing.refundIds.length > 0 || missing.exact === true) && dependsOnLines(claim, wanted);
  return linesMatter || (missing.deleted && dependsOnDeletion(claim, terms, wanted)) ? missing : null;
}

function dependsOnLines({ facts: { snapshot } }: Decidable, wanted: Desired): boolean {
  if (wanted.kind !== 'problems') return wanted.kind === 'record';
  return snapshot?.problems.length === 0 && wanted.problems.every(({ code }) => curedByLines.has(code));
}

function dependsOnDeletion(claim: Decidable, terms: Terms, wanted: Desired): boolean {
  return canonicalText(wantedOf({ ...claim, facts: { ...claim.facts, deletedAt: null } }, terms)) !== canonicalText(wanted);
}

/** What is not waited for if the store does not answer: what would only be more exact, and a word about an order that was refunded in full. */
export function goesOnWithout(claim: Decidable, terms: Terms, missing: Missing): boolean {
  if (canDoWithout(missing)) return true;
  const wanted = wantedOf(claim, terms);
  return wanted.kind === 'nothing' && wanted.why === 'refunded';
}

/** True if a person must be asked about what could not be fetched. */
export function waitedTooLong({ dirtySince }: Pick<Claim, 'dirtySince'>, now: number): boolean {
  return dirtySince !== null && now - Date.parse(dirtySince) >= LONGEST_WAIT_MS;
}
