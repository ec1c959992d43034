/*
 * What was paid and kept of an order, told twice by Shopify: by pieces (lines, shipping, duties, fees, tip, refunds) and by totals, in millionths.
 * - Kept, by the totals: `current_total_price` less `total_outstanding`. `total_price` may be frozen: it is read only where there is no current total.
 * - A piece costs price × quantity less its `discount_allocations`; where prices are without VAT, its `tax_lines` are added (`charges.ts`).
 * - Subtracted: pieces of refunds whose money went (`refund_line_items`, `refund_shipping_lines`, else `order_adjustments`), and pieces that edits took off
 *   without money (`current_quantity`, `is_removed`), each with what the refund says of it. Refunds under way are still in the lines.
 * - Money back beyond its pieces is of pieces taken off before, or goodwill (`extra`); less was kept back, or went for an exchange (`classify-refunds.ts`).
 * - What is left of a line is its price less what the gone pieces are stated to cost, else its share by quantity, rounded to the currency's unit, halves away from zero;
 *   what is given back of shipping at several rates is spread over its parts by largest remainder.
 * - The first way of valuing whose pieces add up to the totals is the order. If none does, or several that differ do, all are given, and the known payments decide.
 */
import { divideHalfUp, larger, shareOut, smaller, sum } from '../../../contract/money.ts';
import type { DraftLine, MoneyAsRead, RefundReference, Snapshot } from '../../order/facts/facts.ts';
import { amountsOf, type Charge, dutiesOf, feesOf, type Item, itemCharge, netOf, type ShippingLine, shippingCharges, tipOf, toDraft } from './charges.ts';
import { AS_LEFT, type Classified, choicesOf, classify, exactRestorations, likelyRestorations, type Restoration } from './classify-refunds.ts';
import { microText, paymentOf, roundTo, type ShopifyOrder, unitOf } from './payload.ts';
import { type ListedRefund, listedRefund, type RemovedUnits } from './refund.ts';
import { refundsUnderWay } from './transaction.ts';

/** What one payload says of the money of its order. */
type OrderCase = {
  order: ShopifyOrder;
  listed: readonly ListedRefund[];
  /** What edits took off, the newest first: pieces that went without money. */
  removedByEdits: readonly RemovedUnits[];
  /** The ways in which pieces may be valued, the usual one first. */
  bases: readonly [Basis, ...Basis[]];
  /** What each item but the oldest costs: an edit or an exchange may have added it. */
  added: readonly bigint[];
};

const MOST_ADDED = 20;

function orderCase(order: ShopifyOrder, listed: readonly ListedRefund[]): OrderCase {
  const usual: Basis = { value: 'stated', tip: true };
  const others = (['stated', 'share', 'current'] as const).flatMap((value) => [true, false].map((tip) => ({ value, tip })));
  const hasTip = Boolean(order.total_tip_received);
  const bases = others.filter(({ value, tip }) => (tip ? value !== 'stated' : hasTip));
  return { order, listed, removedByEdits: removedByEditsIn(order, listed), bases: [usual, ...bases], added: addedTo(order) };
}

/** Did money of it go back, so that what it names has left the order? */
function hasMoved({ back, isOpen, underWay }: ListedRefund): boolean {
  return (back > 0n || isOpen) && underWay === 0n;
}

function removedByEditsIn(order: ShopifyOrder, listed: readonly ListedRefund[]): RemovedUnits[] {
  const withoutMoney = listed.filter(({ back, isOpen, underWay }) => back === 0n && !isOpen && underWay === 0n);
  const items = new Set(order.line_items.map(({ id }) => id));
  const noted = withoutMoney.flatMap(({ removed }) => removed.filter(({ lineId }) => items.has(lineId)));
  return [...noted.toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at)), ...unlisted(order, listed)];
}

/** Pieces and shipping that are gone, though no refund names them with its money. */
function unlisted(order: ShopifyOrder, listed: readonly ListedRefund[]): RemovedUnits[] {
  const named = listed.flatMap(({ removed }) => removed);
  const items = order.line_items.flatMap((item): RemovedUnits[] => {
    const quantity = item.quantity - (item.current_quantity ?? item.quantity) - unitsOf(named, item.id);
    if (quantity <= 0) return [];
    return [
      { refund: null, at: '', lineId: item.id, quantity, amount: divideHalfUp(netOf(itemCharge(item, order)) * BigInt(quantity), BigInt(item.quantity)) },
    ];
  });
  const shipping = order.shipping_lines.flatMap((line): RemovedUnits[] => {
    const givenBack = listed.filter(hasMoved).flatMap(({ removed }) => removed.filter(({ lineId }) => lineId === line.id));
    if (line.is_removed !== true || givenBack.length > 0) return [];
    return [{ refund: null, at: '', lineId: line.id, quantity: 1, amount: sum(shippingCharges(line, order).map(netOf)) }];
  });
  return [...items, ...shipping];
}

