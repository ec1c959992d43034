import { decimalsOf, moneyText, parseMoney, sum } from '../../contract/money.ts';
import type { Facts, Reading, RefundMention, Snapshot } from './facts.ts';
import type { Problem } from './failure.ts';
import { minorOrZero } from './minor-or-zero.ts';
import { moneyIn } from './payments.ts';

/** How an order is read once its witnesses were heard; with problems, they disagree. */
export type Received = { reading: Pick<Reading, 'lines' | 'total'> & { refunds: RefundMention[] | null }; problems: Problem[] };

/**
 * The platform's totals, the lines and refunds, and the known payments must say the same of a paid order. Where lines and totals differ, that one is
 * right which the payments confirm. Payments may be missing, so fewer of them prove nothing; more of them contradict.
 */
export function readWitnesses(facts: Facts, snapshot: Snapshot): Received {
  const { lines, total, refunds } = snapshot;
  const stated = { reading: { lines, total, refunds }, problems: [] };
  const money = moneyOf(snapshot);
  if (money === null || snapshot.payment !== 'paid') return stated;
  const { currency, updatedAt } = snapshot;
  const before = moneyIn(facts, { currency, counts: ({ at }) => at < updatedAt });
  if (!isDoubtful(snapshot, money)) return before !== null && before > money.total ? { ...stated, problems: [tooMuch(before, money, currency)] } : stated;
  const known = [before, moneyIn(facts, { currency, counts: ({ at }) => at <= updatedAt })];
  const confirmed = [stated.reading, ...(snapshot.otherwise ?? [])].find((reading) =>
    known.some((paid) => paid !== null && paid === minorOf(reading.total, currency)),
  );
  return confirmed === undefined ? { ...stated, problems: [differing(snapshot, money, before)] } : { reading: confirmed, problems: [] };
}

type Money = { kept: bigint; total: bigint; back: bigint };

// Amounts that can't be read are reported with the lines.
function moneyOf({ kept, total, refunds, currency }: Snapshot): Money | null {
  const [left, paid] = [minorOf(kept ?? '', currency), minorOf(total, currency)];
  return left === undefined || paid === undefined ? null : { kept: left, total: paid, back: backOf(refunds, currency) };
}

function isDoubtful({ otherwise }: Snapshot, { kept, total, back }: Money): boolean {
  return otherwise !== undefined || kept !== total - back;
}

function tooMuch(paid: bigint, { total, back, kept }: Money, currency: string): Problem {
  const known = `Payments of ${moneyText(paid, currency)} are known, less refunds ${moneyText(paid - back, currency)}`;
  const stated = `by the order ${moneyText(total, currency)} were paid, and ${moneyText(kept, currency)} of them kept`;
  return { code: 'total.mismatch', detail: `${known}, but ${stated}.` };
}

function differing({ otherwise = [], ...snapshot }: Snapshot, { kept, back }: Money, paid: bigint | null): Problem {
  const { currency } = snapshot;
  const readings = [snapshot, ...otherwise].map(({ total, refunds }) => minorOrZero(total, currency) - backOf(refunds, currency));
  const left = readings.find((amount) => amount !== kept) ?? kept;
  const known = paid === null || paid === 0n ? '' : `, and the known payments less refunds are ${moneyText(paid - back, currency)}`;
  const figures = `The lines that are left come to ${moneyText(left, currency)}, paid and kept are ${moneyText(kept, currency)}`;
  return { code: 'total.mismatch', detail: `${figures}${known}.` };
}

function backOf(refunds: readonly RefundMention[] | null, currency: string): bigint {
  return sum((refunds ?? []).map(({ amount }) => minorOrZero(amount, currency)));
}

function minorOf(amount: string, currency: string): bigint | undefined {
  return parseMoney(amount, decimalsOf(currency));
}
