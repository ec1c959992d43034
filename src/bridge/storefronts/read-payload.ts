import type { z } from 'zod';
import type { Problem } from '../order/facts/failure.ts';
import type { Normalized } from './contract.ts';

/** Deeper than any storefront nests, far from where recursion hurts. */
const MAX_DEPTH = 100;
/** Several times as many as in the largest order that fits into 5 MB. */
const MAX_VALUES = 500_000;
/** Integers of fewer digits are below 2^53. */
const UNSAFE_DIGITS = 16;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const quote = 0x22;
const backslash = 0x5c;
/** By byte: how many levels and values begin with it. */
const levels = new Int8Array(256);
const values = new Uint8Array(256);
for (const byte of Buffer.from('[{')) levels[byte] = 1;
for (const byte of Buffer.from(']}')) levels[byte] = -1;
for (const byte of Buffer.from('[{,')) values[byte] = 1;

/**
 * Parses UTF-8 JSON (a byte order mark is allowed). Integers beyond 2^53 come as text, digit by digit. Not ok: other encodings, broken JSON,
 * more than 100 levels, more than 500,000 values.
 */
export function parseJson(bytes: Buffer): { ok: true; value: unknown } | { ok: false } {
  const { isModest, hasLongNumber } = shapeOf(bytes);
  if (!isModest) return { ok: false };
  try {
    const text = utf8.decode(bytes);
    // The reviver makes parsing several times as slow. Numbers of that length are rare; tokens and tracking numbers, which are not, are strings.
    return { ok: true, value: hasLongNumber ? JSON.parse(text, keepUnsafeIntegers) : JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function keepUnsafeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
}

/** Counts brackets, commas and digits in a row outside of strings: cheap, and right for every body that is JSON at all. */
function shapeOf(bytes: Buffer): { isModest: boolean; hasLongNumber: boolean } {
  let depth = 0;
  let count = 1;
  let digits = 0;
  let hasLongNumber = false;
  for (let at = 0; at < bytes.length && depth <= MAX_DEPTH; at += 1) {
    const byte = bytes[at] as number;
    if (byte === quote) at = endOfString(bytes, at);
    depth += levels[byte] as number;
    count += values[byte] as number;
    digits = byte >= 0x30 && byte <= 0x39 ? digits + 1 : 0;
    hasLongNumber ||= digits === UNSAFE_DIGITS;
  }
  return { isModest: depth <= MAX_DEPTH && count <= MAX_VALUES, hasLongNumber };
}

function endOfString(bytes: Buffer, start: number): number {
  const { length } = bytes;
  for (let at = start + 1; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return length;
}

/** A body can be wrong in a million places. */
const MOST = 50;

/** A body whose shape is not known: each of the first 50 places with what was expected there, and none of its values, which may be personal. */
export function unreadable({ issues }: z.ZodError): Normalized {
  const [first, ...rest] = issues.slice(0, MOST).map(toProblem);
  const more = issues.length - MOST;
  const others: Problem[] = more > 0 ? [{ code: 'payload.unreadable', detail: `body: ${more} more places are not as expected` }] : [];
  return { kind: 'unreadable', problems: [first ?? { code: 'payload.unreadable', detail: 'body: not as expected' }, ...rest, ...others] };
}

function toProblem({ path, message }: z.core.$ZodIssue): Problem {
  return { code: 'payload.unreadable', detail: `${path.join('.') || 'body'}: ${message.replaceAll('\n', ', ')}` };
}

/**
 * A signed body of something else than its topic, which no signature covers: nothing is done, and the merchant is warned. `isPrivate`: it is
 * about a person who did not buy, or whose erasure is requested.
 */
export function topicMismatch(topic: string, { isPrivate }: { isPrivate: boolean }): Normalized {
  const warning =
    `A body that the store signed came under the topic ${topic}, which it does not fit, and was left alone. Someone may be repeating a captured webhook: ` +
    'make a new secret where this one was made, and give it with `orderbridge rotate-secret`.';
  return { kind: 'warning', warning, isTopicMismatch: true, ...(isPrivate ? { isPrivate: true } : {}) };
}

/** Does a body have any of these fields? */
export function hasAny(body: unknown, fields: Iterable<string>): boolean {
  return typeof body === 'object' && body !== null && [...fields].some((field) => Object.hasOwn(body, field));
}
