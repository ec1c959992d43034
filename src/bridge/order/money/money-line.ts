import { decimal } from '../../../contract/decimal.ts';
import { decimalsOf, exactMoney, formatMoney, moneyText, parseMoney, shareOut, sum } from '../../../contract/money.ts';
import type { EffectiveRefund } from '../facts/effective-refunds.ts';
import type { DraftLine } from '../facts/facts.ts';
import type { Problem } from '../facts/failure.ts';
import { canonicalRate, type FiscalSettings } from '../facts/settings.ts';
import { GIFT_CARD, type OrderView } from '../facts/view.ts';

/** Decimals of a quantity as a bigint: "0.5" is 0.5 × ONE. */
const QUANTITY_DECIMALS = 18;
export const ONE = 10n ** BigInt(QUANTITY_DECIMALS);
const MOST_UNITS = 1_000_000_000n * ONE;

/** A line in minor units. `gross` less `discount` is what the customer pays for it; below zero for a fee that is a discount. */
export type MoneyLine = { id: string; name: string; quantity: bigint; gross: bigint; discount: bigint; vatRate: string; partOf?: string };
/** A refund in minor units, with what the lines have left out of it already; `lines` null where it names none. */
export type MoneyRefund = { id: string; amount: bigint; deducted: bigint; lines: ReturnedLine[] | null };
export type ReturnedLine = { lineId: string; quantity: bigint; amount: bigint; rate?: string };

/** The amounts of an order and its refunds, and the problems in them; a number that can't be read counts as zero. */
type OrderMoney = { total: bigint; mayBeOff: bigint; lines: MoneyLine[]; refunds: MoneyRefund[]; problems: Problem[] };

export function netOf({ gross, discount }: Pick<MoneyLine, 'gross' | 'discount'>): bigint {
  return gross - discount;
}

/** Reads every amount and quantity of an order; reports all inexact ones together. */
export function readMoney(view: OrderView): OrderMoney {
  const reader = new MoneyReader(view.currency);
  const total = reader.money(view.total, 'the total');
  const mayBeOff = wholeUnits(view.mayBeOff ?? '0', view.currency);
  const lines = view.lines.map((line) => readLine(line, reader));
  const refunds = view.refunds.map((refund) => readRefund(refund, reader));
  return { total, mayBeOff, lines, refunds, problems: reader.problems };
}

// Halves of the smallest amount add up: only whole ones can be put on a line. What can't be read explains nothing.
function wholeUnits(text: string, currency: string): bigint {
  const precise = parseMoney(text, QUANTITY_DECIMALS) ?? 0n;
  return precise / 10n ** BigInt(QUANTITY_DECIMALS - decimalsOf(currency));
}

function readLine({ id, name, vatRate, partOf, ...text }: OrderView['lines'][number], reader: MoneyReader): MoneyLine {
  const where = `line "${name}"`;
  const quantity = reader.quantity(text.quantity, where);
  const gross = reader.money(text.gross, where);
  const discount = reader.money(text.discount, `the discount of ${where}`);
  if (discount < 0n || (gross >= 0n && discount > gross)) reader.inexpressible(`The discount of ${where} is ${text.discount} off ${text.gross}.`);
  if (quantity === 0n) reader.inexpressible(`The quantity of ${where} is ${text.quantity}.`);
  return { id, name, quantity, gross, discount, vatRate: canonicalRate(vatRate), ...(partOf === undefined ? {} : { partOf }) };
}

function readRefund({ id, amount, lines, deducted = '0' }: EffectiveRefund, reader: MoneyReader): MoneyRefund {
  const where = `refund ${id}`;
  const returned = lines?.map((line) => ({
    ...line,
    quantity: reader.quantity(line.quantity, where),
    amount: reader.money(line.amount, where),
  }));
  return { id, amount: reader.money(amount, where), deducted: reader.money(deducted, where), lines: returned ?? null };
}

class MoneyReader {
  readonly problems: Problem[] = [];
  readonly #currency: string;

  constructor(currency: string) {
    this.#currency = currency;
  }

