import { decimalsIn } from '../../../contract/decimal.ts';
import { decimalsOf, formatMoney, parseMoney, sum } from '../../../contract/money.ts';
import { addUp, isZero, roundedMoney } from '../amounts.ts';
import type { WooLine, WooOrder } from './payload.ts';

/** What a line costs before coupons (null: it does not say), and what is paid for it, with VAT. */
export type LineMoney = { before: string | null; paid: string };

/** `mayBeOff`: how far the lines may be from the total, if they are off; absent: they add up to it, or the gap is not explained. */
export type OrderMoney = { of(line: WooLine): LineMoney; mayBeOff?: string };

/** An order's body, and how many decimals its shop has. `exact`: it was asked for with all the decimals that the store keeps. */
export type WooBody = { order: WooOrder; decimals: number; exact: boolean };

type Reading = (line: WooLine, currency: string) => LineMoney;

export function bodyOf(order: WooOrder, exact: boolean): WooBody {
  const shownAmounts = [order.total, ...linesOf(order).flatMap(({ total, total_tax }) => [total, total_tax])];
  return { order, exact, decimals: exact ? decimalsOf(order.currency) : mostDecimals(shownAmounts) };
}

/** The smallest amount of a shop, by amounts that it shows with all its decimals: "0.01", or "1" where it has none. */
export function smallestAmount(shownAmounts: string[]): string {
  return formatMoney(1n, mostDecimals(shownAmounts));
}

function mostDecimals(amounts: string[]): number {
  return Math.max(...amounts.map(decimalsIn));
}

/**
 * The money of an order's lines, by the first reading that adds up to its total: what is shown (`total + total_tax`), then the parts with more
 * decimals (`total` and `taxes[]`). WooCommerce rounds each amount that it shows, and with “Round tax at subtotal level” it adds up other ones:
 * a gap of half the shop's smallest amount per shown amount is then explained.
 */
export function moneyOf(body: WooBody): OrderMoney {
  const { order, exact } = body;
  const first: Reading = exact ? rounded : shown;
  const readings = exact || hasLongerTaxes(order) ? [first, parts] : [first];
  const found = readings.map((reading) => ({ reading, gap: gapOf(order, reading) }));
  const exactly = found.find(({ gap }) => gap === 0n);
  if (exactly !== undefined) return reader(order, exactly.reading);
  const most = explainedGap(body);
  const nearly = found.findLast(({ gap }) => gap !== null && gap <= most);
  if (nearly === undefined) return reader(order, first);
  return { ...reader(order, nearly.reading), mayBeOff: formatMoney(most, decimalsOf(order.currency)) };
}

function reader({ currency }: WooOrder, reading: Reading): OrderMoney {
  return { of: (line) => reading(line, currency) };
}

function linesOf({ line_items, shipping_lines, fee_lines }: WooOrder): WooLine[] {
  return [...line_items, ...shipping_lines, ...fee_lines];
}

const shown: Reading = ({ subtotal, subtotal_tax, total, total_tax }) => ({
  before: typeof subtotal === 'string' ? addUp([subtotal, subtotal_tax]) : null,
  paid: addUp([total, total_tax]),
});

/** As a webhook shows them. */
const rounded: Reading = ({ subtotal, subtotal_tax, total, total_tax }, currency) => {
  const added = (amounts: string[]) => addUp(amounts.map((amount) => roundedMoney(amount, currency)));
  return { before: typeof subtotal === 'string' ? added([subtotal, subtotal_tax]) : null, paid: added([total, total_tax]) };
};

const parts: Reading = ({ subtotal, subtotal_tax, total, total_tax, taxes }, currency) => {
  const charged = (taxes ?? []).flatMap((tax) => tax.total ?? []);
  const before = (taxes ?? []).map((tax) => tax.subtotal);
  const added = (net: string, vat: string[], otherwise: string) => roundedMoney(addUp([net, ...(vat.length > 0 ? vat : [otherwise])]), currency);
  return { before: typeof subtotal === 'string' ? added(subtotal, before, subtotal_tax) : null, paid: added(total, charged, total_tax) };
};

function hasLongerTaxes(order: WooOrder): boolean {
  return linesOf(order).some(({ taxes, total_tax }) => (taxes ?? []).some(({ total }) => decimalsIn(total ?? '') > decimalsIn(total_tax)));
}

/** How far the lines are from the total, in minor units; null if one of these amounts is no money. */
function gapOf(order: WooOrder, reading: Reading): bigint | null {
  const decimals = decimalsOf(order.currency);
  const paid = linesOf(order).map((line) => parseMoney(reading(line, order.currency).paid, decimals));
  const known = paid.flatMap((amount) => (amount === undefined ? [] : [amount]));
  const owed = parseMoney(order.total, decimals);
  if (owed === undefined || known.length < paid.length) return null;
  const gap = sum(known) - owed;
  return gap < 0n ? -gap : gap;
}

// Net and VAT of each line are rounded, and the total; of exact ones, each line once, and the total.
function explainedGap({ order, decimals, exact }: WooBody): bigint {
  const amounts = linesOf(order).flatMap(({ total, total_tax }) => (exact ? [total] : [total, total_tax]).filter((amount) => !isZero(amount)));
  const coarser = decimalsOf(order.currency) - decimals;
  return coarser < 0 ? 0n : (BigInt(amounts.length + 1) * 10n ** BigInt(coarser)) / 2n;
}
