/** A copy of a JSON value in which one place, chosen by the seed, has another value; the original is not changed. */
export function replaceSomewhere(whole: unknown, seed: number, value: unknown): unknown {
  const places = countPlaces(whole);
  return replaceAt(whole, { left: seed % places, value });
}

type Cursor = { left: number; value: unknown };

function replaceAt(whole: unknown, cursor: Cursor): unknown {
  if (cursor.left-- === 0) return cursor.value;
  if (Array.isArray(whole)) return whole.map((item) => replaceAt(item, cursor));
  if (typeof whole !== 'object' || whole === null) return whole;
  return Object.fromEntries(Object.entries(whole).map(([key, item]) => [key, replaceAt(item, cursor)]));
}

function countPlaces(whole: unknown): number {
  if (typeof whole !== 'object' || whole === null) return 1;
  return Object.values(whole).reduce<number>((count, item) => count + countPlaces(item), 1);
}
