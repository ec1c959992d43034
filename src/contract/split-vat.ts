import { decimal, tenTo } from './decimal.ts';
import { divideHalfUp, sum } from './money.ts';

/** An amount with VAT in minor units, and its rate in percent, as decimal text. */
export type Taxable = { gross: bigint; vatRate: string };

/**
 * The VAT in each amount, in the same units. It is computed once for all amounts of a rate, rounded half up, and split by the largest remainder: each
 * part is the exact VAT of its amount, rounded up or down; of equal remainders the first is rounded up. Throws RangeError for a rate that is no plain decimal.
 */
export function splitVat(amounts: readonly Taxable[]): bigint[] {
  const parts = amounts.map(() => 0n);
  const indexed = amounts.map(({ gross, vatRate }, index) => ({ gross, vatRate, index }));
  for (const [vatRate, members] of Map.groupBy(indexed, (amount) => amount.vatRate)) {
    for (const { index, part } of splitOne(members, partOfGross(vatRate))) parts[index] = part;
  }
  return parts;
}

/** The share of VAT in money with VAT: rate / (100 + rate). */
type Fraction = { above: bigint; below: bigint };

export function partOfGross(vatRate: string): Fraction {
  const { units, scale } = decimal(vatRate);
  return { above: units, below: 100n * tenTo(scale) + units };
}

type Share = { index: number; part: bigint; rest: bigint };

function splitOne(members: readonly { gross: bigint; index: number }[], { above, below }: Fraction): Share[] {
  const shares = members.map(({ gross, index }) => ({ index, ...roundedDown(gross * above, below) }));
  const whole = divideHalfUp(sum(members.map(({ gross }) => gross)) * above, below);
  let left = whole - sum(shares.map(({ part }) => part));
  if (left === 0n) return shares;
  for (const share of shares.toSorted(byRemainder)) {
    if (left <= 0n) break;
    share.part += 1n;
    left -= 1n;
  }
  return shares;
}

// The sort is stable: of equal remainders the first of the list stays first.
function byRemainder(a: Share, b: Share): number {
  return Number(b.rest > a.rest) - Number(b.rest < a.rest);
}

function roundedDown(dividend: bigint, divisor: bigint): { part: bigint; rest: bigint } {
  const [part, rest] = [dividend / divisor, dividend % divisor];
  return rest < 0n ? { part: part - 1n, rest: rest + divisor } : { part, rest };
}
