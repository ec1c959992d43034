import type { StoreAccess, StoreAnswer } from '../contract.ts';
import { wooCode } from './payload.ts';

/**
 * How a store's REST API is reached. `path`: by its permalinks; with “Plain” ones as a parameter. `auth`: the key in the header, in the query (for
 * hosts that take the header away), or as a signature (where the store sees http, it looks at nothing else).
 */
export type Way = { path: 'pretty' | 'index' | 'plain'; auth: 'basic' | 'query' | 'oauth' };

/** A request that was answered. `sent`: its address, which may hold the key. */
export type Tried = { way: Way; sent: string; answer: StoreAnswer };

export const firstWay: Way = { path: 'pretty', auth: 'basic' };

const paths: readonly Way['path'][] = ['pretty', 'index', 'plain'];

// A key in the query ends up in logs, and over http everybody on the way can read it.
function authsOf({ url }: StoreAccess): readonly Way['auth'][] {
  return /^https:/i.test(url) ? ['basic', 'query'] : ['basic', 'oauth'];
}

/** The next way that may work, by the answer to the last one; null: that one works, or none is left. */
export function nextWay(access: StoreAccess, tried: readonly Tried[], last: Tried): Way | null {
  const path = paths.find((one) => tried.every(({ way }) => way.path !== one));
  const auth = authsOf(access).find((one) => tried.every(({ way }) => way.auth !== one));
  if (isNoApi(last)) return path === undefined ? null : { ...last.way, path };
  return auth === undefined || !isNotConsidered(last.answer) ? null : { ...last.way, auth };
}

/** What answered is not the REST API: a page of the shop, the web server, or a redirect that only adds a "/" (nginx with plain permalinks). */
export function isNoApi({ sent, answer }: Pick<Tried, 'sent' | 'answer'>): boolean {
  const { status, body } = answer;
  if (status === 404) return wooCode(body) === null;
  return (status === 200 && body === null) || onlyAddsSlash(sent, answer);
}

export function onlyAddsSlash(sent: string, { status, location }: StoreAnswer): boolean {
  const from = URL.parse(sent);
  const to = location === undefined ? null : URL.parse(location, sent);
  return isRedirect(status) && from !== null && to?.host === from.host && to.pathname === `${from.pathname}/`;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The host that a redirect leads to, which alone may be shown: its path and query may repeat a key. Null: the answer leads nowhere. */
export function redirectOrigin({ sent, answer: { status, location } }: Pick<Tried, 'sent' | 'answer'>): string | null {
  return isRedirect(status) && location !== undefined ? (URL.parse(location, sent)?.origin ?? null) : null;
}

/** The store looked at no key, or knows none such. A wrong secret, or one that may not write, is an error of another name. */
export function isNotConsidered({ status, body }: StoreAnswer): boolean {
  return status === 401 && /^woocommerce_rest_cannot_|^invalid_username$/.test(wooCode(body) ?? '');
}
