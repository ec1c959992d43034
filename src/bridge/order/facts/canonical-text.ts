/** JSON with sorted keys: equal values give equal text, regardless of the order of their keys. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(sorted(value));
}

// A sorted copy takes half the time of a replacer, which JSON.stringify calls for every value.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  if (typeof value['toJSON'] === 'function') return sorted(value['toJSON']());
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const field = sorted(value[key]);
    // The ids of a store may be keys: this one would set the prototype, and be lost.
    if (key === '__proto__') Object.defineProperty(copy, key, { value: field, enumerable: true });
    else copy[key] = field;
  }
  return copy;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object';
}
