import { larger, moneyText, shareOut, sum } from '../../contract/money.ts';
import type { Problem } from './failure.ts';
import { giveBack } from './give-back.ts';
import { type MoneyLine, type MoneyRefund, netOf, type ReturnedLine } from './money-line.ts';
import { overParts } from './over-parts.ts';
import { type Remaining, spreadNegatives, takeOff } from './take-off.ts';

/** The lines that a refund takes money off, and the money that names no line. */
type Attribution = { returned: ReturnedLine[]; unnamed: bigint; problems: Problem[] };

export type Refunding = { lines: MoneyLine[]; refunds: MoneyRefund[]; currency: string };

/**
 * The lines that remain after all refunds. Returned lines come off first, all refunds together; then negative lines are spread over what
 * remains; then money that names no line comes off pro rata. So the result does not depend on the order of the refunds.
 */
export function remainingLines({ lines, refunds, currency }: Refunding): Remaining {
  const attributions = overParts(refunds, lines).map((refund) => attribute(refund, { lines, currency }));
  const problems = attributions.flatMap((attribution) => attribution.problems);
  if (problems.length > 0) return { lines: [], problems };
  const returned = attributions.flatMap((attribution) => attribution.returned);
  const given = lines.map((line) => giveBackIfAny(line, returned));
  const spread = spreadNegatives(
    given.flatMap(({ line }) => line ?? []),
    currency,
  );
  if (spread.problems.length > 0) return spread;
  const unnamed = sum([...attributions.map((attribution) => attribution.unnamed), ...given.map(({ overflow }) => overflow)]);
  return takeUnnamed({ lines: spread.lines, refunds, currency }, unnamed);
}

function giveBackIfAny(line: MoneyLine, returned: ReturnedLine[]): ReturnType<typeof giveBack> {
  const own = returned.filter(({ lineId }) => lineId === line.id);
  return own.length === 0 ? { line, overflow: 0n } : giveBack(line, own);
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

function takeUnnamed({ lines, refunds, currency }: Refunding, amount: bigint): Remaining {
  if (amount === 0n) return { lines, problems: [] };
  const paying = lines.filter((line) => netOf(line) > 0n);
  const left = sum(paying.map(netOf));
  const [rate, ...others] = new Set(paying.map(({ vatRate }) => vatRate));
  const isPossible = amount > 0n && amount <= left;
  if (isPossible && rate !== undefined && others.length === 0) return { lines: takeOff(lines, amount, rate), problems: [] };
  const unnamed = `Of refund ${list(refunds.map(({ id }) => id))}, ${moneyText(amount, currency)} names no line`;
  const why = isPossible ? `the lines left have VAT rates ${list([rate, ...others])}` : `the lines left come to ${moneyText(left, currency)}`;
  return { lines: [], problems: [{ code: 'refund.unattributed', detail: `${unnamed}, and ${why}.` }] };
}

function list(items: Iterable<string | undefined>): string {
  return [...items].join(', ');
}
