import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { cannotView, keyError, noRoute, type WooAnswer } from './woo-answer.ts';
import { createWooAuth, type WooKey } from './woo-auth.ts';
import { WooOrderNotes } from './woo-order-notes.ts';
import { ordersApi, withFields } from './woo-orders-api.ts';
import { settingsApi, systemSettings, usualSettings, type WooSettings } from './woo-settings.ts';
import { WooShopFloor } from './woo-shop-floor.ts';
import { type SiteHost, siteAnswer } from './woo-site.ts';
import { WooWebhooks } from './woo-webhooks.ts';

/** What may be changed while the store runs. */
export type WooHost = SiteHost & {
  /** The store takes requests as https, as behind a proxy that it believes; false: as http, where only OAuth counts. */
  tls: boolean;
  /** What answers where WordPress has no permalinks: nginx redirects to the address with a "/", Apache says 404. */
  webServer: 'nginx' | 'apache';
  stripsAuthorization: boolean;
  /** `GET refunds`, of WooCommerce 9 and later. */
  hasRefundsList: boolean;
  /** A plugin allows no larger pages than this. */
  mostPerPage: number;
  /** A plugin takes these orders out of each page, after it was counted. */
  leavesOut: (id: number) => boolean;
  /** Lists say how many pages they have; false: something in between takes that header away. */
  hasTotals: boolean;
  /** What the API’s own page lists. */
  namespaces: readonly string[];
  storeId: string;
  /** What `system_status` says of it; null: nothing, as to a key whose user may see orders alone. */
  version: string | null;
  settings: WooSettings;
  /** Hours that the store's local time is ahead of UTC: what an unmarked time in a query means. */
  utcOffsetHours: number;
  /**
   * Sees each request first: an answer in place of the store's (an outage, 429 with `retry-after`), or, by resolving later, a slow store. `handled`: the
   * store does all the same what was asked for, and its answer.
   */
  intercept: (request: { method: string; path: string; handled(): Promise<WooAnswer> }) => Promise<WooAnswer | undefined> | WooAnswer | undefined;
};

