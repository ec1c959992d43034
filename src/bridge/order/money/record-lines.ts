import { limits } from '../../../contract/limits.ts';
import { convertFixed, divideHalfUp, divideUp, isTied, larger, moneyText, shareOut, smaller, sum, type TiedCurrency } from '../../../contract/money.ts';
import { fittingText } from '../../../contract/text.ts';
import type { Problem } from '../facts/failure.ts';
import type { FiscalSettings } from '../facts/settings.ts';
import type { OrderView } from '../facts/view.ts';
import {
  isWhole,
  type MoneyLine,
  type MoneyRefund,
  netOf,
  ONE,
  quantityText,
  type Remaining,
  type ReturnedLine,
  readMoney,
  spreadNegatives,
  takeOff,
  unsoldCards,
  withoutCards,
} from './money-line.ts';

/** A refund of a whole line may exceed it by so many of the smallest amounts: platforms round its net and its VAT, each by itself. */
const MOST_ROUNDING = 2n;

/** The lines that a refund takes money off, and the money that names no line. */
type Attribution = { returned: ReturnedLine[]; unnamed: bigint; problems: Problem[] };

/** `unsold`: ids of gift cards that are no sale. */
type Refunding = { lines: MoneyLine[]; refunds: MoneyRefund[]; currency: string; unsold: ReadonlySet<string> };

/**
 * The lines that remain after all refunds. Returned lines come off first, all refunds together; then negative lines are spread over what
 * remains; then what rounding added to a line comes off others of its rate, and money that names no line off all, pro rata. So the result does
 * not depend on the order of the refunds.
 */
function remainingLines({ lines, refunds, currency, unsold }: Refunding): Remaining {
  const context = { lines, byId: Map.groupBy(lines, ({ id }) => id), currency };
  const attributions = allocate(refunds, lines).map((refund) => ({ refund, ...attribute(refund, context) }));
  const problems = attributions.flatMap((attribution) => attribution.problems);
  if (problems.length > 0) return { lines: [], problems };
  const returned = Map.groupBy(
    attributions.flatMap((attribution) => attribution.returned),
    ({ lineId }) => lineId,
  );
  const given = lines.map((line) => giveBackIfAny(line, returned.get(line.id) ?? []));
  const left = given.flatMap((parts) => parts.left ?? []);
  const spread = spreadNegatives(left, currency);
  const added = roundedUp(given);
  const rounded = [...added].reduce<Rounded>(takeRounding, { lines: spread.lines, left: [] });
  const overflow = sum(given.map((each) => each.overflow)) - sum([...added.values()]);
  const isApart = overflow === 0n && attributions.every(({ refund, unnamed }) => unnamed === 0n || (!refund.lines?.length && refund.deducted === 0n));
  const unnamed = sum(attributions.map((attribution) => attribution.unnamed)) + overflow;
  const [excess, ...others] = spread.problems;
  if (excess === undefined) return takeUnnamed({ lines: rounded.lines, refunds, currency, unsold }, { unnamed, rounding: rounded.left, isApart });
  // Where the ordered lines bore the fee, refunds left it behind: what they name is certain without it.
  const isLeftBehind = others.length === 0 && unnamed === 0n && added.size === 0 && spreadNegatives(lines, currency).problems.length === 0;
  if (!isLeftBehind) return spread;
  return { lines: spread.lines, problems: [], waiting: { amount: netSum(spread.lines) - netSum(left), problem: excess, isApart: true } };
}

type Rounded = { lines: MoneyLine[]; left: { vatRate: string; amount: bigint }[] };

/** A line, what is left of it, and the money of its refunds that exceeds it. */
type LineParts = { line: MoneyLine; left: MoneyLine | null; overflow: bigint; isWhole: boolean };

/** By VAT rate, what rounding added to refunds of whole lines; of a line with several rates, to all its parts together. */
function roundedUp(given: readonly LineParts[]): Map<string, bigint> {
  const lines = Map.groupBy(given, ({ line: { id, partOf = id } }) => partOf);
  const rounded = [...lines.values()].filter(isRounding).flat();
  const byRate = Map.groupBy(
    rounded.filter(({ overflow }) => overflow > 0n),
    ({ line }) => line.vatRate,
  );
  return new Map([...byRate].map(([vatRate, same]) => [vatRate, sum(same.map(({ overflow }) => overflow))]));
}

function isRounding(parts: readonly LineParts[]): boolean {
  return parts.every(({ isWhole, overflow }) => isWhole && overflow >= 0n) && sum(parts.map(({ overflow }) => overflow)) <= MOST_ROUNDING;
}

function takeRounding({ lines, left }: Rounded, [vatRate, amount]: [string, bigint]): Rounded {
  const paid = sum(lines.filter((line) => line.vatRate === vatRate).map(netOf));
  return amount <= paid ? { lines: takeOff(lines, amount, vatRate), left } : { lines, left: [...left, { vatRate, amount }] };
}

