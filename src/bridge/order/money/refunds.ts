import { divideHalfUp, divideUp, larger, moneyText, shareOut, smaller, sum } from '../../../contract/money.ts';
import type { Problem } from '../facts/failure.ts';
import { isWhole, type MoneyLine, type MoneyRefund, netOf, ONE, type Remaining, type ReturnedLine, spreadNegatives, takeOff } from './money-line.ts';

/** A refund of a whole line may exceed it by so many of the smallest amounts: platforms round its net and its VAT, each by itself. */
const MOST_ROUNDING = 2n;

/** The lines that a refund takes money off, and the money that names no line. */
type Attribution = { returned: ReturnedLine[]; unnamed: bigint; problems: Problem[] };

type Refunding = { lines: MoneyLine[]; refunds: MoneyRefund[]; currency: string };

/**
 * The lines that remain after all refunds. Returned lines come off first, all refunds together; then negative lines are spread over what
 * remains; then what rounding added to a line comes off others of its rate, and money that names no line off all, pro rata. So the result does
 * not depend on the order of the refunds.
 */
export function remainingLines({ lines, refunds, currency }: Refunding): Remaining {
  const attributions = allocate(refunds, lines).map((refund) => ({ refund, ...attribute(refund, { lines, currency }) }));
  const problems = attributions.flatMap((attribution) => attribution.problems);
  if (problems.length > 0) return { lines: [], problems };
  const returned = attributions.flatMap((attribution) => attribution.returned);
  const given = lines.map((line) => giveBackIfAny(line, returned));
  const spread = spreadNegatives(
    given.flatMap(({ left }) => left ?? []),
    currency,
  );
  if (spread.problems.length > 0) return spread;
  const added = roundedUp(given);
  const rounded = [...added].reduce<Rounded>(takeRounding, { lines: spread.lines, left: [] });
  const overflow = sum(given.map((each) => each.overflow)) - sum([...added.values()]);
  const isApart = overflow === 0n && attributions.every(({ refund, unnamed }) => unnamed === 0n || (!refund.lines?.length && refund.settled === 0n));
  const unnamed = sum(attributions.map((attribution) => attribution.unnamed)) + overflow;
  return takeUnnamed({ lines: rounded.lines, refunds, currency }, { unnamed, rounding: rounded.left, isApart });
}

type Rounded = { lines: MoneyLine[]; left: { vatRate: string; amount: bigint }[] };

/** A line, what is left of it, and the money of its refunds that exceeds it. */
type Given = { line: MoneyLine; left: MoneyLine | null; overflow: bigint; isWhole: boolean };

/** By VAT rate, what rounding added to refunds of whole lines; of a line with several rates, to all its parts together. */
function roundedUp(given: readonly Given[]): Map<string, bigint> {
  const lines = Map.groupBy(given, ({ line: { id, partOf = id } }) => partOf);
  const rounded = [...lines.values()].filter(isRounding).flat();
  const byRate = Map.groupBy(
    rounded.filter(({ overflow }) => overflow > 0n),
    ({ line }) => line.vatRate,
  );
  return new Map([...byRate].map(([vatRate, same]) => [vatRate, sum(same.map(({ overflow }) => overflow))]));
}

function isRounding(parts: readonly Given[]): boolean {
  return parts.every(({ isWhole, overflow }) => isWhole && overflow >= 0n) && sum(parts.map(({ overflow }) => overflow)) <= MOST_ROUNDING;
}

function takeRounding({ lines, left }: Rounded, [vatRate, amount]: [string, bigint]): Rounded {
  const paid = sum(lines.filter((line) => line.vatRate === vatRate).map(netOf));
  return amount <= paid ? { lines: takeOff(lines, amount, vatRate), left } : { lines, left: [...left, { vatRate, amount }] };
}

function giveBackIfAny(line: MoneyLine, returned: ReturnedLine[]): Given {
  const own = returned.filter(({ lineId }) => lineId === line.id);
  if (own.length === 0) return { line, left: line, overflow: 0n, isWhole: false };
  const { line: left, overflow } = giveBack(line, own);
  return { line, left, overflow, isWhole: sum(own.map(({ quantity }) => quantity)) >= line.quantity };
}

type Context = Pick<Refunding, 'lines' | 'currency'>;

function attribute(refund: MoneyRefund, context: Context): Attribution {
  const returned = refund.lines ?? [];
  const isKnown = returned.every((part) => context.lines.some((line) => fits(part, line)));
  if (!isKnown) return { returned: [], unnamed: refund.amount, problems: [] };
  const stated = sum(returned.map(({ amount }) => amount));
  if (stated > refund.amount) return attributeLess(refund, returned, context);
  return { returned, unnamed: refund.amount - stated, problems: [] };
}

// Only a negative line gives back negative money.
function fits({ lineId, amount }: ReturnedLine, line: MoneyLine): boolean {
  return lineId === line.id && (netOf(line) < 0n ? amount <= 0n : amount >= 0n);
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

function takeUnnamed({ lines, refunds, currency }: Refunding, { unnamed, rounding, isApart }: Loose): Remaining {
  const paying = lines.filter((line) => netOf(line) > 0n);
  const left = sum(paying.map(netOf));
  const [rate, ...others] = new Set(paying.map(({ vatRate }) => vatRate));
  const stuck = sum(rounding.map(({ amount }) => amount));
  const isPossible = unnamed >= 0n && unnamed + stuck <= left;
  const isTaken = unnamed === 0n || (isPossible && rate !== undefined && others.length === 0);
  if (isTaken && stuck === 0n) return { lines: unnamed === 0n || rate === undefined ? lines : takeOff(lines, unnamed, rate), problems: [] };
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

/** Refunds name a line as the storefront does: what they give back of a line with several VAT rates comes off each of its parts, in proportion. */
function allocate(refunds: readonly MoneyRefund[], lines: readonly MoneyLine[]): MoneyRefund[] {
  const parts = Map.groupBy(lines, ({ id, partOf }) => partOf ?? id);
  return refunds.map((refund) => ({
    ...refund,
    lines: refund.lines?.flatMap((returned) => allocateToLine(returned, parts.get(returned.lineId) ?? [])) ?? null,
  }));
}

function allocateToLine(returned: ReturnedLine, parts: readonly MoneyLine[]): ReturnedLine[] {
  const worth = sum(parts.map(netOf));
  if (parts.length < 2 || returned.amount * worth <= 0n) return [returned];
  const shares = shareOut(magnitude(returned.amount), parts, (part) => magnitude(netOf(part)));
  return shares.map(({ item, part }) => ({ ...returned, lineId: item.id, amount: worth < 0n ? -part : part }));
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