export type WooServer = AsyncDisposable & {
  url: string;
  /** Its orders, and what happens to them: buy, pay, setStatus, save, edit, refund, deleteRefund, trash, restore, deleteForGood, kept. */
  floor: WooShopFloor;
  /** `add` as the admin's form, `queue`, `runQueue()`, `deliver` in place of the network. */
  webhooks: WooWebhooks;
  notes: WooOrderNotes;
  host: WooHost;
  /** By consumer key; at first `ck_write`, `ck_read` and `ck_customer` (whose user may see no orders), each with the secret `cs_…`. */
  keys: Map<string, WooKey>;
  /** The access of a connection with one of these keys. */
  access(key?: 'write' | 'read' | 'customer'): { url: string; consumerKey: string; consumerSecret: string };
  /** All requests, in order; `path` with its query, keys and signatures left out. */
  asked: { method: string; path: string; authorization: string | null }[];
  /** What requests said of the page that they came from. */
  referers: string[];
  /** Nothing answers at its address any more, until it is there again. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
};

/** For WooCommerce's answers with every key. */
const FIRST_KEYS: [string, WooKey][] = [
  ['ck_write', { secret: 'cs_write', permissions: 'read_write', mayView: true }],
  ['ck_read', { secret: 'cs_read', permissions: 'read', mayView: true }],
  ['ck_customer', { secret: 'cs_customer', permissions: 'read_write', mayView: false }],
];

/**
 * A WooCommerce 10.5 on a free port of 127.0.0.1 that behaves as live stores were seen to: orders, refunds and webhooks by REST, keys, permalinks,
 * webhooks. Its clock is `now`. `WooHost` says what can be set, also while it runs:
 *
 *     await using store = await startWooServer({ now: () => clock.now });
 *     const order = store.floor.buy({ items: [{ cents: 1200, quantity: 2 }] });
 *     store.floor.refund(order.id, { cents: 1200 });
 *     store.webhooks.deliver = async (delivery, post) => (lost() ? null : post(delivery));
 *     await store.webhooks.runQueue();
 */
export async function startWooServer({ now, ...given }: { now(): number } & Partial<WooHost>): Promise<WooServer> {
  const asked: WooServer['asked'] = [];
  const referers: string[] = [];
  const keys = new Map(FIRST_KEYS);
  const floor: WooShopFloor = new WooShopFloor({ now, onEvent: (event) => webhooks.take(event) });
  const host: WooHost = {
    ...{ tls: true, permalinks: 'pretty', webServer: 'nginx', stripsAuthorization: false, hasRefundsList: true, home: '', utcOffsetHours: 2 },
    ...{ mostPerPage: 100, leavesOut: () => false, hasTotals: true },
    settings: usualSettings,
    ...{ hasLink: true, blocksUrls: false, user: 'manager', handedOver: [], namespaces: ['wp/v2', 'wc/v1', 'wc/v2', 'wc/v3'] },
    ...{ storeId: '7a3f0c1e-2f0b-4a57-9b0e-3d6f1c2b4a59', version: '10.5.0', intercept: () => undefined, ...given },
  };
  const webhooks = new WooWebhooks({ floor, now, home: () => host.home });
  const notes = new WooOrderNotes({ floor, now });
  const judge = createWooAuth(keys);
  const server = createServer(async (request, response) => {
    const { referer } = request.headers;
    if (referer !== undefined) referers.push(referer);
    const { status, headers, body } = await answerTo(request);
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    response.writeHead(status, { 'content-type': type, ...headers }).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const answerTo = async (request: IncomingMessage): Promise<WooAnswer> => {
    const { method = 'GET', url: uri = '/' } = request;
    const sent = host.stripsAuthorization ? null : (request.headers.authorization ?? null);
    asked.push({ method, path: withoutKeys(uri), authorization: sent });
    const body = await text(request);
    const handled = () => handle(request, { method, uri, sent, body });
    return (await host.intercept({ method, path: uri, handled })) ?? handled();
  };
  type Sent = { method: string; uri: string; sent: string | null; body: string };
  const handle = async (request: IncomingMessage, { method, uri, sent, body }: Sent): Promise<WooAnswer> => {
    const page = await siteAnswer({ host, keys }, { method, uri, cookie: request.headers.cookie ?? '', body });
    if (page !== undefined) return page;
    const routed = route(uri, host);
    if (typeof routed !== 'string') return routed;
    const query = new URL(uri, 'http://any').searchParams;
    if (routed === '') return { status: 200, body: withFields({ name: 'Corner', url: host.home, home: host.home, namespaces: host.namespaces }, query) };
    const refusal = judge({ method, uri, authorization: sent, tls: host.tls, home: host.home, now: now() });
    return refusal ?? (await restAnswer(routed, { method, query, body: body === '' ? null : JSON.parse(body) }));
  };
  const restAnswer = async (path: string, call: { method: string; query: URLSearchParams; body: unknown }): Promise<WooAnswer> => {
    if (path.startsWith('webhooks')) return webhooks.rest(call.method, path, call);
    const ofNotes = notes.rest(path, call);
    if (ofNotes !== undefined) return ofNotes;
    if (path === 'system_status') {
      if (host.version === null) return cannotView(403);
      const environment = { home_url: host.home, site_url: host.home, store_id: host.storeId, version: host.version, wp_version: '6.9.1' };
      return { status: 200, body: withFields({ environment, settings: systemSettings(host.settings) }, call.query) };
    }
    const setting = call.method === 'GET' ? settingsApi(host.settings, path, call.query) : undefined;
    if (setting !== undefined) return setting;
    return call.method === 'GET' ? ordersApi({ floor, ...host }, path, call.query) : savedByRest(floor, path, call.body);
  };
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const leave = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  host.home = given.home ?? url;
  return {
    ...{ url, floor, webhooks, notes, host, keys, asked, referers },
    access: (key = 'write') => ({ url, consumerKey: `ck_${key}`, consumerSecret: `cs_${key}` }),
    leave,
    comeBack: () => listen(port),
    [Symbol.asyncDispose]: leave,
  };
}

/** Where WordPress takes an address: the path below `wc/v3/`, '' for the API's own page, or what the web server answers in its place. */
function route(uri: string, { permalinks, webServer }: WooHost): string | WooAnswer {
  const { pathname, searchParams, search } = new URL(uri, 'http://any');
  const page: WooAnswer = { status: 200, body: '<!doctype html><title>Corner</title>' };
  const named = searchParams.get('rest_route');
  if (named !== null) return belowOf(named);
  const [, index, below] = /^(\/index\.php)?\/wp-json(\/.*)$/.exec(pathname) ?? [];
  if (below === undefined) return page;
  const isThere = permalinks === 'pretty' || (permalinks === 'index' && index !== undefined);
  if (isThere) return belowOf(below);
  if (webServer === 'apache') return { status: 404, body: '<h1>Not Found</h1>' };
  return below === '/' ? page : { status: 301, headers: { location: `${pathname}/${search}` }, body: '' };
}

function belowOf(path: string): string | WooAnswer {
  const [, below] = /^\/wc\/v3\/(.+)$/.exec(path) ?? [];
  return below ?? (path === '/' ? '' : noRoute);
}

function savedByRest(floor: WooShopFloor, path: string, body: unknown): WooAnswer {
  const [, id] = /^orders\/(\d+)$/.exec(path) ?? [];
  const order = id === undefined ? undefined : floor.orders.get(Number(id));
  if (order === undefined || typeof body !== 'object') return keyError('The stand-in saves single orders only.');
  const { status } = { status: undefined, ...body };
  if (typeof status === 'string') floor.setStatus(order.id, status);
  else floor.save(order.id);
  return { status: 200, body: order };
}

function withoutKeys(uri: string): string {
  const [path = '', search = ''] = uri.split('?');
  const kept = search.split('&').filter((each) => !/^(consumer_|oauth_)/.test(each));
  return kept.join('') === '' ? path : `${path}?${kept.join('&')}`;
}
