import type { Delivery, Verdict } from '../contract.ts';
import { hmacMatches } from '../hmac.ts';

export function signatures(headers: Delivery['headers']): readonly string[] | null {
  const claimed = headers.get('x-shopify-hmac-sha256');
  return claimed === undefined ? null : [claimed];
}

/** base64(HMAC-SHA256(secret, raw body)); the secret is used as it is, not decoded. */
export function verify({ headers, body }: Delivery, secrets: readonly string[]): Verdict {
  const claims = signatures(headers);
  if (claims === null) return { trusted: false, code: 'signature.missing' };
  // Nothing that Shopify sends is empty, so an empty body with a right signature is a trick.
  const trusted = body.length > 0 && hmacMatches({ claims, keys: secrets, parts: [body] });
  return trusted ? { trusted } : { trusted, code: 'signature.mismatch' };
}

/** Rejects what can't be a Shopify secret. */
export function secretProblem(secret: string): string | null {
  if (secret.trim() === '')
    return 'The Shopify secret is empty: copy the app’s client secret, or the signing secret shown under Settings > Notifications > Webhooks.';
  if (secret !== secret.trim()) return 'The Shopify secret has white space around it: copy it again without.';
  return null;
}
