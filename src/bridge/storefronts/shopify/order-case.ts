import { divideHalfUp, larger, shareOut, smaller, sum } from '../../../contract/money.ts';
import type { Reading, RefundMention } from '../../order/facts/facts.ts';
import { amountsOf, type Charge, dutiesOf, feesOf, type Item, itemCharge, netOf, type ShippingLine, shippingCharges, tipOf, toDraft } from './charges.ts';
import type { Classified, PutBack } from './classify-refunds.ts';
import { microText, roundTo, unitOf } from './micro-money.ts';
import type { ShopifyOrder } from './payload.ts';
import type { Leaving, ListedRefund } from './refund.ts';

/** What one payload says of the money of its order. */
export type OrderCase = {
  order: ShopifyOrder;
  listed: readonly ListedRefund[];
  /** What edits took off, the newest first: pieces that went without money. */
  takenOff: readonly Leaving[];
  /** The ways in which pieces may be valued, the usual one first. */
  bases: readonly [Basis, ...Basis[]];
  /** What each item but the oldest costs: an edit or an exchange may have added it. */
  added: readonly bigint[];
};

const MOST_ADDED = 20;

export function orderCase(order: ShopifyOrder, listed: readonly ListedRefund[]): OrderCase {
  const usual: Basis = { value: 'stated', tip: true };
  const others = (['stated', 'share', 'current'] as const).flatMap((value) => [true, false].map((tip) => ({ value, tip })));
  const hasTip = Boolean(order.total_tip_received);
  const bases = others.filter(({ value, tip }) => (tip ? value !== 'stated' : hasTip));
  return { order, listed, takenOff: takenOffIn(order, listed), bases: [usual, ...bases], added: addedTo(order) };
}

/** Did money of it go back, so that what it names has left the order? */
export function hasMoved({ back, isOpen, underWay }: ListedRefund): boolean {
  return (back > 0n || isOpen) && underWay === 0n;
}

function takenOffIn(order: ShopifyOrder, listed: readonly ListedRefund[]): Leaving[] {
  const withoutMoney = listed.filter(({ back, isOpen, underWay }) => back === 0n && !isOpen && underWay === 0n);
  const items = new Set(order.line_items.map(({ id }) => id));
  const noted = withoutMoney.flatMap(({ leavings }) => leavings.filter(({ lineId }) => items.has(lineId)));
  return [...noted.toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at)), ...unlisted(order, listed)];
}

/** Pieces and shipping that are gone, though no refund names them with its money. */
function unlisted(order: ShopifyOrder, listed: readonly ListedRefund[]): Leaving[] {
  const named = listed.flatMap(({ leavings }) => leavings);
  const items = order.line_items.flatMap((item): Leaving[] => {
    const quantity = item.quantity - (item.current_quantity ?? item.quantity) - unitsOf(named, item.id);
    if (quantity <= 0) return [];
    return [
      { refund: null, at: '', lineId: item.id, quantity, amount: divideHalfUp(netOf(itemCharge(item, order)) * BigInt(quantity), BigInt(item.quantity)) },
    ];
  });
  const shipping = order.shipping_lines.flatMap((line): Leaving[] => {
    const givenBack = listed.filter(hasMoved).flatMap(({ leavings }) => leavings.filter(({ lineId }) => lineId === line.id));
    if (line.is_removed !== true || givenBack.length > 0) return [];
    return [{ refund: null, at: '', lineId: line.id, quantity: 1, amount: sum(shippingCharges(line, order).map(netOf)) }];
  });
  return [...items, ...shipping];
}

function unitsOf(leavings: readonly Leaving[], id: string): number {
  return leavings.filter(({ lineId }) => lineId === id).reduce((all, { quantity }) => all + quantity, 0);
}

function addedTo(order: ShopifyOrder): bigint[] {
  const byAge = order.line_items.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  return byAge.slice(Math.max(1, byAge.length - MOST_ADDED)).map((item) => netOf(itemCharge(item, order)));
}

/** One way to read an order: its lines, what refunds were for, and what it says was paid and kept. */
export type Candidate = { charges: Charge[]; refunds: Classified; kept: bigint; byRate: string };

