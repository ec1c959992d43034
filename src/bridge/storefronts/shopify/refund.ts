import { sum } from '../../../contract/money.ts';
import type { Refund, RefundLine } from '../../order/facts/facts.ts';
import {
  discountOf,
  microText,
  ONE,
  type Priced,
  priceOf,
  rateOf,
  roundTo,
  type ShopifyOrder,
  type ShopifyRefund,
  type ShopifyTransaction,
  taxOf,
  utc,
} from './payload.ts';
import { isForeign, isRefund, refundsUnderWay } from './transaction.ts';

/**
 * One refund. Neither its body nor its lines say whether their amounts contain VAT, so the reading that adds up to the refunded money is used.
 * Everything is read from the refund alone: it is the same whether it comes alone or within its order.
 */
export function toRefund(raw: ShopifyRefund): Refund {
  const reading = readingOf(raw, likelyReading(raw));
  const inShopMoney = raw.transactions.some(isForeign) ? shopMoneyBack(raw, reading) : undefined;
  return {
    id: raw.id,
    at: utc(raw.processed_at ?? raw.created_at),
    amount: inShopMoney === undefined ? null : microText(inShopMoney),
    transactions: inShopMoney === undefined ? raw.transactions.filter(isRefund).map(({ id }) => id) : [],
    lines: toLines(reading.parts),
  };
}

/** One reading of a refund: the refunded part of each line, shipping that only an adjustment names, and the money that should go back for all. */
type Read = { parts: Part[]; shipping: bigint; total: bigint };

/** `likely`: the reading of amounts that no refunded money confirms. */
function readingOf(raw: ShopifyRefund, likely: Reading): Read {
  const readings = [likely, otherReading(likely)].flatMap((lines) => [read(raw, lines, 'without-vat'), read(raw, lines, 'with-vat')]);
  return readings.find(({ total }) => total === moneyGoingBack(raw)) ?? read(raw, likely, 'without-vat');
}

// A positive discrepancy is money that the merchant kept back, a negative one what was given beyond the lines.
function read(raw: ShopifyRefund, lines: Reading, shipping: Reading): Read {
  const parts = returnedParts(raw, lines);
  const adjusted = adjustedShipping(raw, shipping);
  const discrepancies = raw.order_adjustments.filter(({ kind }) => kind !== 'shipping_refund');
  const kept = discrepancies.map((adjustment) => (adjustment.amount_set ?? adjustment.amount) + adjustedTax(adjustment));
  return { parts, shipping: adjusted, total: sum(parts.map(({ amount }) => amount)) + adjusted - sum(kept) };
}

/** The money refunded or under way, in the shop's currency; undefined if the transactions don't show it. */
function moneyGoingBack({ transactions }: ShopifyRefund): bigint | undefined {
  const underWay = refundsUnderWay(transactions);
  return underWay.some(isForeign) ? undefined : sum(underWay.map(({ amount }) => amount));
}

/**
 * A buyer who paid in another currency is refunded in it: the shop's money is then what the lines and adjustments say, once all of it has gone.
 * Undefined if they say nothing: only the order can tell.
 */
function shopMoneyBack({ transactions }: ShopifyRefund, { total }: Read): bigint | undefined {
  const underWay = refundsUnderWay(transactions);
  const isComplete = underWay.length > 0 && underWay.every(({ status }) => status === 'success');
  if (!isComplete) return 0n;
  return total > 0n ? total : undefined;
}

/** One entry for each line, however many times the refund names it. */
function toLines(parts: Part[]): RefundLine[] {
  const byLine = Map.groupBy(parts, ({ lineId }) => lineId);
  return [...byLine].map(([lineId, same]) => ({
    lineId,
    quantity: `${same.reduce((total, { quantity }) => total + quantity, 0)}`,
    amount: microText(sum(same.map(({ amount }) => amount))),
  }));
}

/** The refunded part of one line: whole pieces, or money alone (quantity 0). */
type Part = { lineId: string; quantity: number; amount: bigint };

/** Items, shipping by line, and duties; with VAT, by one reading of the amounts. */
function returnedParts(raw: ShopifyRefund, reading: Reading): Part[] {
  return [...itemParts(raw, reading), ...shippingParts(raw, reading), ...dutyParts(raw)];
}

/**
 * Refunded shipping that only an adjustment shows, without its line (refunds made before 2024-10): Shopify gives its amount with VAT for some
 * shops, without for others. Where shipping is refunded by line the adjustment repeats it, and is skipped.
 */
function adjustedShipping({ order_adjustments, refund_shipping_lines }: ShopifyRefund, reading: Reading): bigint {
  const adjustments = refund_shipping_lines.length > 0 ? [] : order_adjustments.filter(({ kind }) => kind === 'shipping_refund');
  const amount = -sum(adjustments.map((adjustment) => adjustment.amount_set ?? adjustment.amount));
  return amount - (reading === 'with-vat' ? 0n : sum(adjustments.map(adjustedTax)));
}

function adjustedTax({ tax_amount, tax_amount_set }: ShopifyRefund['order_adjustments'][number]): bigint {
  return tax_amount_set ?? tax_amount ?? 0n;
}

function itemParts({ refund_line_items }: ShopifyRefund, reading: Reading): Part[] {
  return refund_line_items.map(({ line_item_id, quantity, ...line }) => {
    const tax = reading === 'with-vat' ? 0n : (line.total_tax_set ?? line.total_tax);
    return { lineId: line_item_id, quantity, amount: (line.subtotal_set ?? line.subtotal) + tax };
  });
}