function unitsOf(removed: readonly RemovedUnits[], id: string): number {
  return removed.filter(({ lineId }) => lineId === id).reduce((all, { quantity }) => all + quantity, 0);
}

function addedTo(order: ShopifyOrder): bigint[] {
  const byAge = order.line_items.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  return byAge.slice(Math.max(1, byAge.length - MOST_ADDED)).map((item) => netOf(itemCharge(item, order)));
}

/** One way to read an order: its lines, what refunds were for, and what it says was paid and kept. */
type Candidate = { charges: Charge[]; refunds: Classified; kept: bigint; byRate(): string };

function candidate({ order, listed, removedByEdits }: OrderCase, basis: Basis, { put, refunds }: { put: Restoration; refunds: Classified }): Candidate {
  const deducted = listed.filter((refund) => hasMoved(refund) && !refunds.short.has(refund.id));
  const gone = [...removedByEdits.filter((piece) => !put.pieces.includes(piece)), ...put.cut, ...deducted.flatMap(({ removed }) => removed)];
  const charges = leftLines(order, gone, basis).filter(({ id }) => !put.without.has(id));
  const remaining = listed.filter((refund) => !deducted.includes(refund));
  const back = sum([...remaining.map((refund) => refund.back), ...refunds.extra.values()]);
  return { charges, refunds, kept: sum(charges.map(netOf)) - back, byRate: () => moneyByRate(charges, remaining) };
}

/** What is kept under each VAT rate, but for money without a piece, as text to compare. */
function moneyByRate(charges: readonly Charge[], remaining: readonly ListedRefund[]): string {
  const rateOf = (lineId: string | undefined) => charges.find(({ id }) => id === lineId)?.vatRate ?? '';
  const money = [
    ...charges.map((charge) => ({ rate: charge.vatRate, amount: netOf(charge) })),
    ...remaining.map(({ back, removed }) => ({ rate: rateOf(removed[0]?.lineId), amount: -back })),
  ];
  const sums = [...Map.groupBy(money, ({ rate }) => rate)].map(([rate, same]) => ({ rate, amount: sum(same.map(({ amount }) => amount)) }));
  return sums
    .flatMap(({ rate, amount }) => (amount === 0n ? [] : `${rate}: ${amount}`))
    .sort()
    .join();
}

/** The same, with an amount of the money beyond their pieces that these refunds gave back, the newest first; none if it was not so much. */
function withExtra(read: Candidate, listed: readonly ListedRefund[], amount: bigint): Candidate[] {
  const extra = new Map(read.refunds.extra);
  let rest = amount;
  for (const { id, back, value } of listed.filter((refund) => hasMoved(refund) && !read.refunds.short.has(refund.id)).toReversed()) {
    const part = smaller(rest, larger(back - value, 0n));
    if (part > 0n) extra.set(id, part);
    rest -= part;
  }
  return rest === 0n ? [{ ...read, refunds: { ...read.refunds, extra }, kept: read.kept - amount }] : [];
}

/** The same, where only the totals tell how much of the shop's money a refund in another currency was. */
function withOpen(read: Candidate, listed: readonly ListedRefund[], kept: bigint): Candidate {
  const open = listed.findLast(({ isOpen }) => isOpen);
  const amount = read.kept - kept;
  return open === undefined || amount <= 0n ? read : { ...read, refunds: { ...read.refunds, extra: new Map(read.refunds.extra).set(open.id, amount) }, kept };
}

function toReading({ charges, refunds, kept }: Candidate, listed: readonly ListedRefund[]): MoneyAsRead {
  const counted = listed
    .map((refund) => ({ refund, extra: refunds.extra.get(refund.id) ?? 0n }))
    .map(({ refund, extra }) => countedRefund(refund, refunds, extra));
  const back = sum(counted.map(({ amount }) => amount));
  return { lines: charges.map(toDraft), total: microText(kept + back), refunds: counted.map(referenceOf) };
}

