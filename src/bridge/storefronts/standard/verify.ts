import type { Delivery, Verdict } from '../contract.ts';
import { hmacMatches } from '../hmac.ts';
import { keyOf } from './secret.ts';

const TOLERANCE_SECONDS = 5 * 60;

/** Standard Webhooks 1.0, symmetric: any `v1` signature by any live secret is enough, if the signed timestamp is within 5 minutes of `now` (ms). */
export function verify({ headers, body }: Delivery, secrets: readonly string[], now: number): Verdict {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers.get(name) ?? '');
  if (!id || !timestamp || !signatures) return { trusted: false, code: 'signature.missing' };
  const keys = secrets.flatMap((secret) => keyOf(secret) ?? []);
  const parts = [`${id}.${timestamp}.`, body];
  const isSigned = claims(signatures).some((claimed) => hmacMatches({ claimed, keys, parts }));
  if (!isSigned || !/^\d{1,12}$/.test(timestamp)) return { trusted: false, code: 'signature.mismatch' };
  // After the signature: only a sender with the secret learns what is wrong with the time.
  const isTimely = Math.abs(now / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS;
  return isTimely ? { trusted: true } : { trusted: false, code: 'signature.expired' };
}

// "v1,BASE64 v1,BASE64 v1a,BASE64": other versions are for others.
function claims(signatures: string): string[] {
  return signatures.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
}
