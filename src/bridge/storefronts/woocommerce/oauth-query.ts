import { randomBytes } from 'node:crypto';
import { hmac } from '../hmac.ts';

export type OAuthKey = { key: string; secret: string };

/** A request to be signed: its method, the address that the store takes it for, and the query. `now`: ms since 1970. */
export type Signable = { method: string; address: string; query: readonly (readonly [string, string])[]; now: number };

/**
 * The query with the parameters of OAuth 1.0a: one-legged (no token), HMAC-SHA256. Bodies that are not forms are not signed.
 * The libraries for it have been still for years, and bring flows with tokens; this is RFC 5849, 3.4, without those.
 */
export function oauthQuery({ key, secret }: OAuthKey, { method, address, query, now }: Signable): string {
  const oauth: [string, string][] = [
    ['oauth_consumer_key', key],
    ['oauth_nonce', randomBytes(16).toString('hex')],
    ['oauth_signature_method', 'HMAC-SHA256'],
    ['oauth_timestamp', String(Math.floor(now / 1000))],
    ['oauth_version', '1.0'],
  ];
  const pairs = [...query, ...oauth].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  const base = [method, encoded(address), encoded(pairs.toSorted().join('&'))].join('&');
  const signature = hmac(`${encoded(secret)}&`, [base]).toString('base64');
  return [...pairs, `oauth_signature=${encoded(signature)}`].join('&');
}

/** Percent-encoded as RFC 3986 has it. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
