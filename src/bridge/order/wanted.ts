import type { Claim } from './claim.ts';
import { type Desired, desired } from './desired.ts';
import { fiscalSettings, frozenBy } from './fiscal-settings.ts';
import type { Frozen } from './settings.ts';
import type { Terms } from './terms.ts';

/** What should be recorded, by an order's facts and its connection's terms. */
export function wantedOf(claim: Claim, terms: Terms): Desired {
  return desired({ orderId: claim.key.orderId, facts: claim.facts, settings: fiscalSettings(terms, frozenOf(claim)) });
}

/** A record that a late reply or a person reported may lack the frozen mapping. */
export function frozenOf({ mapping, standing, previous, facts }: Claim): Frozen | null {
  const record = standing?.record ?? previous;
  return mapping ?? (record === null ? null : frozenBy(record, facts));
}
