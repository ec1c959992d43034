import type { OrderDelivery } from '../delivery/record-deliveries.ts';
import { canonicalText } from '../order/canonical-text.ts';
import { type CustomerFact, type Facts, noFacts } from '../order/facts.ts';
import type { StoredCode } from '../order/failure.ts';
import { factsOf, merge } from '../order/merge.ts';
import type { OrderState } from '../order/order-state.ts';
import { type Candidate, routeOf } from '../order/same-order.ts';
import { fingerprint } from '../order/view.ts';

/** An order as it is in the ledger before this batch. */
export type KnownOrder = {
  id: number;
  orderId: string;
  facts: Omit<Facts, 'customer'>;
  customer: CustomerFact;
  revision: number;
  /** Nothing was left to do at its revision. */
  atRest: boolean;
  /** Something of it is recorded, or may be. */
  isRecorded: boolean;
  /** A create of it is journaled whose outcome is not known; absent: none is. */
  isCreateOpen?: boolean;
  state: OrderState;
  reviewCode: StoredCode | null;
  dirty_since: string | null;
  /** A backfill took it in; absent: none did. */
  backfilled?: boolean;
  /** Its buyer is erased because he was kept for long enough, not because somebody asked for it. */
  erasedByAge?: boolean | null;
  /** Buyers of the store's orders are erased that arrived until then; null: only those that have a tombstone of their own. */
  erasedUntil?: string | null;
};

/** ignored: a visitor's basket under an id that another order has. */
export type DeliveryOutcome = 'merged' | 'duplicate' | 'ignored';

export type Folded = {
  facts: Facts;
  changed: boolean;
  raised: boolean;
  revision: number;
  /** Since when the record has been behind; null if it is not. */
  dirtySince: string | null;
  outcomes: Map<string, DeliveryOutcome>;
};

/** The first order of an id, to a person who must say whether another one is the same. */
export type FirstOrder = { id: number | null; facts: Facts };

/** One order with those of the deliveries that are about it. */
export type OrderFold = {
  /** Absent: it is new. */
  known: KnownOrder | undefined;
  /** Set for a new order under an id that another one has. */
  first: FirstOrder | null;
  /** An earlier order, which was never paid, was given up for it. */
  isAnew: boolean;
  deliveries: OrderDelivery[];
  fold: Folded;
};

type Track = Omit<OrderFold, 'fold'> & { before: Facts; facts: Facts; outcomes: Folded['outcomes'] };

/**
 * Merges the deliveries of one platform id into the orders that have it, mostly one: `rows`, the first one first. Returns those that got any, and
 * whether anything changed, and whether the record may have to change.
 */
export function foldDeliveries(rows: readonly KnownOrder[], deliveries: readonly OrderDelivery[]): OrderFold[] {
  const tracks = rows.map((row) => trackOf(row, null));
  for (const one of deliveries) put(tracks, one);
  return tracks
    .filter((track) => track.deliveries.length > 0)
    .map(({ before, facts, outcomes, ...of }) => ({ ...of, fold: folded(of, { before, facts, outcomes }) }));
}

function trackOf(known: KnownOrder | undefined, first: FirstOrder | null): Track {
  const before: Facts = known === undefined ? noFacts : { ...known.facts, customer: known.customer };
  return { known, first, isAnew: false, deliveries: [], before, facts: before, outcomes: new Map() };
}

function put(tracks: Track[], one: OrderDelivery): void {
  const news = factsOf(one.news, one.delivery.arrivedAt);
  const [first, ...others] = tracks;
  if (first === undefined) return add(pushed(tracks, null), one, news);
  const route = routeOf([candidateOf(first), ...others.map(candidateOf)], news);
  if (route === 'another') return add(pushed(tracks, { id: first.known?.id ?? null, facts: first.facts }), one, news);
  if (route === 'nowhere') return void note(first, one, 'ignored');
  const track = tracks[route.to] ?? first;
  if (route.anew) Object.assign(track, { isAnew: true, facts: { ...noFacts, customer: erasedStill(track) } });
  add(track, one, news);
}

function pushed(tracks: Track[], first: FirstOrder | null): Track {
  const track = trackOf(undefined, first);
  tracks.push(track);
  return track;
}

function add(track: Track, one: OrderDelivery, news: Facts): void {
  const merged = merge(track.facts, news);
  note(track, one, track.facts !== noFacts && same(merged, track.facts) ? 'duplicate' : 'merged');
  track.facts = merged;
}

function note(track: Track, one: OrderDelivery, outcome: DeliveryOutcome): void {
  track.deliveries.push(one);
  track.outcomes.set(one.delivery.id, outcome);
}

function candidateOf({ known, facts }: Track): Candidate {
  return { facts, isRecorded: known?.isRecorded ?? false, isIdle: known?.state === 'waiting' || known?.state === 'ignored' };
}

// Who asked to be erased under this id stays so; the age of the earlier order says nothing of this one's buyer.
function erasedStill({ facts: { customer }, known }: Track): CustomerFact {
  return customer.kind === 'erased' && known?.erasedByAge !== true ? customer : noFacts.customer;
}

function folded({ known, deliveries }: Pick<Track, 'known' | 'deliveries'>, { before, facts, outcomes }: Pick<Track, 'before' | 'facts' | 'outcomes'>): Folded {
  // What was left out as too early is decided again.
  const isTakenIn = known?.backfilled !== true && deliveries.some(({ delivery }) => delivery.takenIn === true);
  const raised = known === undefined || isTakenIn || fingerprint(before) !== fingerprint(facts);
  return {
    facts,
    changed: known === undefined || isTakenIn || !same(before, facts),
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
