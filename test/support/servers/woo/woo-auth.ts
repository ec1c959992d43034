import { createHmac } from 'node:crypto';
import { cannotView, keyError, type WooAnswer } from './woo-answer.ts';

export type WooKey = { secret: string; permissions: 'read' | 'read_write'; mayView: boolean };

/** A request as WordPress sees it. `home`: the store's home URL. `authorization`: null if the host strips it. */
export type WooCall = { method: string; uri: string; authorization: string | null; tls: boolean; home: string; now: number };

const TIMESTAMP_WINDOW_S = 15 * 60;

/** Judges keys as WooCommerce does: null if the request may go on. */
export function createWooAuth(keys: ReadonlyMap<string, WooKey>): (call: WooCall) => WooAnswer | null {
  const nonces = new Set<string>();
  return (call) => {
    // Keys count only where the address looks like WooCommerce's API, whatever route it names.
    if (!call.uri.includes('wp-json/wc/')) return cannotView(401);
    const found = keyOf(call, keys, nonces);
    if (found === null) return cannotView(401);
    if ('status' in found) return found;
    if (found.permissions === 'read' && call.method !== 'GET') return keyError('The API key provided does not have write permissions.');
    return found.mayView ? null : cannotView(403);
  };
}

/** null: no key was considered. */
function keyOf(call: WooCall, keys: ReadonlyMap<string, WooKey>, nonces: Set<string>): WooKey | WooAnswer | null {
  const query = new URL(call.uri, 'http://any').searchParams;
  if (query.has('oauth_consumer_key')) return oauthKey(call, keys, nonces);
  if (!call.tls) return null;
  const [id, secret] = credentials(call.authorization) ?? [query.get('consumer_key') ?? '', query.get('consumer_secret') ?? ''];
  const key = keys.get(id);
  if (key === undefined || secret === '') return null;
  return key.secret === secret ? key : keyError('Consumer secret is invalid.');
}

function credentials(authorization: string | null): [string, string] | null {
  if (authorization === null || !authorization.startsWith('Basic ')) return null;
  const [id = '', secret = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':');
  return [id, secret];
}

function oauthKey(call: WooCall, keys: ReadonlyMap<string, WooKey>, nonces: Set<string>): WooKey | WooAnswer {
  const query = new URL(call.uri, 'http://any').searchParams;
  const key = keys.get(query.get('oauth_consumer_key') ?? '');
  if (key === undefined) return keyError('Consumer key is invalid.');
  if (query.get('oauth_signature') !== signatureOf(call, key.secret)) return keyError('Invalid signature - provided signature does not match.');
  if (Math.abs(call.now / 1000 - Number(query.get('oauth_timestamp'))) > TIMESTAMP_WINDOW_S) return keyError('Invalid timestamp.');
  const nonce = query.get('oauth_nonce') ?? '';
  if (nonce === '' || nonces.has(nonce)) return keyError('Invalid nonce - nonce has already been used.');
  nonces.add(nonce);
  return key;
}

/** Of the home URL's host and port and the requested path, whatever address was called; the home page's path ends without a slash. */
function signatureOf({ method, uri, tls, home }: WooCall, secret: string): string {
  const { pathname, searchParams } = new URL(uri, 'http://any');
  const base = new URL(home);
  const homePath = base.pathname.replace(/\/$/, '');
  const path = pathname.startsWith(`${homePath}/`) ? pathname.slice(homePath.length + 1) : pathname;
  const address = `${tls ? 'https' : 'http'}://${base.host}${homePath}${path === '' ? '' : `/${path.replace(/^\//, '')}`}`;
  const given = [...searchParams].filter(([name]) => name !== 'oauth_signature').map(([name, value]) => [rfc3986(name), rfc3986(value)] as const);
  const sorted = given.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
  const text = [method, rfc3986(address), rfc3986(sorted.join('&'))].join('&');
  const hash = searchParams.get('oauth_signature_method') === 'HMAC-SHA1' ? 'sha1' : 'sha256';
  return createHmac(hash, `${secret}&`).update(text).digest('base64');
}

function rfc3986(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}