function giveBackIfAny(line: MoneyLine, own: ReturnedLine[]): LineParts {
  if (own.length === 0) return { line, left: line, overflow: 0n, isWhole: false };
  const { line: left, overflow } = giveBack(line, own);
  return { line, left, overflow, isWhole: sum(own.map(({ quantity }) => quantity)) >= line.quantity };
}

type Context = Pick<Refunding, 'lines' | 'currency'> & { byId: ReadonlyMap<string, MoneyLine[]> };

function attribute(refund: MoneyRefund, context: Context): Attribution {
  const returned = refund.lines ?? [];
  const isKnown = returned.every((part) => context.byId.get(part.lineId)?.some((line) => fits(part, line)));
  if (!isKnown) return { returned: [], unnamed: refund.amount, problems: [] };
  const stated = sum(returned.map(({ amount }) => amount));
  if (stated > refund.amount) return attributeLess(refund, returned, context);
  return { returned, unnamed: refund.amount - stated, problems: [] };
}

// Only a negative line gives back negative money.
function fits({ amount }: ReturnedLine, line: MoneyLine): boolean {
  return netOf(line) < 0n ? amount <= 0n : amount >= 0n;
}

// Less money was refunded than the lines say: then only the money is certain, and it comes off the refund's own lines.
function attributeLess(refund: MoneyRefund, returned: ReturnedLine[], { lines, currency }: Context): Attribution {
  const rates = new Set(lines.filter(({ id }) => returned.some(({ lineId }) => lineId === id)).map(({ vatRate }) => vatRate));
  if (rates.size === 1) {
    const parts = shareOut(refund.amount, returned, ({ amount }) => larger(amount, 0n));
    return { returned: parts.map(({ item, part }) => ({ lineId: item.lineId, quantity: 0n, amount: part })), unnamed: 0n, problems: [] };
  }
  const stated = moneyText(sum(returned.map(({ amount }) => amount)), currency);
  const detail = `Refund ${refund.id} gave back ${moneyText(refund.amount, currency)} for lines of ${stated}, and they have VAT rates ${list(rates)}.`;
  return { returned: [], unnamed: 0n, problems: [{ code: 'refund.unattributed', detail }] };
}

type Loose = { unnamed: bigint; rounding: Rounded['left']; isApart: boolean };

function takeUnnamed({ lines, refunds, currency, unsold }: Refunding, { unnamed, rounding, isApart }: Loose): Remaining {
  const paying = lines.filter((line) => netOf(line) > 0n);
  const left = sum(paying.map(netOf));
  // What came off a card that is no sale would not come off the record.
  const [rate, ...others] = new Set(paying.map(({ id, vatRate }) => (unsold.has(id) ? `${vatRate} (gift card)` : vatRate)));
  const stuck = sum(rounding.map(({ amount }) => amount));
  const isPossible = unnamed >= 0n && unnamed + stuck <= left;
  const isTaken = unnamed === 0n || (isPossible && rate !== undefined && others.length === 0);
  if (isTaken && stuck === 0n) return { lines: unnamed === 0n || paying[0] === undefined ? lines : takeOff(lines, unnamed, paying[0].vatRate), problems: [] };
  const why = isPossible ? `the lines left have VAT rates ${list([rate, ...others])}` : `the lines left come to ${moneyText(left, currency)}`;
  const words = [
    ...rounding.map(({ vatRate, amount }) => `${moneyText(amount, currency)} exceeds a line at ${vatRate} % VAT, and no other line of that rate is left`),
    ...(unnamed === 0n ? [] : [`${moneyText(unnamed, currency)} names no line, and ${why}`]),
  ];
  const problem: Problem = { code: 'refund.unattributed', detail: `Of refund ${list(refunds.map(({ id }) => id))}, ${words.join('; ')}.` };
  return isPossible ? { lines, problems: [], waiting: { amount: unnamed + stuck, problem, isApart } } : { lines: [], problems: [problem] };
}

function list(items: Iterable<string | undefined>): string {
  return [...items].join(', ');
}

/** What is left of a line (null: nothing), and the money that should come off it but exceeds it. */
type GivenBack = { line: MoneyLine | null; overflow: bigint };

/**
 * Subtracts returned units and money from a line, so that what the customer still pays for it is exact to the cent:
 * - units refunded at their share of the price are removed, and gross and discount shrink with them;
 * - otherwise the fewest units stay that, at the price paid for each, cover the money that stays; never fewer than were not returned;
 * - money without units is a discount;
 * - a line without money left is removed. One that was free from the start is removed with its last unit.
 */
