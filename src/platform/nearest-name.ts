/**
 * The name that somebody who typed another one most likely meant, whatever the case; null: none is near. A letter too many, missing, wrong, or swapped
 * with its neighbour is one slip: names of up to 8 letters may have one, longer ones two.
 */
export function nearestName(typed: string, names: Iterable<string>): string | null {
  const allowed = typed.length > 8 ? 2 : 1;
  let nearest: { name: string; slips: number } | null = null;
  for (const name of names) {
    const slips = slipsBetween(typed.toLowerCase(), name.toLowerCase(), allowed);
    if (slips <= allowed && slips < Math.min(typed.length, name.length) && (nearest === null || slips < nearest.slips)) nearest = { name, slips };
  }
  return nearest?.name ?? null;
}

/** The optimal string alignment distance; more than `most` if it is larger than that. */
function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const one = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1));
      row.push(isSwapped ? Math.min(one, at(before, j - 2) + 1) : one);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
