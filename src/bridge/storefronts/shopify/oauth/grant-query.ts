import { timingSafeEqual } from 'node:crypto';
import type { ConsentGiven, GrantQuery } from '../../app-grant.ts';
import { hmac } from '../../hmac.ts';
import { shopUrl } from '../shop-url.ts';

/** An install that began at Shopify, or the way back from the consent page. */
export function grantQuery(query: string, secrets: readonly string[], now: number): GrantQuery {
  const signed = signedQuery(query, secrets, now);
  if (!signed.ok) return signed;
  const { values } = signed;
  const url = shopUrl(values.get('shop') ?? '');
  const [code, state] = [filled(values.get('code')), filled(values.get('state'))];
  // A code without a state belongs to no way that began here.
  if (url === null || (code !== null && state === null)) return { ok: false, why: 'malformed' };
  return { ok: true, url, code, state };
}

function filled(value: string | undefined): string | null {
  return value === undefined || value === '' ? null : value;
}

/** What a signed query says. malformed: it can't be one. unsigned: none of the secrets signed it. stale: one did, more than 90 s ago or hence. */
type SignedQuery = { ok: true; values: ReadonlyMap<string, string> } | { ok: false; why: 'malformed' | 'unsigned' | 'stale' };

/** Those of Shopify have about ten names, and few hundred characters. */
const LONGEST = 8_000;
const MOST_NAMES = 50;
const TOLERANCE_SECONDS = 90;
/** Named twice, one of them could be signed and the other one used. */
const ONCE: readonly string[] = ['hmac', 'shop', 'timestamp', 'code', 'state', 'host'];

/**
 * Reads a query by which Shopify sends a browser here. Signed is what is left without `hmac` and `signature`, sorted by name, values of the same name
 * joined by commas: another rule than that of webhooks, with the same secret.
 */
export function signedQuery(query: string, secrets: readonly string[], now: number): SignedQuery {
  const values = valuesOf(query);
  const claim = values?.get('hmac') ?? '';
  const time = values?.get('timestamp') ?? '';
  if (values === null || !/^[0-9a-f]{64}$/.test(claim) || !/^\d{1,12}$/.test(time)) return { ok: false, why: 'malformed' };
  if (!isSigned(signedText(values), claim, secrets)) return { ok: false, why: 'unsigned' };
  if (Math.abs(Math.trunc(now / 1000) - Number(time)) > TOLERANCE_SECONDS) return { ok: false, why: 'stale' };
  return { ok: true, values };
}

/** The text that is signed of these values. */
export function signedText(values: ReadonlyMap<string, string>): string {
  const signed = [...values].filter(([name]) => name !== 'hmac' && name !== 'signature');
  return percentEncoded(signed.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Null: it is longer than any of Shopify's, or names something twice that must be clear. */
function valuesOf(query: string): ReadonlyMap<string, string> | null {
  if (query.length > LONGEST) return null;
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    const before = values.get(name);
    if (before !== undefined && ONCE.includes(name)) return null;
    values.set(name, before === undefined ? value : `${before},${value}`);
    if (values.size > MOST_NAMES) return null;
  }
  return values;
}

/** Each secret is tried, each in constant time. */
function isSigned(text: string, claim: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(claim, 'hex');
  return secrets.reduce((matched, secret) => timingSafeEqual(hmac(secret, [text]), given) || matched, false);
}

/** Where the merchant approves the app, for a token that is nobody's session. */
export function consentUrl({ url, clientId, scopes, redirectUrl, state }: ConsentGiven): string {
  const query = percentEncoded([
    ['client_id', clientId],
    ['scope', scopes.join(',')],
    ['redirect_uri', redirectUrl],
    ['state', state],
    ['grant_options[]', ''],
  ]);
  return `${url}/admin/oauth/authorize?${query}`;
}

/** `name=value` with `&`, as Shopify signs and reads it: a space is %20. */
function percentEncoded(pairs: readonly (readonly [string, string])[]): string {
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString().replaceAll('+', '%20');
}