function giveBack(line: MoneyLine, returned: ReturnedLine[]): GivenBack {
  const net = netOf(line);
  const stated = sum(returned.map(({ amount }) => amount));
  const taken = net < 0n ? larger(stated, net) : smaller(stated, net);
  const units = smaller(sum(returned.map(({ quantity }) => quantity)), line.quantity);
  return { line: whatStays(line, { left: line.quantity - units, rest: net - taken }), overflow: stated - taken };
}

/** `left`: the quantity that was not returned; `rest`: the money that was not refunded. */
type Stay = { left: bigint; rest: bigint };

function whatStays(line: MoneyLine, { left, rest }: Stay): MoneyLine | null {
  const net = netOf(line);
  if (rest === 0n && (net !== 0n || left === 0n)) return null;
  if (net < 0n) return { ...line, gross: rest, discount: 0n };
  const quantity = quantityThatStays(line, { left, rest });
  return { ...line, quantity, ...moneyThatStays(line, quantity, rest) };
}

function quantityThatStays(line: MoneyLine, { left, rest }: Stay): bigint {
  const net = netOf(line);
  if (net === 0n || isShare(line, { left, rest })) return left;
  if (!isWhole(line.quantity) || !isWhole(left)) return line.quantity;
  return larger(left, divideUp(rest * line.quantity, net * ONE) * ONE);
}

// Storefronts round each return to the cent: a unit that stays may have cost one minor unit more or less than its share.
function isShare(line: MoneyLine, { left, rest }: Stay): boolean {
  const off = rest * line.quantity - netOf(line) * left;
  const tolerance = (larger(left, ONE) * line.quantity) / ONE;
  return left > 0n && -tolerance <= off && off <= tolerance;
}

function moneyThatStays(line: MoneyLine, quantity: bigint, rest: bigint): Pick<MoneyLine, 'gross' | 'discount'> {
  const gross = larger(rest, divideHalfUp(line.gross * quantity, line.quantity));
  // A line that was sold without discount does not get one from a rounding cent.
  const isPlain = line.discount === 0n && quantity < line.quantity && isShare(line, { left: quantity, rest });
  return isPlain ? { gross: rest, discount: 0n } : { gross, discount: gross - rest };
}

/** Refunds name a line as the storefront does: of a line with several VAT rates, the part of the rate that they name, else each in proportion. */
function allocate(refunds: readonly MoneyRefund[], lines: readonly MoneyLine[]): MoneyRefund[] {
  const parts = Map.groupBy(lines, ({ id, partOf }) => partOf ?? id);
  return refunds.map((refund) => ({
    ...refund,
    lines: refund.lines?.flatMap((returned) => allocateToLine(returned, parts.get(returned.lineId) ?? [])) ?? null,
  }));
}

