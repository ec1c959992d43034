import { sum } from '../../../contract/money.ts';
import type { DraftLine, Reading, Snapshot } from '../../order/facts/facts.ts';
import { type Charge, dutiesOf, feesOf, type Item, itemCharge, netOf, shippingCharges, tipOf, toDraft } from './charges.ts';
import { AS_LEFT, type Classified, choicesOf, classify, exactPutBacks, likelyPutBacks, type PutBack } from './classify-refunds.ts';
import { microText, roundTo } from './micro-money.ts';
import { type Candidate, candidate, hasMoved, type OrderCase, orderCase, toReading, withExtra, withOpen } from './order-case.ts';
import { paymentOf } from './order-status.ts';
import type { ShopifyOrder } from './payload.ts';
import { type ListedRefund, listedRefund } from './refund.ts';
import { refundsUnderWay } from './transaction.ts';

type Money = Pick<Snapshot, 'lines' | 'total' | 'refunds' | 'kept' | 'otherwise'>;

/**
 * What the order says of its money. `current_total_price` less what is outstanding is what was paid and kept; `total_price` may be frozen, so it is
 * only read where there is nothing else.
 */
export function moneyOf(order: ShopifyOrder): Money {
  const listed = order.refunds.map((raw) => listedRefund(raw, order));
  const current = order.current_total_price_set ?? order.current_total_price ?? null;
  if (current === null) return asPlaced(order, listed);
  if (paymentOf(order) !== 'paid') return asLeft(order, listed, current);
  const outstanding = order.total_outstanding ?? 0n;
  const { reading, otherwise, kept } = reconcile(order, listed, { kept: current - outstanding, owed: -outstanding });
  return {
    ...reading,
    kept: microText(kept),
    ...(otherwise.length > 0 ? { otherwise } : {}),
  };
}

function asPlaced(order: ShopifyOrder, listed: ReturnType<typeof listedRefund>[]): Money {
  const total = microText(order.total_price_set ?? order.total_price);
  return { lines: toLines(order), total, refunds: listed.map(({ id, back }) => ({ id, amount: microText(back) })) };
}

/** Which parts of an order make up its total; see `toLines`. */
type PriceReading = { items: 'ordered' | 'left'; shipping: 'left' | 'all'; tip: boolean };

const USUAL: PriceReading = { items: 'ordered', shipping: 'left', tip: true };

const READINGS: readonly PriceReading[] = (['left', 'all'] as const).flatMap((shipping) =>
  (['ordered', 'left'] as const).flatMap((items) => [true, false].map((tip) => ({ items, shipping, tip }))),
);

/**
 * The lines as ordered, before any refund, of an order without current totals. An edit that takes items or shipping off leaves little trace, and a
 * tip is a line item in some checkouts: the first reading whose sum is total_price is used; if there is none, the domain reports the mismatch.
 */
function toLines(order: ShopifyOrder): DraftLine[] {
  return fittingCharges(order)
    .filter(({ quantity }) => quantity > 0)
    .map(toDraft);
}

function fittingCharges(order: ShopifyOrder): Charge[] {
  const total = order.total_price_set ?? order.total_price;
  for (const reading of READINGS) {
    const charges = chargesOf(order, reading);
    if (sum(charges.map(netOf)) === total) return charges;
  }
  return chargesOf(order, USUAL);
}

function chargesOf(order: ShopifyOrder, { items, shipping, tip }: PriceReading): Charge[] {
  return [
    ...order.line_items.map((item) => (items === 'left' ? whatIsLeft(item, order) : itemCharge(item, order))),
    ...order.shipping_lines.filter(({ is_removed }) => shipping === 'all' || is_removed !== true).flatMap((line) => shippingCharges(line, order)),
    ...dutiesOf(order, order.original_total_duties_set),
    ...feesOf(order.original_total_additional_fees_set),
    ...(tip ? tipOf(order) : []),
  ];
}

/** The part of a line that edits left: units gone without their money having been given back were never sold. */
function whatIsLeft(item: Item, order: ShopifyOrder): Charge {
  const charge = itemCharge(item, order);
  const gone = item.quantity - (item.current_quantity ?? item.quantity) - refundedUnits(order, item.id);
  if (gone <= 0) return charge;
  const kept = item.quantity - gone;
  const share = (whole: bigint) => roundTo(order.currency, { dividend: whole * BigInt(kept), divisor: BigInt(item.quantity) });
  return { ...charge, quantity: kept, gross: share(charge.gross), discount: share(charge.discount) };
}

// Edits of an order book what they remove as refunds without transactions: those are not refunds.
function refundedUnits({ refunds }: ShopifyOrder, lineId: string): number {
  const withMoney = refunds.filter(({ transactions }) => refundsUnderWay(transactions).length > 0);
  const units = withMoney.flatMap(({ refund_line_items }) => refund_line_items.filter((line) => line.line_item_id === lineId));
  return units.reduce((total, { quantity }) => total + quantity, 0);
}

/** What the totals say was paid and kept, and how much of that the customer should have back. */
type Totals = { kept: bigint; owed: bigint };

/** A reading, and what the totals say was kept if it is right. */
type Found = { reading: Reading; kept: bigint };

/** `otherwise`: other readings, if the totals and the pieces do not agree, or in more than one way. */
type Reconciled = Found & { otherwise: Reading[] };

type PutBacks = (order: ShopifyOrder, takenOff: OrderCase['takenOff'], owed: bigint) => PutBack[];

const NOTHING: Classified = { short: new Set(), extra: new Map() };

/**
 * Reads a paid order by its pieces, which explain each refund, and by its totals, which say what was paid and kept. If they agree, that is the order;
 * if not, both are given, and the known payments decide.
 */
function reconcile(order: ShopifyOrder, listed: readonly ListedRefund[], totals: Totals): Reconciled {
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
function asLeft(order: ShopifyOrder, listed: readonly ListedRefund[], comesTo: bigint): Reading {
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
