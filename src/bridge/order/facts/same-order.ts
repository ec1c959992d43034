import { type Facts, isBasket, type Snapshot } from './facts.ts';

/**
 * A platform may use an order id again: a backup was restored, a shop was built anew. Decides which of the orders of one id news is about, by what
 * an order keeps for good: its identity or moment of creation, else its payment's ids. Lines tie only what was never paid.
 */
/** One order that is known under the id. */
export type Candidate = {
  facts: Facts;
  /** Something of it is recorded, or may be. */
  isRecorded: boolean;
  /** It was decided that nothing of it is to be recorded for now. */
  isIdle: boolean;
};

/** To a known order, by its place in the list (`anew`: it is forgotten for this one); to an order of its own; or nowhere: a visitor's basket. */
type Route = { to: number; anew: boolean } | 'another' | 'nowhere';

/** Where news of an id goes that at least one order has. */
export function routeOf(candidates: readonly [Candidate, ...Candidate[]], news: Facts): Route {
  const { snapshot } = news;
  if (snapshot === null) return { to: partTo(candidates, news), anew: false };
  for (const strength of ['sure', 'likely'] as const) {
    const tied = candidates.filter((candidate) => tie(candidate, news) === strength);
    if (tied.length > 0) return { to: candidates.indexOf(newest(tied)), anew: false };
  }
  const given = candidates.findIndex((candidate) => mayBeForgotten(candidate, snapshot));
  if (given >= 0) return { to: given, anew: true };
  return isBasket(snapshot) ? 'nowhere' : 'another';
}

/** True if the news tells of an order, and it is not this one. */
export function isAnother(known: CandidateFacts, news: Facts): boolean {
  return tie(known, news) === 'none';
}

/** The texts by which later news of this order is known, whatever else changes. */
export function identityTexts({ identity, createdAt }: Snapshot): string[] {
  return [...(identity === undefined ? [] : [identity]), new Date(createdAt).toISOString()];
}
type CandidateFacts = Pick<Candidate, 'facts' | 'isRecorded'>;

function tie(of: CandidateFacts, news: Facts): 'sure' | 'likely' | 'none' {
  const { facts: known } = of;
  const [a, b] = [known.snapshot, news.snapshot];
  if (a === null || b === null) return 'likely';
  if (known.identities !== undefined && overlap(known.identities, identityTexts(b))) return 'sure';
  if (a.identity !== undefined && b.identity !== undefined) return a.identity === b.identity ? 'sure' : 'none';
  if (isSameMoment(a.createdAt, b.createdAt)) return 'sure';
  if (overlap(paymentMarks(known), paymentMarks(news))) return 'likely';
  return mayReplace(of, news) && overlap(lineMarks(a), lineMarks(b)) && !isOtherBuyer(known, news) ? 'likely' : 'none';
}

// In a shop that was built anew the ids of lines begin again, too, and the same goods sell best: lines never replace a sale, nor another payment.
function mayReplace({ facts, isRecorded }: CandidateFacts, news: Facts): boolean {
  const isSale = isRecorded || facts.paidSeenAt !== null;
  return !isSale && (paymentMarks(facts).length === 0 || paymentMarks(news).length === 0);
}

function isOtherBuyer({ customer: a }: Facts, { customer: b }: Facts): boolean {
  if (a.kind !== 'known' || b.kind !== 'known') return false;
  const [one, other] = [a, b].map(({ customer: { email } }) => email?.trim().toLowerCase() || null);
  return one != null && other != null && one !== other;
}

// Of one order, one message may leave out the parts of a second that another has.
function isSameMoment(a: string, b: string): boolean {
  return a === b || Math.abs(Date.parse(a) - Date.parse(b)) < 1_000;
}

/** A basket that nobody bought, or an earlier order that was never paid. One on its way may be paid to the courier: it is not forgotten. */
function mayBeForgotten({ facts, isRecorded, isIdle }: Candidate, { createdAt }: Snapshot): boolean {
  const { snapshot, paidSeenAt } = facts;
  if (snapshot === null || isRecorded) return false;
  if (isBasket(snapshot) && paidSeenAt === null) return true;
  const isUnpaid = paidSeenAt === null && snapshot.payment === 'unpaid' && snapshot.onItsWay === undefined;
  return isIdle && isUnpaid && Date.parse(snapshot.createdAt) < Date.parse(createdAt);
}

/** News without the order itself: to the one that knows its refund or payment, else to the newest that existed by then, of those that have its lines. */
function partTo(candidates: readonly [Candidate, ...Candidate[]], news: Facts): number {
  const marks = [...refundMarks(news), ...paymentMarks(news)];
  const knowing = candidates.find(({ facts }) => overlap([...refundMarks(facts), ...paymentMarks(facts)], marks));
  if (knowing !== undefined) return candidates.indexOf(knowing);
  const moments = [news.paidAt, ...Object.values(news.refunds).map(({ at }) => at), ...Object.values(news.transactions).map(({ at }) => at)];
  const until = Math.min(...moments.flatMap((moment) => (moment === null ? [] : [Date.parse(moment)])));
  const named = Object.values(news.refunds).flatMap(({ lines }) => lines ?? []);
  const having = candidates.filter(({ facts }) => named.every(({ lineId }) => facts.snapshot?.lines.some(({ id, partOf = id }) => partOf === lineId)));
  const possible = having.length > 0 ? having : candidates;
  const existing = possible.filter(({ facts }) => createdMs(facts) <= until);
  return candidates.indexOf(newest(existing.length > 0 ? existing : possible));
}

function newest(candidates: readonly Candidate[]): Candidate {
  return candidates.reduce((a, b) => (createdMs(b.facts) >= createdMs(a.facts) ? b : a));
}

function createdMs({ snapshot }: Facts): number {
  return snapshot === null ? Number.NEGATIVE_INFINITY : Date.parse(snapshot.createdAt);
}

function lineMarks({ lines }: Snapshot): string[] {
  return lines.map(({ id, name }) => JSON.stringify([id, name]));
}

function paymentMarks({ snapshot, transactions }: Facts): string[] {
  const references = [snapshot?.transactionId ?? null, ...Object.values(transactions).map(({ reference }) => reference)];
  return [...Object.keys(transactions).map((id) => `transaction ${id}`), ...references.flatMap((each) => (each === null ? [] : [`reference ${each}`]))];
}

function refundMarks({ snapshot, refunds, withdrawn = {} }: Facts): string[] {
  const ids = [...Object.keys(refunds), ...(snapshot?.refunds ?? []).map(({ id }) => id), ...Object.keys(withdrawn)];
  const carriers = Object.values(refunds).flatMap(({ transactions }) => transactions);
  return [...ids.map((id) => `refund ${id}`), ...carriers.map((id) => `transaction ${id}`)];
}

function overlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((each) => b.includes(each));
}

/** `id`: its number in the ledger, if it has one yet. */
type First = { orderId: string; id: number | null; snapshot: Snapshot | null };

/** Both orders of one platform id, for a person who must say whether they are one. */
export function otherOrderWords({ orderId, id, snapshot }: First, other: Snapshot | null): string {
  const first = `${orderId}${id === null ? '' : ` (id:${id})`}`;
  return `The order ${first} was ${saleWords(snapshot)}; this one was ${saleWords(other)}, and nothing ties it to the first.`;
}

function saleWords(snapshot: Snapshot | null): string {
  return snapshot === null ? 'not seen yet' : `placed at ${snapshot.createdAt} for ${snapshot.total} ${snapshot.currency}`;
}
