import { moneyText, shareOut, sum } from '../../contract/money.ts';
import type { Problem } from './failure.ts';
import { type MoneyLine, netOf } from './money-line.ts';

/** Lines after something was taken off them; with problems, the lines are not to be used. `waiting`: money that went back, and is still in them. */
export type Remaining = { lines: MoneyLine[]; problems: Problem[]; waiting?: Waiting };

/** Money of which a person must say which lines it comes off. `isApart`: what is known of every other refund is certain without it. */
export type Waiting = { amount: bigint; problem: Problem; isApart: boolean };

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

type Fees = { vatRate: string; fees: MoneyLine[]; currency: string };

function spreadFees({ lines, problems }: Remaining, { vatRate, fees, currency }: Fees): Remaining {
  const amount = -sum(fees.map(netOf));
  const money = sum(lines.filter((line) => line.vatRate === vatRate).map(netOf));
  if (amount <= money) return { lines: takeOff(lines, amount, vatRate), problems };
  const names = fees.map(({ name }) => `“${name}”`).join(', ');
  const detail = `${names}: ${moneyText(amount, currency)} off at ${vatRate} % VAT, but the lines of that rate come to ${moneyText(money, currency)}.`;
  return { lines, problems: [...problems, { code: 'order.inexpressible', detail }] };
}
