import type { Delivery, VerifyResult } from './contract.ts';
import { hmacMatches, isTooMany } from './hmac.ts';

const TOLERANCE_SECONDS = 5 * 60;

/** Every entry of the header ("v1,BASE64 v1,BASE64 v1a,BASE64"), those of other versions, too; null: a signed header is missing. */
export function standardSignatures(headers: Delivery['headers']): readonly string[] | null {
  const [id, timestamp, signed] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers.get(name) ?? '');
  return id && timestamp && signed ? signed.split(' ') : null;
}

/** Standard Webhooks 1.0, symmetric: any `v1` signature by any key is enough, if the signed timestamp is within 5 minutes of `now` (ms). */
export function verifyStandard({ headers, body }: Delivery, keys: readonly (string | Buffer)[], now: number): VerifyResult {
  const entries = standardSignatures(headers);
  if (entries === null) return { trusted: false, code: 'signature.missing' };
  const timestamp = `${headers.get('webhook-timestamp')}`;
  const parts = [`${headers.get('webhook-id')}.${timestamp}.`, body];
  const isSigned = !isTooMany(entries) && hmacMatches({ claims: ofThisVersion(entries), keys, parts });
  if (!isSigned || !/^\d{1,12}$/.test(timestamp)) return { trusted: false, code: 'signature.mismatch' };
  // After the signature: only a sender with the secret learns what is wrong with the time.
  const isTimely = Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  return isTimely ? { trusted: true } : { trusted: false, code: 'signature.expired' };
}

// Other versions are for others.
function ofThisVersion(entries: readonly string[]): string[] {
  return entries.flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
}
