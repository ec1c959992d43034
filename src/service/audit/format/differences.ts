import { parseMoney } from '../../../contract/money.ts';

/** The values of one field in the first and in the second file; null: absent or unreadable. */
export type Difference = { field: string; first: string | null; second: string | null };

type Value = string | number | null;

/** The fields in which two records differ. Numbers are compared by value: "24.960" is 24.96, "0000000001" is 1. */
export function differences(first: Readonly<Record<string, Value>>, second: Readonly<Record<string, Value>>, numeric: ReadonlySet<string>): Difference[] {
  return Object.keys(first).flatMap((field) => {
    const [a, b] = [shown(first[field]), shown(second[field])];
    const same = a === b || (a !== null && b !== null && numeric.has(field) && numberKey(a) === numberKey(b));
    return same ? [] : [{ field, first: a, second: b }];
  });
}

function shown(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** One text for all spellings of a number with two decimals at most: "24.960" and "24.96", "0000000001" and "1". */
export function numberKey(text: string | null): string | null {
  return text === null ? null : (parseMoney(text, 2)?.toString() ?? text);
}

/** The pairs, and what remains of each list. */
export type Pairs<T> = { both: [T, T][]; first: T[]; second: T[] };

/** Pairs items with the same key; each further key is used for the items that remain. Items with the key null are not paired. */
export function pairUp<T>(first: readonly T[], second: readonly T[], keys: readonly ((one: T) => string | null)[]): Pairs<T> {
  const pairs: Pairs<T> = { both: [], first: [...first], second: [...second] };
  for (const key of keys) {
    const open = Map.groupBy(pairs.second, key);
    const used = new Set<T>();
    const rest: T[] = [];
    for (const one of pairs.first) {
      const found = key(one) === null ? undefined : open.get(key(one))?.shift();
      if (found === undefined) rest.push(one);
      else {
        pairs.both.push([one, found]);
        used.add(found);
      }
    }
    pairs.first = rest;
    pairs.second = pairs.second.filter((one) => !used.has(one));
  }
  return pairs;
}