  money(text: string, where: string): bigint {
    const minor = parseMoney(text, decimalsOf(this.#currency));
    if (minor === undefined) this.problems.push({ code: 'amount.inexact', detail: `The amount ${text} of ${where} is not exact in ${this.#currency}.` });
    return minor ?? 0n;
  }

  quantity(text: string, where: string): bigint {
    const quantity = parseMoney(text, QUANTITY_DECIMALS);
    if (quantity !== undefined && quantity >= 0n && quantity <= MOST_UNITS) return quantity;
    this.inexpressible(`The quantity ${text} of ${where} can’t be recorded.`);
    return ONE;
  }

  inexpressible(detail: string): void {
    this.problems.push({ code: 'order.inexpressible', detail });
  }
}

/** Is this a number of whole pieces? */
export function isWhole(quantity: bigint): boolean {
  return quantity % ONE === 0n;
}

/** "0.5" for half of ONE: no trailing zeros. */
export function quantityText(quantity: bigint): string {
  return decimal(formatMoney(quantity, QUANTITY_DECIMALS)).toString();
}

/** Lines after something was taken off them; with problems, the lines are not to be used. `waiting`: money that went back, and is still in them. */
export type Remaining = { lines: MoneyLine[]; problems: Problem[]; waiting?: Waiting };

/** Money of which a person must say which lines it comes off. `isApart`: what is known of every other refund is certain without it. */
type Waiting = { amount: bigint; problem: Problem; isApart: boolean };

/** Takes money off the lines of one VAT rate as discount, in proportion to what each costs. The amount must not pass what they cost. */
export function takeOff(lines: MoneyLine[], amount: bigint, vatRate: string): MoneyLine[] {
  const atRate = lines.filter((line) => line.vatRate === vatRate);
  const parts = new Map(shareOut(amount, atRate, netOf).map(({ item, part }) => [item, part]));
  return lines.map((line) => ({ ...line, discount: line.discount + (parts.get(line) ?? 0n) }));
}

/** Spreads negative lines (fees that are discounts) over the other lines of their VAT rate. */
export function spreadNegatives(lines: MoneyLine[], currency: string): Remaining {
  const negative = Map.groupBy(
    lines.filter((line) => netOf(line) < 0n),
    ({ vatRate }) => vatRate,
  );
  const start: Remaining = { lines: lines.filter((line) => netOf(line) >= 0n), problems: [] };
  return [...negative].reduce((remaining, [vatRate, fees]) => spreadFees(remaining, { vatRate, fees, currency }), start);
}

function spreadFees({ lines, problems }: Remaining, { vatRate, fees, currency }: { vatRate: string; fees: MoneyLine[]; currency: string }): Remaining {
  const amount = -sum(fees.map(netOf));
  const money = sum(lines.filter((line) => line.vatRate === vatRate).map(netOf));
  if (amount <= money) return { lines: takeOff(lines, amount, vatRate), problems };
  const names = fees.map(({ name }) => `“${name}”`).join(', ');
  const detail = `${names}: ${moneyText(amount, currency)} off at ${vatRate} % VAT, but the lines of that rate come to ${moneyText(money, currency)}.`;
  return { lines, problems: [...problems, { code: 'order.inexpressible', detail }] };
}

type Settings = Pick<FiscalSettings, 'giftCards' | 'giftCardsDeducted'>;

/** The gift cards that an order sells for money. */
export function soldCards({ lines, currency }: Pick<OrderView, 'lines' | 'currency'>): DraftLine[] {
  return lines.filter(({ giftCard, gross }) => giftCard === true && parseMoney(gross, decimalsOf(currency)) !== 0n);
}

/** Ids of those that are no sale by the settings. */
export function unsoldCards(view: OrderView, { giftCards }: Pick<Settings, 'giftCards'>): ReadonlySet<string> {
  return new Set(giftCards === 'ignore' ? soldCards(view).map(({ id }) => id) : []);
}

/** A person must say first what the sale of a gift card is. */
export function undecidedCards(view: OrderView, { giftCards }: Settings): Problem[] {
  if (giftCards !== 'review') return [];
  const detail = ({ name, gross }: DraftLine) => `It sells the gift card “${name}” for ${gross} ${view.currency}.`;
  return soldCards(view).map((card) => ({ code: 'gift-card.undecided', detail: detail(card) }));
}

/** What is wrong while gift cards paid a part of the order that should be taken off, and it is not known yet how much; null: nothing. */
export function missingCards({ cards, gateways, total, currency }: OrderView, settings: Settings): Problem | null {
  if (!deductsCards(settings) || cards === null || cards.isKnown || isByCardAlone(gateways)) return null;
  const seen = `the payments by gift card seen come to ${cards.paid} ${currency}`;
  return { code: 'total.mismatch', detail: `A gift card paid a part of its ${total} ${currency}, but not all of that is known: ${seen}.` };
}

/**
 * The lines without what gift cards make of them: cards that are no sale are left out, and what was paid by card comes off as a discount, in
 * proportion over all lines. The lines are those that refunds have left.
 */
export function withoutCards(lines: MoneyLine[], view: OrderView, settings: Settings): Remaining {
  const unsold = unsoldCards(view, settings);
  const sold = lines.filter(({ id }) => !unsold.has(id));
  const left = sum(sold.map(netOf));
  const paid = deductsCards(settings) ? paidByCards(view, left) : 0n;
  if (paid <= 0n) return { lines: sold, problems: [] };
  if (paid < left) return { lines: shareOut(paid, sold, netOf).map(({ item, part }) => ({ ...item, discount: item.discount + part })), problems: [] };
  const detail = `Gift cards paid ${moneyText(paid, view.currency)} of it, but its lines come to ${moneyText(left, view.currency)}.`;
  return { lines: [], problems: paid === left ? [] : [{ code: 'total.mismatch', detail }] };
}

function deductsCards({ giftCards, giftCardsDeducted }: Settings): boolean {
  return giftCardsDeducted ?? giftCards === 'record';
}

function paidByCards({ cards, gateways, currency }: OrderView, left: bigint): bigint {
  if (isByCardAlone(gateways)) return left;
  return cards === null ? 0n : exactMoney(cards.paid, decimalsOf(currency));
}

function isByCardAlone(gateways: readonly string[]): boolean {
  return gateways.length > 0 && gateways.every((gateway) => gateway === GIFT_CARD);
}
