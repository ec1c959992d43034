import { DOCUMENT_DIGITS } from './column-kinds.ts';

/** A run of missing numbers, both ends included. */
export type Gap = { from: number; to: number };

/** The missing runs between the lowest and the highest number. Sorts once; a wide gap costs nothing. */
export function numberGaps(numbers: readonly number[]): Gap[] {
  const all = Float64Array.from(numbers).sort();
  const gaps: Gap[] = [];
  for (const [index, one] of all.entries()) {
    const before = all[index - 1] ?? one;
    if (one - before > 1) gaps.push({ from: before + 1, to: one - 1 });
  }
  return gaps;
}

/** "0000000004 is missing", "0000000004 to 0000000009 are missing (6 numbers)". */
export function gapWords({ from, to }: Gap): string {
  if (from === to) return `document number ${shown(from)} is missing`;
  return `document numbers ${shown(from)} to ${shown(to)} are missing (${to - from + 1} numbers)`;
}

function shown(number: number): string {
  return String(number).padStart(DOCUMENT_DIGITS, '0');
}
