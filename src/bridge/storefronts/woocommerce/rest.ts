import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../../order/facts/failure.ts';
import type { StoreAccess, StoreAnswer, StoreMeans, StoreRequest } from '../contract.ts';
import { credentialOf } from '../credential-of.ts';
import { hmac } from '../hmac.ts';
import { type StoreDenial, StoreFailure } from '../store-failure.ts';
import { withoutEndSlashes } from '../store-host.ts';
import { wooCode } from './payload.ts';

/** What WooCommerce answers; `found` false: its own word that there is nothing of this id. */
type Found = { found: true; body: unknown } | { found: false };

/**
 * A store's REST API. `find` and `get` throw `Failure('storefront.unreachable')`, or `storefront.refused` if the key is refused, with words that say
 * what to do.
 */
export type Rest = {
  call(call: RestCall): Promise<TriedCall>;
  find(call: RestCall | string): Promise<Found>;
  /** What is always there, such as a list. */
  get(path: string): Promise<unknown>;
  /** As `get`; `pages`: how many pages the list has, if the store says it. */
  list(path: string): Promise<{ body: unknown; pages: number | undefined }>;
  /** A parameter that changes, for lists: a cache in between must not answer with an older one. */
  uncached: string;
};

export function restOf(access: StoreAccess, means: RestMeans): Rest {
  const call = (given: RestCall) => callRest(access, given, means);
  const find = async (given: RestCall | string): Promise<Found> => {
    const asked = typeof given === 'string' ? { path: given } : given;
    const tried = await call(asked);
    const { status, body } = tried.answer;
    if (status === 200 || status === 201) return { found: true, body };
    if (status === 404 && isGone(body)) return { found: false };
    throw restFailure(access, tried, asked.method);
  };
  const list = async (path: string) => {
    const tried = await call({ path });
    const { status, body, totalPages: pages } = tried.answer;
    if (status === 200) return { body, pages };
    throw restFailure(access, tried);
  };
  const get = async (path: string) => (await list(path)).body;
  return { call, find, get, list, uncached: `_=${means.now}` };
}

// A wrong address answers 404 too; only WooCommerce's own error code means that it is gone.
function isGone(body: unknown): boolean {
  return /^woocommerce_rest_.*invalid_.*id$/.test(wooCode(body) ?? '');
}

/** How requests are sent, and when (ms since 1970). */
type RestMeans = Pick<StoreMeans, 'fetchJson' | 'now'>;

type Calling = { access: StoreAccess; call: RestCall; means: RestMeans };

/**
 * Calls the REST API by the way that worked before, else by each that the answers suggest: five requests at most. The answer, of any status, is
 * that of the way that works; if none does, the one that says most. Throws what `fetchJson` throws.
 */
function callRest(access: StoreAccess, call: RestCall, means: RestMeans): Promise<TriedCall> {
  return callBy({ access, call, means }, knownStore(access.url).way ?? firstWay, []);
}

async function callBy(calling: Calling, way: RestAddress, before: readonly TriedCall[]): Promise<TriedCall> {
  const { access, call, means } = calling;
  const home = way.auth === 'oauth' ? await homeOf(calling, way) : access.url;
  const request = restRequest(access, call, { way, home, now: means.now });
  const last: TriedCall = { way, sent: request.url, answer: await means.fetchJson(request) };
  const tried = [...before, last];
  const next = nextWay(access, tried, last);
  if (next !== null) return await callBy(calling, next, tried);
  const [first = last] = tried;
  // Where nothing is found by any path, the usual one shows why.
  if (isNoApi(last)) return first;
  if (last.answer.status < 300) learn(access.url, way.auth === 'oauth' ? { way, home } : { way });
  return last;
}

async function homeOf({ access, means }: Calling, { path }: RestAddress): Promise<string> {
  const { home } = knownStore(access.url);
  if (home !== undefined) return home;
  const { status, body } = await means.fetchJson(indexRequest(access, path));
  return (status === 200 ? homeIn(body) : null) ?? access.url;
}

/** A call of the REST API, version v3. `path`: below `wc/v3/`, with its query. */
type RestCall = { path: string; method?: 'POST' | 'PUT' | 'DELETE'; body?: unknown };

/** `home`: the store's home URL, of which signatures are made. `now`: ms since 1970. */
type Sent = { way: RestAddress; home: string; now: number };

/** The request of a call. Throws `Failure('storefront.refused')` if the connection lacks a part of the key. */
function restRequest(access: StoreAccess, { path, ...rest }: RestCall, { way, home, now }: Sent): StoreRequest {
  const key = credentialOf(access, 'consumerKey');
  const secret = credentialOf(access, 'consumerSecret');
  const url = addressOf(access, way.path, path);
  if (way.auth === 'basic') return { ...rest, url, authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}` };
  if (way.auth === 'query')
    return { ...rest, url: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams({ consumer_key: key, consumer_secret: secret }).toString()}` };
  const { origin, pathname, searchParams } = new URL(url);
  const query = oauthQuery({ key, secret }, { method: rest.method ?? 'GET', address: signedAddress(home, pathname), query: [...searchParams], now });
  // WooCommerce looks for this very text in the address, which the signature's encoding hides.
  return { ...rest, url: `${origin}${pathname}?${query.replaceAll('wp-json%2Fwc%2F', 'wp-json/wc/')}` };
}

