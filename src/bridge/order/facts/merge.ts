import { canonicalText } from './canonical-text.ts';
import { type CustomerFact, type Facts, isBasket, noFacts, type OrderNews, type Refund, type Snapshot, type Transaction } from './facts.ts';

/**
 * Facts of one order form a join-semilattice: `merge` is commutative, associative and idempotent, so any permutation of an order's
 * deliveries, with any repeats and in any grouping, ends in the same facts. Every rule below picks a maximum or a minimum of a total order.
 */
type Compare<Value> = (a: Value, b: Value) => number;
type Choose<Value> = (a: Value, b: Value) => Value;

/** The facts in one delivery. `arrivedAt`: ISO instant in UTC with milliseconds. */
export function factsOf(news: OrderNews, arrivedAt: string): Facts {
  const entries = <Value extends { id: string }>(values: readonly Value[] = []) => values.map((value): [string, Value] => [value.id, value]);
  return {
    ...noFacts,
    ...(news.snapshot === undefined ? {} : snapshotFacts(news.snapshot, news, arrivedAt)),
    paidAt: news.paidAt ?? null,
    deletedAt: news.deleted && news.deletedOn === undefined ? arrivedAt : null,
    restoredAt: news.restored ? arrivedAt : null,
    refunds: join(entries(news.refunds), joinRefunds),
    transactions: join(entries(news.transactions), greatest(byTransactionDetail)),
    ...deletion(news.deletedOn ?? null),
    ...words(news.changed ? arrivedAt : null, Object.fromEntries((news.withdrawn ?? []).map((id) => [id, arrivedAt])), []),
  };
}

function snapshotFacts(snapshot: Snapshot, { customer }: OrderNews, arrivedAt: string): Partial<Facts> {
  const isEmpty = isBasket(snapshot);
  return {
    // A visitor who only looked at the checkout leaves neither name nor basket behind.
    snapshot: isEmpty ? { ...snapshot, lines: [] } : snapshot,
    snapshotSeenAt: arrivedAt,
    paidSeenAt: snapshot.payment === 'paid' ? arrivedAt : null,
    customer: isEmpty || customer === undefined ? { kind: 'none' } : { kind: 'known', customer },
  };
}

/** The join of two sets of facts about the same order. */
export function merge(a: Facts, b: Facts): Facts {
  return {
    ...mergeSnapshots(a, b),
    paidSeenAt: extreme(a.paidSeenAt, b.paidSeenAt, earlier),
    paidAt: extreme(a.paidAt, b.paidAt, earlier),
    deletedAt: extreme(a.deletedAt, b.deletedAt, later),
    restoredAt: extreme(a.restoredAt, b.restoredAt, later),
    refunds: union(a.refunds, b.refunds, joinRefunds),
    transactions: union(a.transactions, b.transactions, greatest(byTransactionDetail)),
    ...deletion(extreme(a.deletedOn ?? null, b.deletedOn ?? null, later)),
    ...mergeWords(a, b),
  };
}

function mergeWords(a: Facts, b: Facts): Partial<Facts> {
  const changedAt = extreme(a.changedAt ?? null, b.changedAt ?? null, later);
  const withdrawn = union(a.withdrawn ?? {}, b.withdrawn ?? {}, later);
  return words(changedAt, withdrawn, [...new Set([...(a.identities ?? []), ...(b.identities ?? [])])].sort());
}

function deletion(deletedOn: string | null): Pick<Facts, 'deletedOn'> {
  return deletedOn === null ? {} : { deletedOn };
}

/** What few orders have is absent from the others. */
function words(changedAt: string | null, withdrawn: Record<string, string>, identities: string[]): Partial<Facts> {
  return {
    ...(changedAt === null ? {} : { changedAt }),
    ...(Object.keys(withdrawn).length === 0 ? {} : { withdrawn }),
    ...(identities.length === 0 ? {} : { identities }),
  };
}

function mergeSnapshots(a: Facts, b: Facts): Pick<Facts, 'snapshot' | 'snapshotSeenAt' | 'customer' | 'listLengths'> {
  const order = compareSnapshots(a.snapshot, b.snapshot);
  const winner = order < 0 ? b : a;
  const buyer = byBuyer(a.customer, b.customer) < 0 ? b.customer : a.customer;
  const merged = {
    snapshot: winner.snapshot,
    snapshotSeenAt: order === 0 ? extreme(a.snapshotSeenAt, b.snapshotSeenAt, earlier) : winner.snapshotSeenAt,
    // Of one and the same state the buyer may not be known any more to one of both.
    customer: order === 0 || buyer.kind === 'erased' ? buyer : winner.customer,
  };
  return { ...merged, ...withoutOwnLength(merged, mergeLengths(a, b)) };
}

