import type { StoreAccess, StoreRequest } from '../contract.ts';
import { credentialOf } from '../credential-of.ts';
import { oauthQuery } from './oauth-query.ts';
import type { Way } from './rest-way.ts';

/** A call of the REST API, version v3. `path`: below `wc/v3/`, with its query. */
export type RestCall = { path: string; method?: 'POST' | 'PUT' | 'DELETE'; body?: unknown };

/** `home`: the store's home URL, of which signatures are made. `now`: ms since 1970. */
export type Sent = { way: Way; home: string; now: number };

/** The request of a call. Throws `Failure('storefront.refused')` if the connection lacks a part of the key. */
export function restRequest(access: StoreAccess, { path, ...rest }: RestCall, { way, home, now }: Sent): StoreRequest {
  const key = credentialOf(access, 'consumerKey');
  const secret = credentialOf(access, 'consumerSecret');
  const url = addressOf(access, way.path, path);
  if (way.auth === 'basic') return { ...rest, url, authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` };
  if (way.auth === 'query') return { ...rest, url: withQuery(url, new URLSearchParams({ consumer_key: key, consumer_secret: secret }).toString()) };
  const { origin, pathname, searchParams } = new URL(url);
  const query = oauthQuery({ key, secret }, { method: rest.method ?? 'GET', address: signedAddress(home, pathname), query: [...searchParams], now });
  // WooCommerce looks for this very text in the address, which the signature's encoding hides.
  return { ...rest, url: `${origin}${pathname}?${query.replaceAll('wp-json%2Fwc%2F', 'wp-json/wc/')}` };
}

/** The API's own page, which needs no key: what the site is called, and where it is. */
export function indexRequest({ url }: StoreAccess, path: Way['path']): StoreRequest {
  const base = baseOf(url);
  return { url: path === 'plain' ? `${base}/?rest_route=/&_fields=home` : `${base}${prefixes[path]}/?_fields=home` };
}

const prefixes = { pretty: '/wp-json', index: '/index.php/wp-json' } as const;

// Keys count only in an address that contains "wp-json/wc/", whatever route it names.
function addressOf({ url }: StoreAccess, by: Way['path'], path: string): string {
  const base = baseOf(url);
  if (by !== 'plain') return `${base}${prefixes[by]}/wc/v3/${path}`;
  const [route = '', query] = path.split('?');
  return `${base}/?rest_route=/wc/v3/${route}${query === undefined ? '' : `&${query}`}&x=wp-json/wc/`;
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** The store signs http, its home URL's host and port, and the path below it; that of the home page ends without a slash. */
function signedAddress(home: string, pathname: string): string {
  const { host, pathname: homePath } = new URL(home);
  const root = `${homePath.replace(/\/+$/, '')}/`;
  const below = pathname.startsWith(root) ? pathname.slice(root.length) : pathname.slice(1);
  return `http://${host}${root}${below}`.replace(/\/$/, '');
}

function baseOf(url: string): string {
  return url.replace(/\/+$/, '');
}