export function candidate({ order, listed, takenOff }: OrderCase, basis: Basis, { put, refunds }: { put: PutBack; refunds: Classified }): Candidate {
  const settled = listed.filter((refund) => hasMoved(refund) && !refunds.short.has(refund.id));
  const gone = [...takenOff.filter((piece) => !put.pieces.includes(piece)), ...put.cut, ...settled.flatMap(({ leavings }) => leavings)];
  const charges = leftLines(order, gone, basis).filter(({ id }) => !put.without.has(id));
  const unsettled = listed.filter((refund) => !settled.includes(refund));
  const back = sum([...unsettled.map((refund) => refund.back), ...refunds.extra.values()]);
  return { charges, refunds, kept: sum(charges.map(netOf)) - back, byRate: moneyByRate(charges, unsettled) };
}

/** What is kept under each VAT rate, but for money without a piece, as text to compare. */
function moneyByRate(charges: readonly Charge[], unsettled: readonly ListedRefund[]): string {
  const rateOf = (lineId: string | undefined) => charges.find(({ id }) => id === lineId)?.vatRate ?? '';
  const money = [
    ...charges.map((charge) => ({ rate: charge.vatRate, amount: netOf(charge) })),
    ...unsettled.map(({ back, leavings }) => ({ rate: rateOf(leavings[0]?.lineId), amount: -back })),
  ];
  const sums = [...Map.groupBy(money, ({ rate }) => rate)].map(([rate, same]) => ({ rate, amount: sum(same.map(({ amount }) => amount)) }));
  return sums
    .flatMap(({ rate, amount }) => (amount === 0n ? [] : `${rate}: ${amount}`))
    .sort()
    .join();
}

/** The same, with an amount of the money beyond their pieces that these refunds gave back, the newest first; none if it was not so much. */
export function withExtra(read: Candidate, listed: readonly ListedRefund[], amount: bigint): Candidate[] {
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
export function withOpen(read: Candidate, listed: readonly ListedRefund[], kept: bigint): Candidate {
  const open = listed.findLast(({ isOpen }) => isOpen);
  const amount = read.kept - kept;
  return open === undefined || amount <= 0n ? read : { ...read, refunds: { ...read.refunds, extra: new Map(read.refunds.extra).set(open.id, amount) }, kept };
}

export function toReading({ charges, refunds, kept }: Candidate, listed: readonly ListedRefund[]): Reading {
  const mentions = listed
    .map((refund) => ({ refund, extra: refunds.extra.get(refund.id) ?? 0n }))
    .map(({ refund, extra }) => toMention(refund, refunds, extra));
  const back = sum(mentions.map(({ amount }) => amount));
  return { lines: charges.map(toDraft), total: microText(kept + back), refunds: mentions.map(mentionText) };
}

type Mention = { id: string; amount: bigint; settled: bigint };

function toMention(refund: ListedRefund, { short }: Classified, extra: bigint): Mention {
  const { id, isOpen, back } = refund;
  if (isOpen) return { id, amount: extra, settled: 0n };
  return { id, amount: back, settled: hasMoved(refund) && !short.has(id) ? back - extra : 0n };
}

function mentionText({ id, amount, settled }: Mention): RefundMention {
  return { id, amount: microText(amount), ...(settled > 0n ? { settled: microText(settled) } : {}) };
}

/**
 * How the pieces that are left of a line are valued: what refunds and edits say that the others cost is taken off; or their share of the line; or
 * the line’s discounts and taxes are those of the pieces left. A tip is a line item in some checkouts.
 */
type Basis = { value: 'stated' | 'share' | 'current'; tip: boolean };

/** The lines of an order without what left them. */
function leftLines(order: ShopifyOrder, gone: readonly Leaving[], basis: Basis): Charge[] {
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

function amountOf(gone: readonly Leaving[]): bigint {
  return sum(gone.map(({ amount }) => amount));
}

type How = { order: ShopifyOrder; basis: Basis };

function itemLeft(item: Item, gone: Leaving[], { order, basis }: How): Charge[] {
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

function shippingLeft(line: ShippingLine, gone: Leaving[], order: ShopifyOrder): Charge[] {
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
