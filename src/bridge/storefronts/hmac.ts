import { createHmac, timingSafeEqual } from 'node:crypto';

/** The claimed digest (base64), the keys that may have signed it, and the signed bytes, in parts. */
export type HmacClaim = { claimed: string; keys: readonly (string | Buffer)[]; parts: readonly (string | Buffer)[] };

/** True if base64(HMAC-SHA256(key, parts)) is the claimed text for any of the keys. Every key is tried, each in constant time. */
export function hmacMatches({ claimed, keys, parts }: HmacClaim): boolean {
  const given = Buffer.from(claimed, 'base64');
  return keys.reduce((matched, key) => sameBytes(given, hmac(key, parts)) || matched, false);
}

/** HMAC-SHA256 of the parts, one after the other; a text key is taken as UTF-8, not decoded. */
export function hmac(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

// timingSafeEqual throws on different lengths; the length of a digest is no secret.
function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
