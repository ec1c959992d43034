import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { BegunSend } from '../../delivery/attempt-ports.ts';
import type { Claimed } from '../../delivery/process-order.ts';
import type { FirstAttemptOptions, OrderDelivery } from '../../delivery/record-deliveries.ts';
import type { Claim } from '../../order/decisions/claim.ts';
import type { OrderState } from '../../order/decisions/order-state.ts';
import { canonicalText } from '../../order/facts/canonical-text.ts';
import { type CustomerFact, type Facts, noFacts, type OrderKey } from '../../order/facts/facts.ts';
import type { StoredCode } from '../../order/facts/failure.ts';
import { factsOf, merge } from '../../order/facts/merge.ts';
import { type Candidate, routeOf } from '../../order/facts/same-order.ts';
import { fingerprint } from '../../order/facts/view.ts';
import { asStored, storable } from '../json-columns.ts';
import { withoutRecord } from '../order-columns.ts';

/** The deliveries of one id of a platform, under which there may be several orders. */
export type OrderGroup = { key: OrderKey; text: string; deliveries: OrderDelivery[] };

/** In the order of their keys, in which rows are locked. A delivery that came twice, as from the queue and the inbox, is in them once. */
export function orderGroups(items: readonly OrderDelivery[]): OrderGroup[] {
  const groups = Map.groupBy(items, ({ key }) => keyText(key));
  return [...groups]
    .map(([text, of]) => ({ text, deliveries: [...new Map(of.map((one) => [one.delivery.id, one])).values()] }))
    .map((group) => ({ ...group, key: storableKey((group.deliveries[0] as OrderDelivery).key) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** One text per key. */
export function keyText(key: OrderKey): string {
  const { shopId, platform, store, orderId } = storableKey(key);
  return JSON.stringify([shopId, platform, store, orderId]);
}

export function keyColumns({ shopId, platform, store, orderId }: OrderKey) {
  return { shop_id: shopId, platform, store, order_id: orderId };
}

function storableKey({ shopId, platform, store, orderId }: OrderKey): OrderKey {
  return { shopId: shopId.toLowerCase(), platform, store: storable(store), orderId: storable(orderId) };
}

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
  /** Its buyer is erased because they were kept for long enough, not because somebody asked for it. */
  erasedByAge?: boolean | null;
  /** Buyers of the store's orders are erased that arrived until then; null: only those that have a tombstone of their own. */
  erasedUntil?: string | null;
};

/** ignored: a visitor's basket under an id that another order has. */
type DeliveryOutcome = 'merged' | 'duplicate' | 'ignored';

type Folded = {
  facts: Facts;
  changed: boolean;
  raised: boolean;
  revision: number;
  /** Since when the record has been pending; null if it is not. */
  dirtySince: string | null;
  outcomes: Map<string, DeliveryOutcome>;
};

/** The first order of an id, to a person who must say whether another one is the same. */
type FirstOrder = { id: number | null; facts: Facts };

/** One order with those of the deliveries that are about it. */
type OrderFold = {
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

/** One order of a group. `orderId`: its id in the ledger. */
export type FoldOf = OrderFold & { group: OrderGroup; orderId: string };

/** When the order is to be processed, ms since 1970; 0: it need not be. */
export function dueAt({ deliveries, fold }: Pick<FoldOf, 'deliveries' | 'fold'>): number {
  const quietMs = Math.min(...deliveries.map(({ quietSeconds }) => quietSeconds)) * 1000;
  return fold.dirtySince === null ? 0 : Date.parse(fold.dirtySince) + quietMs;
}

/** New orders that are claimed as they are made, with the first steps of their attempts. */
export type FirstSteps = ReadonlyMap<FoldOf, { claim: Claim; begun: BegunSend }>;

/** Plans the first steps of new orders that are due at once, as many as may be processed now; the others wait in the ledger. */
export async function firstSteps(folds: readonly FoldOf[], firstAttempts: FirstAttemptOptions | null): Promise<FirstSteps> {
  if (firstAttempts === null) return new Map();
  const { size, notOf, plan, now } = firstAttempts;
  const due = folds.filter((fold) => isNew(fold) && dueAt(fold) <= now && !notOf.includes(connectionOf(fold))).slice(0, size);
  const planned = await Promise.all(
    due.map(async (fold) => {
      const claim = newClaim(fold);
      const begun = await plan(claim);
      return begun === null ? [] : [[fold, { claim, begun }] as const];
    }),
  );
  return new Map(planned.flat());
}

/** The columns of an order and of its first step, as its insert reads them. */
export function stepOfNew(first: { claim: Claim; begun: BegunSend } | undefined) {
  const step = first?.begun.action.step;
  if (step === undefined || step.kind !== 'create') return { step: null };
  const { seq, kind, destinationId, record, idempotencyKey } = step;
  return { step: withoutRecord(step), step_seq: seq, kind, destination: destinationId, record, key: idempotencyKey };
}

/** The claim of an order that was made with its first step. */
export function claimedOf({ claim, begun }: { claim: Claim; begun: BegunSend }, { id, isErased }: { id: number; isErased: boolean }): Claimed {
  return { claim: { ...claim, id, facts: isErased ? { ...claim.facts, customer: { kind: 'erased' } } : claim.facts }, begun };
}

/** Of the platform's own id, and not that of another order, about which a person is asked first. */
function isNew({ known, first, orderId, group, fold }: FoldOf): boolean {
  return known === undefined && first === null && orderId === group.key.orderId && fold.dirtySince !== null;
}

function connectionOf({ deliveries }: FoldOf): string {
  return (deliveries.at(-1) as OrderDelivery).delivery.connectionId;
}

function newClaim(of: FoldOf): Claim {
  const { group, orderId, deliveries, fold } = of;
  return {
    ...{ id: 0, key: { ...group.key, orderId }, platformId: group.key.orderId, connectionId: connectionOf(of), fence: 1 },
    // What is sent is what the ledger keeps: anyone who repeats this step reads it there.
    facts: asStored(fold.facts),
    ...{ revision: fold.revision, recordedRevision: 0, reviewRevision: 0, state: 'queued' },
    backfilled: deliveries.some(({ delivery }) => delivery.takenIn === true),
    ...{ mapping: null, current: null, receipt: null, previous: null, uncertain: null, review: null, resolution: null, openStep: null },
    ...{ stepSeq: 0, attempts: 0, dirtySince: fold.dirtySince },
  };
}

const takenRows = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), isOfId: z.boolean() }));