/** The API's own page, which needs no key: what the site is called, and where it is. */
export function indexRequest({ url }: StoreAccess, path: RestAddress['path']): StoreRequest {
  const base = withoutEndSlashes(url);
  return { url: path === 'plain' ? `${base}/?rest_route=/&_fields=home` : `${base}${prefixes[path]}/?_fields=home` };
}

const prefixes = { pretty: '/wp-json', index: '/index.php/wp-json' } as const;

// Keys count only in an address that contains "wp-json/wc/", whatever route it names.
function addressOf({ url }: StoreAccess, by: RestAddress['path'], path: string): string {
  const base = withoutEndSlashes(url);
  if (by !== 'plain') return `${base}${prefixes[by]}/wc/v3/${path}`;
  const [route = '', query] = path.split('?');
  return `${base}/?rest_route=/wc/v3/${route}${query === undefined ? '' : `&${query}`}&x=wp-json/wc/`;
}

/** The store signs http, its home URL's host and port, and the path below it; that of the home page ends without a slash. */
function signedAddress(home: string, pathname: string): string {
  const { host, pathname: homePath } = new URL(home);
  const root = `${withoutEndSlashes(homePath)}/`;
  const below = pathname.startsWith(root) ? pathname.slice(root.length) : pathname.slice(1);
  return `http://${host}${root}${below}`.replace(/\/$/, '');
}

/** A request to be signed: its method, the address that the store takes it for, and the query. `now`: ms since 1970. */
type Signable = { method: string; address: string; query: readonly (readonly [string, string])[]; now: number };

/**
 * The query with the parameters of OAuth 1.0a: one-legged (no token), HMAC-SHA256. Bodies that are not forms are not signed.
 * The libraries for it have been still for years, and bring flows with tokens; this is RFC 5849, 3.4, without those.
 */
