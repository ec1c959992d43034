import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { canonicalText } from '../order/facts/canonical-text.ts';

/** More than any sender has reason to claim: one for each of its live secrets. */
const MOST_CLAIMS = 10;

/** The claimed digests (base64), the keys that may have signed, and the signed bytes, in parts. */
type HmacClaim = { claims: readonly string[]; keys: readonly (string | Buffer)[]; parts: readonly (string | Buffer)[] };

/**
 * True if base64(HMAC-SHA256(key, parts)) is one of the claimed texts for any of the keys. The parts are hashed once for each key, however many
 * claims there are; every claim is compared with every digest, each in constant time.
 */
export function hmacMatches({ claims, keys, parts }: HmacClaim): boolean {
  if (isTooMany(claims)) return false;
  const given = claims.map((claim) => Buffer.from(claim, 'base64'));
  let matched = false;
  for (const key of keys.length === 1 ? keys : distinct(keys)) {
    const digest = hmac(key, parts);
    // timingSafeEqual throws on different lengths; the length of a digest is no secret.
    for (const claim of given) matched = (claim.length === digest.length && timingSafeEqual(claim, digest)) || matched;
  }
  return matched;
}

/** More claims than are ever compared: nothing is hashed for them. */
export function isTooMany(claims: readonly string[]): boolean {
  return claims.length > MOST_CLAIMS;
}

/** HMAC-SHA256 of the parts, one after the other; a text key is taken as UTF-8, not decoded. */
export function hmac(key: string | Buffer, parts: readonly (string | Buffer)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

// A secret that was given twice, or that reads the same in two ways, is one key. It is hashed with as it is given: Node takes text keys sooner.
function distinct(keys: readonly (string | Buffer)[]): (string | Buffer)[] {
  return [...new Map(keys.map((key) => [Buffer.from(key).toString('hex'), key])).values()];
}

/** SHA-256 in hex over canonical JSON: the order of an object's keys, and keys that are undefined, make no difference. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonicalText(value), 'hex');
}

/** The same for what one function makes, with its keys always in one order: sorting takes three times as long as hashing. */
export function digestAsMade(content: unknown): string {
  return hash('sha256', JSON.stringify(content), 'hex');
}
