import { ownValue } from '../../../../src/contract/own-value.ts';
import { escaped, page } from './pages.ts';
import type { ShopifyAdmin } from './shopify-admin.ts';
import { covers, type ShopifyApp } from './shopify-app.ts';
import { signedQuery } from './signed-query.ts';

export type PageRequest = { method: string; uri: string; cookie: string; body: string };
export type PageAnswer = { status: number; headers?: Record<string, string>; body: string };

const SIGNED_IN = '_shopify_admin=1';

/**
 * The pages of a shop's administration that a merchant meets on their way: sign in, consent, and what leads to an app. Undefined: it is none of them.
 *
 *     /admin/oauth/authorize?client_id&scope&redirect_uri&state      the app sent them
 *     /admin/oauth/install?client_id                                 a link to install an app, or its page in the App Store
 *     /admin/apps/{client_id}                                        they open an app that is installed
 */
export function oauthPage(shop: ShopifyAdmin, request: PageRequest): PageAnswer | undefined {
  const { pathname, searchParams: query } = new URL(request.uri, 'http://any');
  if (pathname === '/admin/auth/login') return request.method === 'POST' ? signedIn(query) : loginPage(request);
  const opened = /^\/admin\/apps\/([^/]+)$/.exec(pathname)?.[1];
  const show = opened === undefined ? ownValue(steps, pathname) : openedApp;
  if (show === undefined) return undefined;
  const app = shop.apps.get(opened ?? query.get('client_id') ?? '');
  if (app === undefined) return oauthError('invalid_request: Could not find Shopify API application with that api_key');
  return refusal(shop, app, request) ?? show(shop, app, request);
}

type Show = (shop: ShopifyAdmin, app: ShopifyApp, request: PageRequest) => PageAnswer;

const steps: Readonly<Record<string, Show>> = { '/admin/oauth/authorize': authorize, '/admin/oauth/install': install };

function refusal({ state }: ShopifyAdmin, app: ShopifyApp, { uri, cookie }: PageRequest): PageAnswer | null {
  const callback = new URL(uri, 'http://any').searchParams.get('redirect_uri');
  if (uri.startsWith('/admin/oauth/authorize') && !app.redirectUrls.includes(callback ?? ''))
    return oauthError('invalid_request: The redirect_uri is not whitelisted');
  if (app.onlyShop !== null && app.onlyShop !== state.domain) return oauthError('This app can’t be installed on this store');
  if (!cookie.includes(SIGNED_IN)) return redirect(`/admin/auth/login?return_to=${encodeURIComponent(uri)}`);
  if (state.mayInstall) return null;
  return { status: 403, body: page('Permission denied', '<p>Your account can’t install apps. Ask the owner of the store.</p>') };
}

/** What an app asked for; with a managed installation only its configuration counts. */
function authorize(shop: ShopifyAdmin, app: ShopifyApp, request: PageRequest): PageAnswer {
  const query = new URL(request.uri, 'http://any').searchParams;
  const asked = app.managed ? app.scopes : (query.get('scope') ?? '').split(',').filter((scope) => scope !== '');
  const known = shop.grants.installations.get(app.clientId);
  if (known !== undefined && covers(known.scopes, shop.granted(asked))) return toCallback(shop, app, query);
  if (request.method !== 'POST') return consentPage(app, asked, request.uri);
  if (!isApproved(request)) return cancelled(shop, query);
  shop.grants.install(app.clientId, shop.granted([...(known?.scopes ?? []), ...asked]));
  return toCallback(shop, app, query);
}

/** Shopify asks by itself, or leaves that to the app. */
function install(shop: ShopifyAdmin, app: ShopifyApp, request: PageRequest): PageAnswer {
  const known = shop.grants.installations.get(app.clientId);
  if (!app.managed || (known !== undefined && covers(known.scopes, app.scopes))) return toApp(shop, app);
  if (request.method !== 'POST') return consentPage(app, app.scopes, request.uri);
  if (!isApproved(request)) return redirect('/admin');
  shop.grants.install(app.clientId, shop.granted(app.scopes));
  return toApp(shop, app);
}

function openedApp(shop: ShopifyAdmin, app: ShopifyApp): PageAnswer {
  return shop.grants.installations.has(app.clientId) ? toApp(shop, app) : { status: 404, body: page('Not found', '<p>The app is not installed.</p>') };
}

function toCallback(shop: ShopifyAdmin, app: ShopifyApp, query: URLSearchParams): PageAnswer {
  const code = shop.grants.newCode(app.clientId);
  return signedRedirect(query.get('redirect_uri') ?? '', app, { ...common(shop), code, state: query.get('state') ?? '' });
}

function toApp(shop: ShopifyAdmin, app: ShopifyApp): PageAnswer {
  const { applicationUrl } = app;
  if (!shop.state.signsAppQuery) return signedRedirect(applicationUrl, app, common(shop));
  return signedRedirect(withoutQuery(applicationUrl), app, { ...Object.fromEntries(new URL(applicationUrl).searchParams), ...common(shop) });
}

function common({ state }: ShopifyAdmin): Record<string, string> {
  const [name = ''] = state.domain.split('.');
  const host = Buffer.from(`admin.shopify.com/store/${name}`).toString('base64').replace(/=+$/, '');
  return { ...state.moreQuery, shop: state.domain, host, timestamp: String(Math.floor(state.now() / 1000)) };
}

function signedRedirect(address: string, app: ShopifyApp, parameters: Record<string, string>): PageAnswer {
  return redirect(`${address}${address.includes('?') ? '&' : '?'}${signedQuery(parameters, app.secret)}`);
}

function withoutQuery(address: string): string {
  return address.replace(/\?.*$/, '');
}

/** Whether the app hears of a no is not documented: both can be set. */
function cancelled({ state }: ShopifyAdmin, query: URLSearchParams): PageAnswer {
  if (state.cancelLeadsTo === 'admin') return redirect('/admin');
  const said = new URLSearchParams({ error: 'access_denied', state: query.get('state') ?? '' });
  return redirect(`${query.get('redirect_uri')}?${said}`);
}

function isApproved({ body }: PageRequest): boolean {
  return new URLSearchParams(body).get('answer') === 'approve';
}

function consentPage({ name }: ShopifyApp, scopes: readonly string[], uri: string): PageAnswer {
  const list = scopes.map((scope) => `<li>${escaped(scope)}</li>`).join('');
  const buttons = '<button name="answer" value="approve">Install</button> <button name="answer" value="cancel">Cancel</button>';
  return {
    status: 200,
    body: page(`Install ${escaped(name)}?`, `<p>It will be able to use:</p><ul>${list}</ul><form method="post" action="${escaped(uri)}">${buttons}</form>`),
  };
}

function loginPage({ uri }: PageRequest): PageAnswer {
  return {
    status: 200,
    body: page('Log in', `<form method="post" action="${escaped(uri)}"><label>Email <input name="email"></label><button>Log in</button></form>`),
  };
}

function signedIn(query: URLSearchParams): PageAnswer {
  const to = query.get('return_to') ?? '/admin';
  const cookie = `${SIGNED_IN}; Path=/; HttpOnly; SameSite=Lax`;
  return { status: 303, headers: { location: to.startsWith('/admin') ? to : '/admin', 'set-cookie': cookie }, body: '' };
}

function redirect(location: string): PageAnswer {
  return { status: 302, headers: { location }, body: '' };
}

function oauthError(words: string): PageAnswer {
  return { status: 400, body: page('Oauth error', `<p>Oauth error ${words}</p>`) };
}
