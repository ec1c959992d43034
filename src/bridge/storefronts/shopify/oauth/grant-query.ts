import type { GrantQuery } from '../../app-grant.ts';
import { shopUrl } from '../shop-url.ts';
import { signedQuery } from './signed-query.ts';

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