function shippingParts({ refund_shipping_lines }: ShopifyRefund, reading: Reading): Part[] {
  return refund_shipping_lines.map(({ shipping_line_id, subtotal_amount_set, shipping_line }) => {
    const { amount, currency_code } = subtotal_amount_set.shop_money;
    const whole = shipping_line ? { price: discountedPrice(shipping_line), tax: taxOf(shipping_line.tax_lines) } : { price: 0n, tax: 0n };
    const tax = reading === 'with-vat' ? 0n : taxShare(amount, whole, currency_code ?? '');
    return { lineId: shipping_line_id, quantity: amount === whole.price ? 1 : 0, amount: amount + tax };
  });
}

// A refund of shipping has no tax of its own: it is the same part of the line's tax as of its price.
function taxShare(amount: bigint, whole: { price: bigint; tax: bigint }, currency: string): bigint {
  return whole.price === 0n ? 0n : roundTo(currency, { dividend: amount * whole.tax, divisor: whole.price });
}

function dutyParts({ duties }: ShopifyRefund): Part[] {
  return duties.map(({ duty_id, amount_set }) => ({ lineId: duty_id, quantity: 0, amount: amount_set }));
}

/** Do the amounts of a refund's lines contain VAT, or does it come on top? */
type Reading = 'with-vat' | 'without-vat';

type Evidence = { base: bigint; tax: bigint; rate: bigint };

function otherReading(reading: Reading): Reading {
  return reading === 'with-vat' ? 'without-vat' : 'with-vat';
}

/** The reading under which the refund's own taxes fit their rates best. Without taxes both readings are the same money. */
function likelyReading(raw: ShopifyRefund): Reading {
  const evidence = [...itemEvidence(raw), ...shippingEvidence(raw)];
  const offContained = sum(evidence.map(({ base, tax, rate }) => distance(tax, (base * rate) / (ONE + rate))));
  const offAdded = sum(evidence.map(({ base, tax, rate }) => distance(tax, (base * rate) / ONE)));
  return offAdded < offContained ? 'without-vat' : 'with-vat';
}

/** What a shipping or item line costs after its discounts, on the platform's own tax basis. */
function discountedPrice(line: Priced): bigint {
  return priceOf(line) - discountOf(line);
}

function itemEvidence({ refund_line_items }: ShopifyRefund): Evidence[] {
  return refund_line_items.map(({ subtotal, subtotal_set, total_tax, total_tax_set, line_item }) => ({
    base: subtotal_set ?? subtotal,
    tax: total_tax_set ?? total_tax,
    rate: rateOf(line_item?.tax_lines ?? []),
  }));
}

function shippingEvidence({ refund_shipping_lines }: ShopifyRefund): Evidence[] {
  return refund_shipping_lines.flatMap(({ shipping_line: line }) =>
    line ? [{ base: discountedPrice(line), tax: taxOf(line.tax_lines), rate: rateOf(line.tax_lines) }] : [],
  );
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

/** Pieces or money that left a line, by a refund or by an edit. `refund` null: an edit that no refund lists. Millionths with VAT. */
export type RemovedUnits = { refund: string | null; at: string; lineId: string; quantity: number; amount: bigint };

/** A refund as its order lists it; millionths of the shop's currency with VAT. */
export type ListedRefund = {
  id: string;
  at: string;
  removed: RemovedUnits[];
  /** What its pieces cost. */
  value: bigint;
  /** Money that has gone back; 0 if only the order's totals tell how much. */
  back: bigint;
  /** Money on its way back; not part of `back`. */
  underWay: bigint;
  /** It went back in another currency, and nothing says how much of the shop's that is. */
  isOpen: boolean;
};

export function listedRefund(raw: ShopifyRefund, { shipping_lines, taxes_included }: ShopifyOrder): ListedRefund {
  const { id } = raw;
  const at = utc(raw.processed_at ?? raw.created_at);
  const read = readingOf(raw, taxes_included ? 'with-vat' : 'without-vat');
  const [line, ...others] = shipping_lines.filter(({ is_removed }) => is_removed !== true);
  const isClear = line !== undefined && others.length === 0 && read.shipping > 0n;
  const adjusted = isClear ? [{ lineId: line.id, quantity: 0, amount: read.shipping }] : [];
  const removed = [...read.parts, ...adjusted].map((part) => ({ refund: id, at, ...part }));
  return { id, at, removed, value: sum(removed.map(({ amount }) => amount)), ...moneyOf(raw) };
}

function moneyOf(raw: ShopifyRefund): Pick<ListedRefund, 'back' | 'underWay' | 'isOpen'> {
  const moving = refundsUnderWay(raw.transactions);
  const isGone = ({ status }: ShopifyTransaction) => status === 'success';
  const [gone, going] = [moving.filter(isGone), moving.filter((one) => !isGone(one))];
  if (!moving.some(isForeign)) return { back: amountOf(gone), underWay: amountOf(going), isOpen: false };
  // As the refund alone says it: both must name one amount.
  const read = readingOf(raw, likelyReading(raw));
  const back = shopMoneyBack(raw, read);
  return { back: back ?? 0n, underWay: going.length === 0 ? 0n : read.total, isOpen: back === undefined };
}

function amountOf(transactions: readonly ShopifyTransaction[]): bigint {
  return sum(transactions.map(({ amount }) => amount));
}
