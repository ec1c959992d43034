/** The middle of some numbers, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (low === undefined || high === undefined) throw new Error('there is no middle of nothing');
  return (low + high) / 2;
}

/** What each round's value is of the same round's `base`: the machine differs from one round to the next. */
export type Ratio = { median: number; min: number; max: number };

export function ratioTo(base: readonly number[], values: readonly number[]): Ratio {
  const ratios = values.map((value, round) => value / (base[round] ?? Number.NaN));
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
}
