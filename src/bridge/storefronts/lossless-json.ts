/** Deeper than any storefront nests, far from where recursion hurts. */
const MAX_DEPTH = 100;
/** Several times as many as in the largest order that fits into 5 MB. */
const MAX_VALUES = 500_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

export type ParsedJson = { ok: true; value: unknown } | { ok: false };

/**
 * Parses UTF-8 JSON (a byte order mark is allowed). Integers beyond 2^53 come as text, digit by digit. Not ok: other encodings, broken JSON,
 * more than 100 levels, more than 500,000 values.
 */
export function parseJson(bytes: Buffer): ParsedJson {
  if (!isModest(bytes)) return { ok: false };
  try {
    const text = utf8.decode(bytes);
    // The reviver makes parsing slow, and hardly any body has a number of that length.
    return { ok: true, value: /\d{16}/.test(text) ? JSON.parse(text, keepUnsafeIntegers) : JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

function keepUnsafeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
}

/** Counts brackets and commas outside of strings: cheap, and right for every body that is JSON at all. */
function isModest(bytes: Buffer): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = endOfString(bytes, at);
    else if (byte === comma) values += 1;
    else if (isOpening(byte)) {
      depth += 1;
      values += 1;
      if (depth > MAX_DEPTH) return false;
    } else if (isClosing(byte)) depth -= 1;
  }
  return values <= MAX_VALUES;
}

function endOfString(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x5b || byte === 0x7b;
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x5d || byte === 0x7d;
}
