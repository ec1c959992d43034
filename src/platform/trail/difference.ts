type Json = Readonly<Record<string, unknown>>;

/** The fields that differ, on both sides; those of nested objects by themselves. A field that one side lacks is absent there. */
export type Difference = { before: Record<string, unknown>; after: Record<string, unknown> };

/** What differs between two values of plain JSON; null: nothing does. */
export function difference(before: Json, after: Json): Difference | null {
  const differs: Difference = { before: {}, after: {} };
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key], after[key]];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    const parts = isObject(was) && isObject(is) ? difference(was, is) : { before: was, after: is };
    // The same in another order of keys.
    if (parts === null) continue;
    if (was !== undefined) differs.before[key] = parts.before;
    if (is !== undefined) differs.after[key] = parts.after;
  }
  return Object.keys({ ...differs.before, ...differs.after }).length === 0 ? null : differs;
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
