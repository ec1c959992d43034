import { randomBytes } from 'node:crypto';
import { type WooAnswer, wooProblem } from './woo-answer.ts';
import type { WooKey } from './woo-auth.ts';

/** What a WordPress site does beside its REST API: pages, and the hand-over of keys. */
export type SiteHost = {
  permalinks: 'pretty' | 'index' | 'plain';
  home: string;
  /** The header that says where the API is; false: a cache takes it away. */
  hasLink: boolean;
  /** A firewall refuses addresses that contain others. */
  blocksUrls: boolean;
  /** Who approves; a customer may not. */
  user: 'manager' | 'customer';
  /** What the callback of each hand-over was answered, the newest last. */
  handedOver: { key: string; status: number | null }[];
};

type Site = { host: SiteHost; keys: Map<string, WooKey> };
export type SiteRequest = { method: string; uri: string; cookie: string; body: string };

const NONCE = 'f00dbabe01';
const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;

/** The answer of one of the site's pages; undefined: it has none there. */
export async function siteAnswer(site: Site, request: SiteRequest): Promise<WooAnswer | undefined> {
  const { host } = site;
  const { pathname, search, searchParams: query } = new URL(request.uri, 'http://any');
  if (host.blocksUrls && /:\/\/|%3A%2F%2F/i.test(search)) return { status: 403, body: '<h1>403 Forbidden</h1>' };
  if (pathname === '/' && !query.has('rest_route')) return { status: 200, headers: host.hasLink ? { link: linkOf(host) } : {}, body: page('Corner', '') };
  const [, step] = /^\/wc-auth\/v1\/(authorize|login|access_granted)\/?$/i.exec(pathname) ?? [];
  if (step === undefined || host.permalinks === 'plain') return undefined;
  if (step === 'login') return request.method === 'POST' ? loggedIn(search) : loginPage(search, query);
  return authorizing(site, request, { query, search, isGranted: step === 'access_granted' });
}

function linkOf({ permalinks, home }: SiteHost): string {
  const root = { pretty: '/wp-json/', index: '/index.php/wp-json/', plain: '/index.php?rest_route=/' }[permalinks];
  return `<${home}${root}>; rel="https://api.w.org/"`;
}

function loginPage(search: string, query: URLSearchParams): WooAnswer {
  const cancel = returnTo(query, '0');
  const form = `<form method="post" action="/wc-auth/v1/login/${search.replaceAll('&', '&amp;')}"><label>User <input name="user"></label><button>Login</button></form>`;
  return { status: 200, body: page('Connect', `${form}<a href="${cancel.replaceAll('&', '&amp;')}">Cancel and return to orderbridge</a>`) };
}

function loggedIn(search: string): WooAnswer {
  return { status: 302, headers: { location: `/wc-auth/v1/authorize/${search}`, 'set-cookie': 'wordpress_logged_in=1; Path=/; HttpOnly' }, body: '' };
}

type Step = { query: URLSearchParams; search: string; isGranted: boolean };

async function authorizing(site: Site, { cookie }: SiteRequest, { query, search, isGranted }: Step): Promise<WooAnswer> {
  const wrong = wrongIn(query);
  if (wrong !== null) return errorPage(wrong);
  if (!cookie.includes('wordpress_logged_in=1')) return { status: 302, headers: { location: `/wc-auth/v1/login/${search}` }, body: '' };
  if (site.host.user === 'customer') return errorPage('You do not have permission to access this page.');
  if (!isGranted) return approvePage(query, search);
  if (query.get('wc_auth_nonce') !== NONCE) return errorPage('Invalid nonce verification.');
  return granted(site, query);
}

function wrongIn(query: URLSearchParams): string | null {
  for (const name of ['app_name', 'user_id', 'return_url', 'callback_url', 'scope']) if ((query.get(name) ?? '') === '') return `Missing parameter ${name}.`;
  if (!['read', 'write', 'read_write'].includes(query.get('scope') ?? '')) return `Invalid scope ${query.get('scope')}.`;
  for (const name of ['return_url', 'callback_url']) {
    const url = query.get(name) ?? '';
    // They are decoded once more.
    if (!/^[\x21-\x7e]+$/.test(url) || /[%+]/.test(url) || !URL.canParse(url)) return `The ${url} is not a valid URL.`;
  }
  const isSecure = /^(https:|http:\/\/127\.0\.0\.1)/.test(query.get('callback_url') ?? '');
  return isSecure ? null : 'The callback_url needs to be over SSL.';
}

const errorPage = (words: string): WooAnswer => ({ status: 401, body: page('Error', `<p>Error: ${words}</p>`) });

function approvePage(query: URLSearchParams, search: string): WooAnswer {
  const approve = `/wc-auth/v1/access_granted/${search}&wc_auth_nonce=${NONCE}`.replaceAll('&', '&amp;');
  const deny = returnTo(query, '0').replaceAll('&', '&amp;');
  return { status: 200, body: page('orderbridge would like to connect', `<a href="${approve}">Approve</a> <a href="${deny}">Deny</a>`) };
}

function returnTo(query: URLSearchParams, success: string): string {
  const url = query.get('return_url') ?? '';
  return `${url}${url.includes('?') ? '&' : '?'}success=${success}&user_id=${query.get('user_id')}`;
}

/** Posts a new key while the browser waits; it is deleted unless that is answered with 200. */
async function granted({ host, keys }: Site, query: URLSearchParams): Promise<WooAnswer> {
  const hex = () => randomBytes(20).toString('hex');
  const [key, secret] = [`ck_${hex()}`, `cs_${hex()}`];
  const permissions = query.get('scope') === 'read' ? 'read' : 'read_write';
  keys.set(key, { secret, permissions, mayView: true });
  const body = JSON.stringify({
    ...{ key_id: keys.size, user_id: query.get('user_id'), consumer_key: key, consumer_secret: secret, key_permissions: permissions },
  });
  const status = await postTo(query.get('callback_url') ?? '', { body, home: host.home });
  host.handedOver.push({ key, status });
  if (status === 200) return { status: 302, headers: { location: returnTo(query, '1') }, body: '' };
  keys.delete(key);
  return errorPage('An error occurred in the request and at the time were unable to send the consumer data.');
}

/** Redirects are followed with method and body, the last answer counts. */
async function postTo(url: string, { body, home }: { body: string; home: string }): Promise<number | null> {
  const headers = { 'content-type': 'application/json;charset=UTF-8', 'user-agent': `WordPress/6.9.1; ${home}`, connection: 'close' };
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }).catch(() => null);
  const location = answer?.headers.get('location');
  if (answer !== null && location != null && answer.status < 400) return postTo(new URL(location, url).href, { body, home });
  return answer?.status ?? null;
}

/** What plugins and servers answer in place of a store that is closed for programs. */
export const closures = {
  firewall: { status: 403, body: '<h1>Forbidden</h1>' },
  challenge: { status: 403, headers: { 'cf-mitigated': 'challenge', 'cf-ray': '8a1b' }, body: '<title>Just a moment...</title>' },
  maintenance: { status: 503, headers: { 'retry-after': '600' }, body: '<h1>Briefly unavailable for scheduled maintenance.</h1>' },
  locked: { status: 401, headers: { 'www-authenticate': 'Basic' }, body: '<h1>Authorization Required</h1>' },
  broken: { status: 500, body: '<h1>Error establishing a database connection</h1>' },
  closed: wooProblem(401, 'rest_login_required', 'REST API restricted to authenticated users.'),
} as const satisfies Record<string, WooAnswer>;
