/** What was measured of each contestant: one entry for each round, in the order of the rounds. */
export type Rounds<T> = Record<string, T[]>;

/** The middle of the rounds of one figure; NaN if there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? (sorted[Math.floor(middle)] ?? Number.NaN) : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** One figure of a contestant: its name, and how the figure is read of a round. */
export type Reading<T> = readonly [name: string, figure: (round: T) => number];

/** The first figure divided by the second within each round, where the machine was the same for both; rounds that lack one are left out. */
export function pairRatios<T>(rounds: Rounds<T>, [name, figure]: Reading<T>, [base, baseFigure]: Reading<T>): number[] {
  const bases = rounds[base] ?? [];
  return (rounds[name] ?? []).slice(0, bases.length).map((round, i) => {
    const other = bases[i];
    return other === undefined ? Number.NaN : figure(round) / baseFigure(other);
  });
}

/** "1620 (1580–1660)": the median, with least and most if there are several. */
export function spread(values: readonly number[]): string {
  const middle = String(short(median(values)));
  return values.length < 2 ? middle : `${middle} (${range(values)})`;
}

/** "1580–1660" */
export function range(values: readonly number[]): string {
  return `${short(Math.min(...values))}–${short(Math.max(...values))}`;
}

/** Three digits, or the whole number. */
export function short(value: number): number {
  return Number(value.toPrecision(value >= 100 ? 4 : 3));
}
