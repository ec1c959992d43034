import { createHash } from 'node:crypto';

/** SHA-256 in hex over canonical JSON: the order of an object's keys, and keys that are undefined, make no difference. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(`${JSON.stringify(value, withSortedKeys)}`)
    .digest('hex');
}

function withSortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
