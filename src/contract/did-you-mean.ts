/** The candidate that somebody probably meant who wrote `word`: one that is a few slips of the hand away, or that begins with it. Null: none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const wanted = word.toLowerCase();
  // One letter is near any other.
  const most = wanted.length < 2 ? 0 : Math.max(1, Math.floor(wanted.length / 3));
  const near = candidates.map((candidate) => ({ candidate, slips: slipsTo(wanted, candidate.toLowerCase(), most) })).filter(({ slips }) => slips <= most);
  return near.sort((a, b) => a.slips - b.slips)[0]?.candidate ?? null;
}

/** `; did you mean X?`, to end a sentence with, or nothing. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === null ? '' : `; did you mean ${meant}?`;
}

// Long text is no slip of the hand, and would cost time.
const LONGEST = 64;
const SHORTEST_BEGINNING = 3;

function slipsTo(word: string, candidate: string, most: number): number {
  if (word.length >= SHORTEST_BEGINNING && candidate.startsWith(word)) return candidate === word ? 0 : 1;
  const isFar = word.length > LONGEST || Math.abs(word.length - candidate.length) > most;
  return isFar ? Number.POSITIVE_INFINITY : distance(word, candidate);
}

/** How many letters must be added, dropped, replaced, or exchanged with their neighbour. */
function distance(from: string, to: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row++) {
    const next = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const ways = [at(last, column) + 1, at(next, column - 1) + 1, at(last, column - 1) + (isSame ? 0 : 1)];
      next.push(Math.min(...ways, ...(isSwapped ? [at(before, column - 2) + 1] : [])));
    }
    [before, last] = [last, next];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? 0;
}
