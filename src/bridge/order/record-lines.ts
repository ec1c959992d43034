import { convertFixed, isTied, moneyText, shareOut, sum, type TiedCurrency } from '../../contract/money.ts';
import type { Problem } from './failure.ts';
import { withoutCards } from './gift-cards.ts';
import { isWhole, type MoneyLine, netOf, ONE, quantityText, readMoney } from './money-line.ts';
import { remainingLines } from './refunds.ts';
import type { FiscalSettings } from './settings.ts';
import type { OrderView } from './view.ts';

/** A line of a record in minor units: `price` per unit before discount, `discount` off the whole line. */
export type UnitLine = { name: string; quantity: bigint; price: bigint; discount: bigint; vatRate: string };

/** The lines that should be recorded, in the currency of the record; with problems, there are none. */
export type RecordLines = { currency: string; lines: UnitLine[]; problems: Problem[] };

/** The lines that remain after refunds, in whole units; their sum is what the customer paid and did not get back. */
export function recordLines(view: OrderView, settings: Pick<FiscalSettings, 'convertTo' | 'giftCards' | 'giftCardsTakenOff'>): RecordLines {
  const { currency } = view;
  const order = readMoney(view);
  const ordered = order.problems.length > 0 ? [] : mismatch(netSum(order.lines), order.total, currency);
  const refused = [...order.problems, ...ordered];
  if (refused.length > 0) return { currency, lines: [], problems: refused };
  const remaining = remainingLines({ lines: order.lines, refunds: order.refunds, currency });
  if (remaining.problems.length > 0) return { currency, lines: [], problems: remaining.problems };
  const owed = order.total - sum(order.refunds.map(({ amount }) => amount));
  const sold = withoutCards(remaining.lines, view, settings);
  const converted = convert(sold.lines, currency, settings.convertTo);
  const lines = converted.lines.flatMap(unitLines);
  const before = mismatch(netSum(remaining.lines), owed, currency);
  const after = mismatch(sum(lines.map(worth)), netSum(converted.lines), converted.currency);
  return { currency: converted.currency, lines, problems: [...before, ...sold.problems, ...after] };
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
  const units = isWhole(quantity) ? quantity / ONE : 1n;
  const price = gross / units;
  const dearer = gross % units;
  const parts = [
    { quantity: dearer, price: price + 1n },
    { quantity: units - dearer, price },
  ].filter((part) => part.quantity > 0n && part.price > 0n);
  const named = isWhole(quantity) ? name : `${name} (${quantityText(quantity)})`;
  return shareOut(discount, parts, (part) => part.price * part.quantity).map(({ item, part }) => ({ name: named, vatRate, ...item, discount: part }));
}