/** `known`: the orders of this id that are locked; `count`: how many ids are needed. */
type Wanted = { key: OrderKey; known: readonly number[]; count: number };

/**
 * Ids of the ledger for new orders of one platform id: ID for the first one, then ID~2 and on; what a store itself calls ID~2 is passed over.
 * Null: another transaction has just made an order of this id.
 */
export async function freeOrderIds(tx: Queryable, { key, known, count }: Wanted): Promise<string[] | null> {
  const { shopId, platform, store, orderId } = key;
  const first = known.length === 0 ? [orderId] : [];
  const ids = [...first, ...Array.from({ length: known.length + count + SPARE }, (_, at) => `${orderId}~${at + 2}`)];
  const taken = await readRows(tx, takenRows, {
    text: `select id, order_id as "orderId", coalesce(platform_id, order_id) = $5 as "isOfId" from orders
      where shop_id = $1 and platform = $2 and store = $3 and (order_id = any($4) or platform_id = $5)`,
    values: [shopId, platform, store, ids, orderId],
  });
  if (taken.some(({ id, isOfId }) => isOfId && !known.includes(id))) return null;
  const free = ids.filter((id) => !taken.some((row) => row.orderId === id)).slice(0, count);
  if (free.length < count) throw new Error(`no id is left for another order ${orderId}`);
  return free;
}

/** More than a store's own ids of that form will ever be in the way. */
const SPARE = 20;