function oauthQuery({ key, secret }: { key: string; secret: string }, { method, address, query, now }: Signable): string {
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

/**
 * How a store's REST API is reached. `path`: by its permalinks; with “Plain” ones as a parameter. `auth`: the key in the header, in the query (for
 * hosts that take the header away), or as a signature (where the store sees http, it looks at nothing else).
 */
export type RestAddress = { path: 'pretty' | 'index' | 'plain'; auth: 'basic' | 'query' | 'oauth' };

/** A request that was answered. `sent`: its address, which may hold the key. */
export type TriedCall = { way: RestAddress; sent: string; answer: StoreAnswer };

const firstWay: RestAddress = { path: 'pretty', auth: 'basic' };

const paths: readonly RestAddress['path'][] = ['pretty', 'index', 'plain'];

// A key in the query ends up in logs, and over http everybody on the way can read it.
function authsOf({ url }: StoreAccess): readonly RestAddress['auth'][] {
  return /^https:/i.test(url) ? ['basic', 'query'] : ['basic', 'oauth'];
}

/** The next way that may work, by the answer to the last one; null: that one works, or none is left. */
function nextWay(access: StoreAccess, tried: readonly TriedCall[], last: TriedCall): RestAddress | null {
  const path = paths.find((one) => tried.every(({ way }) => way.path !== one));
  const auth = authsOf(access).find((one) => tried.every(({ way }) => way.auth !== one));
  if (isNoApi(last)) return path === undefined ? null : { ...last.way, path };
  return auth === undefined || !isNotConsidered(last.answer) ? null : { ...last.way, auth };
}

/** What answered is not the REST API: a page of the shop, the web server, or a redirect that only adds a "/" (nginx with plain permalinks). */
export function isNoApi({ sent, answer }: Pick<TriedCall, 'sent' | 'answer'>): boolean {
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
export function redirectOrigin({ sent, answer: { status, location } }: Pick<TriedCall, 'sent' | 'answer'>): string | null {
  return isRedirect(status) && location !== undefined ? (URL.parse(location, sent)?.origin ?? null) : null;
}

/** The store looked at no key, or knows none such. A wrong secret, or one that may not write, is an error of another name. */
export function isNotConsidered({ status, body }: StoreAnswer): boolean {
  return status === 401 && /^woocommerce_rest_cannot_|^invalid_username$/.test(wooCode(body) ?? '');
}

const MAKE_ONE = 'under WooCommerce → Settings → Advanced → REST API, and give it with `orderbridge reconnect`';
const NEW_ADDRESS = '`orderbridge reconnect CONNECTION --store-url`';
const PRETTY = 'choose any but “Plain” under Settings → Permalinks';

/** An answer that is no answer to the call, in words that say what to do. They hold nothing of the address that was called: the key may be in it. */
export function restFailure(access: StoreAccess, tried: TriedCall, method = 'GET'): Failure {
  const { status } = tried.answer;
  const code = isRefused(status) ? 'storefront.refused' : 'storefront.unreachable';
  const words = `the store answered ${status}: ${isRefused(status) ? refusal(access, tried.answer, method) : todo(tried)}`;
  return new StoreFailure(code, words, isRefused(status) ? denialOf(tried.answer) : null);
}

function isRefused(status: number): boolean {
  return status === 401 || status === 403;
}

/** What is not WooCommerce’s own answer came from before it: it says nothing of the key. */
function denialOf({ body }: StoreAnswer): StoreDenial {
  return wooCode(body) === null ? 'blocked' : 'key';
}

function refusal({ url }: StoreAccess, answer: StoreAnswer, method: string): string {
  if (wooCode(answer.body) === null) return 'a firewall, a password or a security plugin is before its REST API; let /wp-json/wc/ through';
  if (answer.status === 403) return `its REST key is refused, as the user of the key may not see orders; make one of a shop manager ${MAKE_ONE}`;
  if (isNotConsidered(answer) && /^http:/i.test(url))
    return `its REST key is refused or not looked at, because it is called over http://; give its https:// address with ${NEW_ADDRESS}, or a new key with \`orderbridge reconnect\``;
  if (method !== 'GET') return `its REST key may only read; make one with Read/Write rights ${MAKE_ONE}`;
  return `its REST key is refused; make one with read rights ${MAKE_ONE}`;
}

function todo({ sent, answer }: TriedCall): string {
  const { status, body, location } = answer;
  if (onlyAddsSlash(sent, answer)) return `its permalinks are “Plain”; ${PRETTY} in the store, or check the store’s URL`;
  if (isRedirect(status)) return `its address redirects${whereTo(sent, location)}; give the final one (https, with or without www) with ${NEW_ADDRESS}`;
  if (status === 404) return 'no WooCommerce REST API at this address; check the store’s URL, and that permalinks are not set to “Plain”';
  if (status === 400) return `it does not take the request (${/^\w{1,80}$/.exec(wooCode(body) ?? '')?.[0] ?? 'for no reason that it names'})`;
  return 'it is called again later; look at the store’s own log if it lasts';
}

/** The host alone: redirects repeat the query, and keys may be in that. */
function whereTo(sent: string, location: string | undefined): string {
  const to = location === undefined ? null : URL.parse(location, sent);
  return to === null ? '' : ` to ${to.origin}`;
}

/** A body of the REST API by its schema. Throws `Failure('storefront.unreachable')` with the places that are not as expected. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.map(String).join('.') || 'the body').join(', ');
  throw new Failure('storefront.unreachable', `the store’s answer is not WooCommerce’s (${where}); check its URL and its security plugins`, {
    cause: parsed.error,
  });
}

/** What was learned of a store by calling it. `home`: its home URL; absent: not asked for yet. `hasNoRefundsList`: it is older than WooCommerce 9. */
type KnownStore = { way?: RestAddress; home?: string; hasNoRefundsList?: true };

const MOST = 1_000;

// By the address of the API, in this process: each learns it again by one or two requests more.
const known = new Map<string, KnownStore>();

export function knownStore(url: string): KnownStore {
  return known.get(url) ?? {};
}

export function learn(url: string, news: KnownStore): void {
  const { value: oldest } = known.keys().next();
  if (!known.has(url) && known.size >= MOST && oldest !== undefined) known.delete(oldest);
  known.set(url, { ...known.get(url), ...news });
}

const address = z.string().regex(/^https?:\/\/[^/]/i);
const index = z.object({ home: address }).transform(({ home }) => home);
const systemStatus = z.object({ environment: z.object({ home_url: address }) }).transform(({ environment }) => environment.home_url);

/** The home URL that the API's own page or the system status names, as webhooks do: without a slash at its end. Null: neither. */
export function homeIn(body: unknown): string | null {
  const found = z.union([index, systemStatus]).safeParse(body);
  return found.success && URL.canParse(found.data) ? withoutEndSlashes(found.data) : null;
}

const storeIdentity = z.object({ environment: z.object({ store_id: z.string().min(1).max(100) }) });

/** The UUID that WooCommerce gave the store at its installation; a move to another address does not change it. Null: the store does not say it. */
export async function identify(access: StoreAccess, means: RestMeans): Promise<string | null> {
  const { answer } = await callRest(access, { path: 'system_status?_fields=environment' }, means);
  const parsed = storeIdentity.safeParse(answer.body);
  return answer.status === 200 && parsed.success ? parsed.data.environment.store_id : null;
}

/** The home URL, as webhooks name their store. A key that may not see the system status still finds it on the API's own page. */
export async function storeName(access: StoreAccess, means: RestMeans): Promise<string> {
  const tried = await callRest(access, { path: 'system_status?_fields=environment' }, means);
  const named = tried.answer.status === 200 ? homeIn(tried.answer.body) : null;
  if (named !== null) return named;
  const { status, body } = await means.fetchJson(indexRequest(access, tried.way.path));
  const home = status === 200 ? homeIn(body) : null;
  if (home !== null) return home;
  throw restFailure(access, tried);
}
