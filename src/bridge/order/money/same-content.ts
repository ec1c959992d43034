import { decimal } from '../../../contract/decimal.ts';
import { exactMoney, minorOf, parseMoney, sum } from '../../../contract/money.ts';
import type { RecordContent, RecordLine } from '../../../contract/record.ts';
import { canonicalText } from '../facts/canonical-text.ts';

/** Same fiscal content: lines (in any order), money, payment, currency, number and moment. A late transaction id is not part of it. */
export function sameContent(a: RecordContent, b: RecordContent): boolean {
  return a === b || contentText(a) === contentText(b);
}

function contentText(content: RecordContent): string {
  return canonicalText([headText(content), content.lineItems.map(canonicalText).sort()]);
}

/** Everything but the lines. */
function headText({ internalId, internalNumber, internalCreatedAt, paymentType, paymentProcessorName, currency, precision }: RecordContent): string {
  const payment = { paymentType, paymentProcessorName };
  return canonicalText({ internalId, internalNumber, createdAt: moment(internalCreatedAt), payment, currency, precision });
}

// A store that moves to another time zone writes old moments anew; that replaces no record.
function moment(text: string): string | number {
  return /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : text;
}

/** The lines of one name and rate together, in minor units. */
type Amounts = { lines: number; quantity: number; gross: bigint; paid: bigint };

/**
 * Is a current record still right, although the storefront rounds otherwise by now? Total, names, rates and quantities are the same, and so is
 * what each line costs, but for `roundedTo` ("0.01") a line; one line may differ by more, as it took the platform's gap. `roundedTo` undefined: a
 * storefront whose amounts stay as they are, of which nothing may differ.
 */
export function sameButRounding(current: RecordContent, wanted: RecordContent, roundedTo: string | undefined): boolean {
  if (sameContent(current, wanted)) return true;
  if (roundedTo === undefined || headText(current) !== headText(wanted)) return false;
  const unit = parseMoney(roundedTo, wanted.precision) ?? 1n;
  const [before, now] = [amountsOf(current), amountsOf(wanted)];
  if (before.size !== now.size || totalOf(before) !== totalOf(now)) return false;
  const most = unit * BigInt(Math.max(current.lineItems.length, wanted.lineItems.length));
  const far = [...before].map(([key, amounts]) => farness(amounts, now.get(key), { unit, most }));
  return !far.includes('other') && far.filter((each) => each === 'further').length <= 1;
}

function amountsOf({ lineItems, precision }: RecordContent): Map<string, Amounts> {
  const lines = Map.groupBy(lineItems, ({ name, vatRate, vatGroup }) => canonicalText([name, vatRate, vatGroup]));
  return new Map([...lines].map(([key, each]) => [key, addUp(each, precision)]));
}

function addUp(lines: RecordLine[], precision: number): Amounts {
  const gross = sum(lines.map(({ price, quantity }) => minorOf(decimal(price).times(decimal(quantity)), precision)));
  const discount = sum(lines.map((line) => exactMoney(line.discount, precision)));
  return { lines: lines.length, quantity: lines.reduce((quantity, line) => quantity + line.quantity, 0), gross, paid: gross - discount };
}

function totalOf(amounts: ReadonlyMap<string, Amounts>): bigint {
  return sum([...amounts.values()].map(({ paid }) => paid));
}

/** near: within what rounding moves. further: within what rounding moves in the whole order. */
function farness(a: Amounts, b: Amounts | undefined, { unit, most }: { unit: bigint; most: bigint }): 'near' | 'further' | 'other' {
  if (b === undefined || a.quantity !== b.quantity) return 'other';
  const gap = larger(distance(a.gross, b.gross), distance(a.paid, b.paid));
  if (gap <= unit * BigInt(larger(a.lines, b.lines))) return 'near';
  return gap <= most ? 'further' : 'other';
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b;
}

function larger<Value extends bigint | number>(a: Value, b: Value): Value {
  return a > b ? a : b;
}
