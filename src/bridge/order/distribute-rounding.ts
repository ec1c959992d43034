import { sum } from '../../contract/money.ts';
import { type MoneyLine, netOf } from './money-line.ts';

/**
 * The lines with the difference between their sum and the money on the largest one, where rounding of the platform explains it; else as they are.
 * The largest is that of the VAT rate with most money, so that the VAT changes least.
 */
export function distributeRounding(lines: MoneyLine[], money: bigint, mayBeOff: bigint): MoneyLine[] {
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