type CountedRefund = { id: string; amount: bigint; deducted: bigint };

function countedRefund(refund: ListedRefund, { short }: Classified, extra: bigint): CountedRefund {
  const { id, isOpen, back } = refund;
  if (isOpen) return { id, amount: extra, deducted: 0n };
  return { id, amount: back, deducted: hasMoved(refund) && !short.has(id) ? back - extra : 0n };
}

function referenceOf({ id, amount, deducted }: CountedRefund): RefundReference {
  return { id, amount: microText(amount), ...(deducted > 0n ? { deducted: microText(deducted) } : {}) };
}

/**
 * How the pieces that are left of a line are valued: what refunds and edits say that the others cost is taken off; or their share of the line; or
 * the line’s discounts and taxes are those of the pieces left. A tip is a line item in some checkouts.
 */
type Basis = { value: 'stated' | 'share' | 'current'; tip: boolean };

/** The lines of an order without what left them. */
function leftLines(order: ShopifyOrder, gone: readonly RemovedUnits[], basis: Basis): Charge[] {
  const byLine = Map.groupBy(gone, ({ lineId }) => lineId);
  const left = (id: string) => byLine.get(id) ?? [];
  return [
    ...order.line_items.flatMap((item) => itemLeft(item, left(item.id), { order, basis })),
    ...order.shipping_lines.flatMap((line) => shippingLeft(line, left(line.id), order)),
    ...dutiesOf(order, order.current_total_duties_set ?? order.original_total_duties_set).flatMap((duty) =>
      withMoney(duty, netOf(duty) - amountOf(left(duty.id))),
    ),
    ...feesOf(order.current_total_additional_fees_set ?? order.original_total_additional_fees_set),
    ...(basis.tip ? tipOf(order) : []),
  ];
}

function amountOf(gone: readonly RemovedUnits[]): bigint {
  return sum(gone.map(({ amount }) => amount));
}

function itemLeft(item: Item, gone: RemovedUnits[], { order, basis }: { order: ShopifyOrder; basis: Basis }): Charge[] {
  const charge = itemCharge(item, order);
  const units = item.quantity - gone.reduce((all, { quantity }) => all + quantity, 0);
  if (item.quantity === 0 || (units <= 0 && gone.length > 0)) return [];
  if (gone.length === 0) return [charge];
  if (basis.value === 'current' && units === item.current_quantity && units < item.quantity)
    return [{ ...charge, quantity: units, ...amountsOf(item, units, order) }];
  const share = (whole: bigint) => roundTo(order.currency, { dividend: whole * BigInt(units), divisor: BigInt(item.quantity) });
  const stated = netOf(charge) - amountOf(gone);
  const net = basis.value === 'stated' && stated >= 0n ? stated : share(netOf(charge));
  const gross = charge.discount === 0n && units < item.quantity ? net : larger(net, share(charge.gross));
  return [{ ...charge, quantity: units, gross, discount: gross - net }];
}

function shippingLeft(line: ShippingLine, gone: RemovedUnits[], order: ShopifyOrder): Charge[] {
  const charges = shippingCharges(line, order);
  const whole = sum(charges.map(netOf));
  const off = smaller(amountOf(gone), whole);
  const isGone = line.is_removed === true && gone.some(({ quantity }) => quantity > 0);
  if (off <= 0n) return isGone ? [] : charges;
  // In whole cents, so that each part of a mixed shipping stays an amount of money.
  const unit = unitOf(order.currency);
  return shareOut(off / unit, charges, (charge) => netOf(charge) / unit).flatMap(({ item, part }) => withMoney(item, netOf(item) - part * unit));
}

/** What was given back of one piece is a discount; with all its money it is gone. */
function withMoney(charge: Charge, net: bigint): Charge[] {
  if (net === netOf(charge)) return [charge];
  return net <= 0n ? [] : [{ ...charge, discount: charge.gross - net }];
}

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
type Found = { reading: MoneyAsRead; kept: bigint };

/** `otherwise`: other readings, if the totals and the pieces do not agree, or in more than one way. */
type Reconciled = Found & { otherwise: MoneyAsRead[] };

type Restorations = (order: ShopifyOrder, removedByEdits: OrderCase['removedByEdits'], owed: bigint) => Restoration[];

const NOTHING: Classified = { short: new Set(), extra: new Map() };

