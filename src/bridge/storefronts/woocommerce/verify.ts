import type { Delivery, Verdict } from '../contract.ts';
import { hmacMatches } from '../hmac.ts';
import { decodeSpecialChars } from './special-chars.ts';

export function signatures(headers: Delivery['headers']): readonly string[] | null {
  const claimed = headers.get('x-wc-webhook-signature') ?? '';
  return claimed === '' ? null : [claimed];
}

/** base64(HMAC-SHA256(body)); WooCommerce decodes HTML entities in the secret before it signs, so both readings of a secret count. */
export function verify({ headers, body }: Delivery, secrets: readonly string[]): Verdict {
  const claims = signatures(headers);
  if (claims === null) return { trusted: false, code: 'signature.missing' };
  const keys = secrets.flatMap((secret) => [secret, decodeSpecialChars(secret)]);
  return hmacMatches({ claims, keys, parts: [body] }) ? { trusted: true } : { trusted: false, code: 'signature.mismatch' };
}

/** The request by which a store tries a new webhook's address: unsigned, form-encoded, `webhook_id=N`. */
export function isPing({ headers, body }: Delivery): boolean {
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm && ![...headers.keys()].some((name) => name.startsWith('x-wc-')) && /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1'));
}

export function secretProblem(secret: string): string | null {
  return secret.trim() === '' ? 'The secret is empty: enter the one shown under WooCommerce → Settings → Advanced → Webhooks.' : null;
}
