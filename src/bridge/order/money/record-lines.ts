import { convertFixed, isTied, larger, moneyText, shareOut, sum, type TiedCurrency } from '../../../contract/money.ts';
import type { Problem } from '../facts/failure.ts';
import type { FiscalSettings } from '../facts/settings.ts';
import type { OrderView } from '../facts/view.ts';
import { withoutCards } from './gift-cards.ts';
import { isWhole, type MoneyLine, netOf, ONE, quantityText, readMoney } from './money-line.ts';
import { remainingLines } from './refunds.ts';

/** A line of a record in minor units: `price` per unit before discount, `discount` off the whole line. */
export type UnitLine = { name: string; quantity: bigint; price: bigint; discount: bigint; vatRate: string };

/** The lines that should be recorded, in the currency of the record; with problems, there are none. `waiting`: the lines still have money that went back. */
export type RecordLines = { currency: string; lines: UnitLine[]; problems: Problem[]; waiting?: Problem };

/** The lines that remain after refunds, in whole units; their sum is what the customer paid and did not get back. */
export function recordLines(view: OrderView, settings: Pick<FiscalSettings, 'convertTo' | 'giftCards' | 'giftCardsTakenOff'>): RecordLines {
  const { currency } = view;
  const order = readMoney(view);
  const owed = order.total - sum(order.refunds.map(({ amount }) => amount));
  const refunds = order.refunds.map((refund) => ({ ...refund, amount: larger(refund.amount - refund.settled, 0n) })).filter(({ amount }) => amount > 0n);
  const open = sum(refunds.map(({ amount }) => amount));
  const stated = distributeRounding(order.lines, owed + open, order.mayBeOff);
  const ordered = order.problems.length > 0 ? [] : statedMismatch(view, netSum(stated), { owed, open });
  const refused = [...order.problems, ...ordered];
  if (refused.length > 0) return { currency, lines: [], problems: refused };
  const remaining = remainingLines({ lines: stated, refunds, currency });
  const { waiting } = remaining;
  const isKnown = order.refunds.some(({ lines, settled }) => settled > 0n || lines?.length);
  const undecided = waiting === undefined || (isKnown && waiting.isApart) ? remaining.problems : [waiting.problem];
  if (undecided.length > 0) return { currency, lines: [], problems: undecided };
  const sold = withoutCards(remaining.lines, view, settings);
  const converted = convert(sold.lines, currency, settings.convertTo);
  const lines = converted.lines.flatMap(unitLines);
  const before = mismatch(netSum(remaining.lines), owed + (waiting?.amount ?? 0n), currency);
  const after = mismatch(sum(lines.map(worth)), netSum(converted.lines), converted.currency);
  const problems = [...before, ...sold.problems, ...after];
  return { currency: converted.currency, lines, problems, ...(waiting === undefined ? {} : { waiting: waiting.problem }) };
}

type Money = { owed: bigint; open: bigint };

// Where the platform says what was kept, a person compares that; else the order with its lines, before refunds.
function statedMismatch({ kept, currency }: OrderView, lines: bigint, { owed, open }: Money): Problem[] {
  if (kept === undefined || lines === owed + open) return mismatch(lines, owed + open, currency);
  const detail = `The lines that are left come to ${moneyText(lines - open, currency)}, paid and kept are ${moneyText(owed, currency)}.`;
  return [{ code: 'total.mismatch', detail }];
}

function netSum(lines: MoneyLine[]): bigint {
  return sum(lines.map(netOf));
}

function worth({ price, quantity, discount }: UnitLine): bigint {
  return price * quantity - discount;
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
  // Pieces that cost less than the smallest amount each are one unit, so that none of them is lost.
  const units = gross < pieces ? 1n : pieces;
  const price = gross / units;
  const dearer = gross % units;
  const parts = [
    { quantity: dearer, price: price + 1n },
    { quantity: units - dearer, price },
  ].filter((part) => part.quantity > 0n);
  const named = units * ONE === quantity ? name : `${name} (${quantityText(quantity)})`;
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