/**
 * Reads a paid order by its pieces, which explain each refund, and by its totals, which say what was paid and kept. If they agree, that is the order;
 * if not, both are given, and the known payments decide.
 */
function reconcile(order: ShopifyOrder, listed: readonly ListedRefund[], totals: Totals): Reconciled {
  const known = orderCase(order, listed);
  const all = withRefundsUnderWay(totals, listed);
  const found = (one: Totals, read: Candidate): Found => ({ reading: toReading(read, listed), kept: one.kept });
  const agreeing = (restorations: Restorations) =>
    all.flatMap((one) => clear(byPieces(known, one, restorations).filter(({ kept }) => kept === one.kept)).map((read) => found(one, read)));
  const byTotalsOrPieces = () => [
    ...all.flatMap((one) => byTotals(known, one).map((read) => found(one, read))),
    ...all.flatMap((one) => byPieces(known, one, exactRestorations).map((read) => found(one, read))),
  ];
  const isOver = isAllGivenBack(order, totals, listed);
  const ways = [() => agreeing(exactRestorations), () => agreeing(likelyRestorations).slice(0, 1), () => (isOver ? [] : byTotalsOrPieces())];
  const plain = { reading: asLeft(order, listed, totals.kept), kept: totals.kept };
  const [first = plain, ...others] = firstOf(ways);
  const doubts = isOver ? [] : all.flatMap((one) => uncertainTotals(known, one).map((read) => found(one, read)));
  return { ...first, otherwise: unlike(first, [...others, ...doubts]) };
}

/** What the pieces say as they are usually valued, if only another rounding of them agrees with the totals, and a refund gave more or less than its pieces cost. */
function uncertainTotals(known: OrderCase, totals: Totals): Candidate[] {
  const reads = byPieces({ ...known, bases: [known.bases[0]] }, totals, exactRestorations);
  if (reads.some(({ kept }) => kept === totals.kept)) return [];
  return reads.filter(({ refunds }) => refunds.extra.size > 0 || refunds.short.size > 0);
}

/** An order that is not paid in full: the lines that are left, against what it comes to. */
function asLeft(order: ShopifyOrder, listed: readonly ListedRefund[], comesTo: bigint): MoneyAsRead {
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
function unlike({ reading }: Found, others: readonly Found[]): MoneyAsRead[] {
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

function byPieces(known: OrderCase, { kept, owed }: Totals, restorations: Restorations): Candidate[] {
  const { order, listed, removedByEdits, added, bases } = known;
  const refunds = classify({ refunds: listed.filter((refund) => hasMoved(refund) && !refund.isOpen), removedByEdits, added, owed });
  const puts = restorations(order, removedByEdits, owed);
  return bases.flatMap((basis) => puts.map((put) => withOpen(candidate(known, basis, { put, refunds }), listed, kept)));
}

/** Refunds of less than their pieces that are looked at in every choice; with more a person is asked. */
const MOST_SHORT = 4;
/** Lines of all readings of an order together: beyond it they would take the process longer than 100 ms, and a person is asked. */
const MOST_LINES_READ = 100_000;

/** Readings whose money is what the totals say, whatever the refunds name: they explain the difference somehow. */
function byTotals(known: OrderCase, { kept, owed }: Totals): Candidate[] {
  const { order, listed, removedByEdits, bases } = known;
  const shorts = listed.filter((refund) => hasMoved(refund) && refund.back > 0n && refund.back < refund.value).map(({ id }) => id);
  if (shorts.length > MOST_SHORT) return [];
  const choices = [[], ...choicesOf(shorts).toReversed()].map((short) => ({ short: new Set(short), extra: new Map() }));
  const puts = [...exactRestorations(order, removedByEdits, owed), ...likelyRestorations(order, removedByEdits, owed)];
  if (puts.length * choices.length * bases.length * order.line_items.length > MOST_LINES_READ) return [];
  const all = puts.flatMap((put) => choices.flatMap((refunds) => bases.map((basis) => candidate(known, basis, { put, refunds }))));
  const exact = all.filter((read) => read.kept === kept);
  return clear(exact.length > 0 ? exact : all.flatMap((read) => (read.kept > kept ? withExtra(read, listed, read.kept - kept) : [])));
}

/** The first of these readings, if all of them put the same money under each VAT rate; none if it is not clear which one is right. */
function clear(reads: readonly Candidate[]): Candidate[] {
  return new Set(reads.map(({ byRate }) => byRate())).size > 1 ? [] : reads.slice(0, 1);
}
