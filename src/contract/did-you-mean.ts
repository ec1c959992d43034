import type { Lang } from './messages.ts';

/** The candidate that somebody probably meant who wrote `word`: one that is a few slips of the hand away, or that begins with it. Null: none is near. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  // One letter is near any other.
  const most = word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3));
  return first(word, candidates, { most, slips: slipsTo });
}

/** The same for a word that may well be right, and somebody else’s: names of up to 8 letters may have one slip, longer ones two. */
export function nearestName(word: string, candidates: readonly string[]): string | null {
  return first(word, candidates, { most: word.length > 8 ? 2 : 1, slips: slipsAlone });
}

type Measure = { most: number; slips: (word: string, candidate: string, most: number) => number };

function first(word: string, candidates: readonly string[], { most, slips }: Measure): string | null {
  const wanted = word.toLowerCase();
  const far = candidates.map((candidate) => ({ candidate, slips: slips(wanted, candidate.toLowerCase(), most) }));
  return far.filter((one) => one.slips <= most).sort((a, b) => a.slips - b.slips)[0]?.candidate ?? null;
}

/** `; did you mean X?`, to end a sentence with, or nothing. */
export function didYouMean(word: string, candidates: readonly string[], lang: Lang = 'en'): string {
  const meant = nearest(word, candidates);
  return meant === null ? '' : `; ${lang === 'bg' ? 'може би' : 'did you mean'} ${meant}?`;
}

// Long text is no slip of the hand, and would cost time.
const LONGEST = 64;
const SHORTEST_BEGINNING = 3;

function slipsTo(word: string, candidate: string, most: number): number {
  if (word.length >= SHORTEST_BEGINNING && candidate.startsWith(word)) return candidate === word ? 0 : 1;
  return slipsAlone(word, candidate, most);
}

function slipsAlone(word: string, candidate: string, most: number): number {
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