// Lengths of the lists at an earlier `updatedAt` say nothing about the newest.
function mergeLengths(a: Facts, b: Facts): Record<string, string> {
  const order = compareUpdates(a.snapshot, b.snapshot);
  if (order === 0) return union(listLengths(a), listLengths(b), earlier);
  return listLengths(order < 0 ? b : a);
}

function withoutOwnLength({ snapshot, snapshotSeenAt }: Pick<Facts, 'snapshot' | 'snapshotSeenAt'>, lengths: Record<string, string>): Partial<Facts> {
  const own = snapshot?.refunds?.length;
  const others = Object.entries(lengths).filter(([length, seenAt]) => length !== String(own) || seenAt !== snapshotSeenAt);
  return others.length === 0 ? {} : { listLengths: Object.fromEntries(others) };
}

/** First arrival of each length of the list of refunds at the newest `updatedAt`. */
export function listLengths({ snapshot, snapshotSeenAt, listLengths: others }: Facts): Record<string, string> {
  const own = snapshot?.refunds?.length;
  return { ...(own === undefined || snapshotSeenAt === null ? {} : { [own]: snapshotSeenAt }), ...others };
}

function compareUpdates(a: Snapshot | null, b: Snapshot | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return byUpdate(a, b);
}

function compareSnapshots(a: Snapshot | null, b: Snapshot | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return bySnapshotAge(a, b);
}

const byUpdate = by<Snapshot>(({ updatedAt }) => updatedAt);

// What was read from the store's API is the state of that moment, whatever a webhook of the same second says.
const bySnapshotAge = firstOf<Snapshot>(
  byUpdate,
  by(({ readAt }) => readAt ?? ''),
  by(({ rank }) => rank),
  by(({ refunds }) => refunds?.length ?? 0),
  by(({ exact }) => Number(exact ?? false)),
  by(({ digest }) => digest),
);

// More detail beats less: a refund fetched with its lines is not replaced by one that only names it.
const byRefundDetail = firstOf<Refund>(
  by(({ lines }) => Number(lines !== null)),
  by(({ amount }) => Number(amount !== null)),
  // A later list may correct it, and its moment, too.
  by(({ version, at }) => version ?? at),
  by(({ at }) => at),
  by(({ transactions }) => transactions.length),
  by(({ lines }) => lines?.length ?? 0),
  by(({ listed: _listed, ...refund }) => canonicalText(refund)),
);

// Once an order has listed it, the order's lists say whether it still counts, whichever of both has more detail.
function joinRefunds(a: Refund, b: Refund): Refund {
  const { listed: _listed, ...refund } = greatest(byRefundDetail)(a, b);
  const listed = extreme(a.listed ?? null, b.listed ?? null, later);
  return listed === null ? refund : { ...refund, listed };
}

const FINALITY = { pending: 0, error: 1, failure: 2, success: 3 } as const;

const byTransactionDetail = firstOf<Transaction>(
  by(({ status }) => FINALITY[status]),
  by(({ reference }) => Number(reference !== null)),
  by(canonicalText),
);

const KNOWN_OF_BUYER = { none: 0, unopened: 1, known: 2, erased: 3 } as const satisfies Record<CustomerFact['kind'], number>;

const byBuyer = by<CustomerFact>(({ kind }) => KNOWN_OF_BUYER[kind]);

function by<Value>(key: (value: Value) => string | number): Compare<Value> {
  return (a, b) => Number(key(a) > key(b)) - Number(key(a) < key(b));
}

function firstOf<Value>(...comparisons: Compare<Value>[]): Compare<Value> {
  return (a, b) => comparisons.reduce((order, compare) => (order === 0 ? compare(a, b) : order), 0);
}

function greatest<Value>(compare: Compare<Value>): Choose<Value> {
  return (a, b) => (compare(a, b) < 0 ? b : a);
}

function union<Value>(a: Record<string, Value>, b: Record<string, Value>, choose: Choose<Value>): Record<string, Value> {
  return join([...Object.entries(a), ...Object.entries(b)], choose);
}

// Sorted by id, so that equal facts are also equal as stored text.
function join<Value>(entries: readonly [string, Value][], choose: Choose<Value>): Record<string, Value> {
  const merged = new Map<string, Value>();
  for (const [id, candidate] of entries) {
    const known = merged.get(id);
    merged.set(id, known === undefined ? candidate : choose(known, candidate));
  }
  return Object.fromEntries([...merged].sort(by(([id]) => id)));
}

function extreme(a: string | null, b: string | null, choose: Choose<string>): string | null {
  return a === null || b === null ? (a ?? b) : choose(a, b);
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function later(a: string, b: string): string {
  return a > b ? a : b;
}
