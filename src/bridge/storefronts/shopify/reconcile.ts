import { sum } from '../../../contract/money.ts';
import type { Reading } from '../../order/facts.ts';
import { type Candidate, candidate, toReading, withExtra, withOpen } from './candidate.ts';
import { netOf } from './charges.ts';
import { type Classified, classify } from './classify-refunds.ts';
import type { ListedRefund } from './listed-refund.ts';
import { hasMoved, type OrderCase, orderCase } from './order-case.ts';
import type { ShopifyOrder } from './payload.ts';
import { AS_LEFT, exactPutBacks, likelyPutBacks, type PutBack } from './put-back.ts';
import { choicesOf } from './subset-worth.ts';

/** What the totals say was paid and kept, and how much of that the customer should have back. */
type Totals = { kept: bigint; owed: bigint };

/** A reading, and what the totals say was kept if it is right. */
type Found = { reading: Reading; kept: bigint };

/** `otherwise`: other readings, if the totals and the pieces do not agree, or in more than one way. */
export type Reconciled = Found & { otherwise: Reading[] };

type PutBacks = (order: ShopifyOrder, takenOff: OrderCase['takenOff'], owed: bigint) => PutBack[];

const NOTHING: Classified = { short: new Set(), extra: new Map() };

/**
 * Reads a paid order by its pieces, which explain each refund, and by its totals, which say what was paid and kept. If they agree, that is the order;
 * if not, both are given, and the known payments decide.
 */
export function reconcile(order: ShopifyOrder, listed: readonly ListedRefund[], totals: Totals): Reconciled {
  const known = orderCase(order, listed);
  const all = withRefundsUnderWay(totals, listed);
  const found = (one: Totals, read: Candidate): Found => ({ reading: toReading(read, listed), kept: one.kept });
  const agreeing = (putBacks: PutBacks) =>
    all.flatMap((one) => clear(byPieces(known, one, putBacks).filter(({ kept }) => kept === one.kept)).map((read) => found(one, read)));
  const byTotalsOrPieces = () => [
    ...all.flatMap((one) => byTotals(known, one).map((read) => found(one, read))),
    ...all.flatMap((one) => byPieces(known, one, exactPutBacks).map((read) => found(one, read))),
  ];
  const isOver = isAllGivenBack(order, totals, listed);
  const ways = [() => agreeing(exactPutBacks), () => agreeing(likelyPutBacks).slice(0, 1), () => (isOver ? [] : byTotalsOrPieces())];
  const plain = { reading: asLeft(order, listed, totals.kept), kept: totals.kept };
  const [first = plain, ...others] = firstOf(ways);
  const doubts = isOver ? [] : all.flatMap((one) => doubtful(known, one).map((read) => found(one, read)));
  return { ...first, otherwise: unlike(first, [...others, ...doubts]) };
}

/** What the pieces say as they are usually valued, if only another rounding of them agrees with the totals, and a refund gave more or less than its pieces cost. */
function doubtful(known: OrderCase, totals: Totals): Candidate[] {
  const reads = byPieces({ ...known, bases: [known.bases[0]] }, totals, exactPutBacks);
  if (reads.some(({ kept }) => kept === totals.kept)) return [];
  return reads.filter(({ refunds }) => refunds.extra.size > 0 || refunds.short.size > 0);
}

/** An order that is not paid in full: the lines that are left, against what it comes to. */
export function asLeft(order: ShopifyOrder, listed: readonly ListedRefund[], comesTo: bigint): Reading {
  const known = orderCase(order, listed);
  const usual = candidate(known, known.bases[0], { put: AS_LEFT, refunds: NOTHING });
  const all = known.bases.map((basis) => candidate(known, basis, { put: AS_LEFT, refunds: NOTHING }));
  const { charges } = all.find((read) => sum(read.charges.map(netOf)) === comesTo) ?? usual;
  return toReading({ ...usual, charges, kept: comesTo }, listed);
}

function firstOf(ways: readonly (() => Found[])[]): Found[] {
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** One reading for each other amount that may have been paid. */
function unlike({ reading }: Found, others: readonly Found[]): Reading[] {
  const byTotal = new Map(others.toReversed().map((other) => [other.reading.total, other.reading]));
  byTotal.delete(reading.total);
  return [...byTotal.values()].toReversed();
}

function isAllGivenBack({ financial_status }: ShopifyOrder, { kept }: Totals, listed: readonly ListedRefund[]): boolean {
  return financial_status === 'refunded' && kept === 0n && listed.every(({ underWay }) => underWay === 0n);
}

/** Refunds under way are not gone yet: their pieces are in the lines. Whether the totals still count their money is not documented. */
function withRefundsUnderWay({ kept, owed }: Totals, listed: readonly ListedRefund[]): Totals[] {
  const going = listed.filter(({ underWay }) => underWay > 0n);
  if (going.length === 0) return [{ kept, owed }];
  const named = sum(going.map(({ value, back }) => value - back));
  const money = sum(going.map(({ underWay }) => underWay));
  const counted = { kept: kept + money, owed: owed + money - named };
  return owed < named ? [counted] : [{ kept, owed: owed - named }, counted];
}

function byPieces(known: OrderCase, { kept, owed }: Totals, putBacks: PutBacks): Candidate[] {
  const { order, listed, takenOff, added, bases } = known;
  const refunds = classify({ refunds: listed.filter((refund) => hasMoved(refund) && !refund.isOpen), takenOff, added, owed });
  const puts = putBacks(order, takenOff, owed);
  return bases.flatMap((basis) => puts.map((put) => withOpen(candidate(known, basis, { put, refunds }), listed, kept)));
}

/** Readings whose money is what the totals say, whatever the refunds name: they explain the difference somehow. */
function byTotals(known: OrderCase, { kept, owed }: Totals): Candidate[] {
  const { order, listed, takenOff, bases } = known;
  const shorts = listed.filter((refund) => hasMoved(refund) && refund.back > 0n && refund.back < refund.value).map(({ id }) => id);
  const choices = [[], ...choicesOf(shorts).toReversed()].map((short) => ({ short: new Set(short), extra: new Map() }));
  const puts = [...exactPutBacks(order, takenOff, owed), ...likelyPutBacks(order, takenOff, owed)];
  const all = puts.flatMap((put) => choices.flatMap((refunds) => bases.map((basis) => candidate(known, basis, { put, refunds }))));
  const exact = all.filter((read) => read.kept === kept);
  return clear(exact.length > 0 ? exact : all.flatMap((read) => (read.kept > kept ? withExtra(read, listed, read.kept - kept) : [])));
}

/** The first of these readings, if all of them put the same money under each VAT rate; none if it is not clear which one is right. */
function clear(reads: readonly Candidate[]): Candidate[] {
  return new Set(reads.map(({ byRate }) => byRate)).size > 1 ? [] : reads.slice(0, 1);
}