function allocateToLine(returned: ReturnedLine, parts: readonly MoneyLine[]): ReturnedLine[] {
  const worth = sum(parts.map(netOf));
  const named = parts.find(({ vatRate }) => vatRate === returned.rate);
  if (named !== undefined) return [{ ...returned, lineId: named.id }];
  if (parts.length < 2 || returned.amount * worth <= 0n) return [returned];
  const shares = shareOut(magnitude(returned.amount), parts, (part) => magnitude(netOf(part)));
  return shares.map(({ item, part }) => ({ ...returned, lineId: item.id, amount: worth < 0n ? -part : part }));
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

/** A line of a record in minor units: `price` per unit before discount, `discount` off the whole line. */
export type UnitLine = { name: string; quantity: bigint; price: bigint; discount: bigint; vatRate: string };

/** The lines that should be recorded, in the currency of the record; with problems, there are none. `waiting`: the lines still have money that went back. */
export type RecordLines = { currency: string; lines: UnitLine[]; problems: Problem[]; waiting?: Problem };

/** The lines that remain after refunds, in whole units; their sum is what the customer paid and did not get back. */
export function recordLines(view: OrderView, settings: Pick<FiscalSettings, 'convertTo' | 'giftCards' | 'giftCardsDeducted'>): RecordLines {
  const { currency } = view;
  const order = readMoney(view);
  const owed = order.total - sum(order.refunds.map(({ amount }) => amount));
  const refunds = order.refunds.map((refund) => ({ ...refund, amount: larger(refund.amount - refund.deducted, 0n) })).filter(({ amount }) => amount > 0n);
  const open = sum(refunds.map(({ amount }) => amount));
  const stated = distributeRounding(order.lines, owed + open, order.mayBeOff);
  const ordered = order.problems.length > 0 ? [] : statedMismatch(view, netSum(stated), { owed, open });
  const refused = [...order.problems, ...ordered];
  if (refused.length > 0) return { currency, lines: [], problems: refused };
  const remaining = remainingLines({ lines: stated, refunds, currency, unsold: unsoldCards(view, settings) });
  const { waiting } = remaining;
  const isKnown = order.refunds.some(({ lines, deducted }) => deducted > 0n || lines?.length);
  const undecided = waiting === undefined || (isKnown && waiting.isApart) ? remaining.problems : [waiting.problem];
  if (undecided.length > 0) return { currency, lines: [], problems: undecided };
  const sold = withoutCards(remaining.lines, view, settings);
  const converted = convert(sold.lines, currency, settings.convertTo);
  const lines = converted.lines.flatMap(unitLines);
  const before = mismatch(netSum(remaining.lines), owed + (waiting?.amount ?? 0n), currency);
  const after = mismatch(sum(lines.map(({ price, quantity, discount }) => price * quantity - discount)), netSum(converted.lines), converted.currency);
  const problems = [...before, ...sold.problems, ...after];
  return { currency: converted.currency, lines, problems, ...(waiting === undefined ? {} : { waiting: waiting.problem }) };
}

// Where the platform says what was kept, a person compares that; else the order with its lines, before refunds.
function statedMismatch({ kept, currency }: OrderView, lines: bigint, { owed, open }: { owed: bigint; open: bigint }): Problem[] {
  if (kept === undefined || lines === owed + open) return mismatch(lines, owed + open, currency);
  const detail = `The lines that are left come to ${moneyText(lines - open, currency)}, paid and kept are ${moneyText(owed, currency)}.`;
  return [{ code: 'total.mismatch', detail }];
}

function netSum(lines: MoneyLine[]): bigint {
  return sum(lines.map(netOf));
}

function mismatch(lines: bigint, paid: bigint, currency: string): Problem[] {
  if (lines === paid) return [];
  return [{ code: 'total.mismatch', detail: `The lines add up to ${moneyText(lines, currency)}, the order to ${moneyText(paid, currency)}.` }];
}

function convert(lines: MoneyLine[], from: string, to: FiscalSettings['convertTo']): { lines: MoneyLine[]; currency: string } {
  // Only the fixed pair is converted here; any other currency is left to the compliance service.
  if (to === null || !isTied(from)) return { lines, currency: from };
  return { lines: lines.map((line) => convertLine(line, from, to)), currency: to };
}

function convertLine(line: MoneyLine, from: TiedCurrency, to: TiedCurrency): MoneyLine {
  return { ...line, gross: convertFixed(line.gross, from, to), discount: convertFixed(line.discount, from, to) };
}

/** Splits a line where its gross is not a whole multiple of its quantity: 15.05 for 3 is 2 × 5.02 + 1 × 5.01. */
function unitLines({ name, vatRate, quantity, gross, discount }: MoneyLine): UnitLine[] {
  if (gross === 0n) return [];
  const pieces = isWhole(quantity) ? quantity / ONE : 1n;
  // Pieces that cost less than the smallest amount each, or are more than a record's line may have, are one unit, so that none of them is lost.
  const units = gross < pieces || pieces > limits.quantity ? 1n : pieces;
  const price = gross / units;
  const dearer = gross % units;
  const parts = [
    { quantity: dearer, price: price + 1n },
    { quantity: units - dearer, price },
  ].filter((part) => part.quantity > 0n);
  const pack = units * ONE === quantity ? '' : ` (${quantityText(quantity)})`;
  const named = `${fittingText(name, limits.lineName - pack.length)}${pack}`;
  return shareOut(discount, parts, (part) => part.price * part.quantity).map(({ item, part }) => ({ name: named, vatRate, ...item, discount: part }));
}

/**
 * The lines with the difference between their sum and the money on the largest one, where rounding of the platform explains it; else as they are.
 * The largest is that of the VAT rate with most money, so that the VAT changes least.
 */
function distributeRounding(lines: MoneyLine[], money: bigint, mayBeOff: bigint): MoneyLine[] {
  const gap = money - sum(lines.map(netOf));
  const largest = largestOf(lines);
  if (gap === 0n || gap > mayBeOff || -gap > mayBeOff || largest === undefined || netOf(largest) + gap < 0n) return lines;
  return lines.map((line) => (line === largest ? adjusted(line, gap) : line));
}

// More money comes off the discount where there is one; less is a discount, which leaves the price as it was.
function adjusted(line: MoneyLine, gap: bigint): MoneyLine {
  return line.discount >= gap ? { ...line, discount: line.discount - gap } : { ...line, gross: line.gross + gap };
}

function largestOf(lines: MoneyLine[]): MoneyLine | undefined {
  const byRate = [...Map.groupBy(lines, ({ vatRate }) => vatRate).values()].map((same) => ({ same, money: sum(same.map(netOf)) }));
  const [most] = byRate.toSorted((a, b) => descending(a.money, b.money));
  return most?.same.toSorted((a, b) => descending(netOf(a), netOf(b)))[0];
}

function descending(a: bigint, b: bigint): number {
  return Number(a < b) - Number(a > b);
}
