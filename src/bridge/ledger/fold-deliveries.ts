import type { OrderDelivery } from '../delivery/record-deliveries.ts';
import { canonicalText } from '../order/canonical-text.ts';
import { type CustomerFact, type Facts, noFacts } from '../order/facts.ts';
import type { StoredCode } from '../order/failure.ts';
import { factsOf, merge } from '../order/merge.ts';
import type { OrderState } from '../order/order-state.ts';
import { fingerprint } from '../order/view.ts';

/** An order as it is in the ledger before this batch. */
export type KnownOrder = {
  id: number;
  facts: Omit<Facts, 'customer'>;
  customer: CustomerFact;
  revision: number;
  /** Nothing was left to do at its revision. */
  atRest: boolean;
  state: OrderState;
  parkedCode: StoredCode | null;
  dirty_since: string | null;
};

export type DeliveryOutcome = 'merged' | 'duplicate';

export type Folded = {
  facts: Facts;
  changed: boolean;
  raised: boolean;
  revision: number;
  /** Since when the record has been behind; null if it is not. */
  dirtySince: string | null;
  outcomes: Map<string, DeliveryOutcome>;
};

/** Merges one order's deliveries into what was known; returns whether anything changed, and whether the record may have to change. */
export function foldDeliveries(known: KnownOrder | undefined, deliveries: readonly OrderDelivery[]): Folded {
  const before: Facts = known === undefined ? noFacts : { ...known.facts, customer: known.customer };
  const outcomes = new Map<string, DeliveryOutcome>();
  let facts = before;
  for (const { delivery, news } of deliveries) {
    const merged = merge(facts, factsOf(news, delivery.arrivedAt));
    outcomes.set(delivery.id, facts !== noFacts && same(merged, facts) ? 'duplicate' : 'merged');
    facts = merged;
  }
  const raised = known === undefined || fingerprint(before) !== fingerprint(facts);
  return {
    facts,
    changed: known === undefined || !same(before, facts),
    raised,
    revision: (known?.revision ?? 0) + (raised ? 1 : 0),
    dirtySince: raised ? (stillDirty(known) ?? earliest(deliveries)) : (known?.dirty_since ?? null),
    outcomes,
  };
}

function stillDirty(known: KnownOrder | undefined): string | null {
  return known === undefined || known.atRest ? null : known.dirty_since;
}

function earliest(deliveries: readonly OrderDelivery[]): string {
  return deliveries.map(({ delivery }) => delivery.arrivedAt).reduce((a, b) => (a < b ? a : b));
}

// Merge keeps key order stable, so text equality is equality; objects that passed through jsonb are sorted first.
function same(a: Facts, b: Facts): boolean {
  return a === b || canonicalText(a) === canonicalText(b);
}
