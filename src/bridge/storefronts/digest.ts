import { hash } from 'node:crypto';
import { canonicalText } from '../order/canonical-text.ts';

/** SHA-256 in hex over canonical JSON: the order of an object's keys, and keys that are undefined, make no difference. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalText(value), 'hex');
}
