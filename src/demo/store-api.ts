import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { StoreAccess } from '../bridge/storefronts/contract.ts';
import type { DemoStore } from './demo-stores.ts';

export type DemoStoreApi = AsyncDisposable & {
  access: StoreAccess;
  /** The store has webhooks that go there. */
  deliverTo(address: string): void;
};

type Fields = Record<string, unknown>;
/** All of one home: what is connected by the API has one address. */
type ApiStore = Pick<DemoStore, 'stories' | 'crowd' | 'store'>;
type Shop = { home: string; orders: ReadonlyMap<string, Order>; webhooks: Fields[] };
/** `body`: as it is now. */
type Order = { body: Fields; refunds: readonly object[] };

const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'];
const NO_ROUTE = { status: 404, body: { code: 'rest_no_route', message: 'No route was found.', data: { status: 404 } } };
const NO_ORDER = { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } } };
/** As a store that may be written to refuses a webhook without a topic. */
const NOT_TAKEN = { status: 400, body: { code: 'woocommerce_rest_invalid_webhook_topic', message: 'Webhook topic must be valid.', data: { status: 400 } } };

/** The part of WooCommerce's REST API that lists and shows orders, their refunds and the webhooks, on a free local port. */
export async function startStoreApi(stores: readonly ApiStore[]): Promise<DemoStoreApi> {
  const [consumerKey, consumerSecret] = [`ck_${randomBytes(20).toString('hex')}`, `cs_${randomBytes(20).toString('hex')}`];
  const expected = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  const shop: Shop = { home: stores[0]?.store ?? '', orders: new Map(stores.flatMap(ordersOf)), webhooks: [] };
  const server = createServer(({ headers, method = '', url = '' }, response) => {
    const known = headers.authorization === expected;
    const { status, body } = known
      ? answer(shop, method, new URL(url, 'http://store'))
      : { status: 401, body: { code: 'woocommerce_rest_cannot_view', message: 'Unknown key.', data: { status: 401 } } };
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', 'x-wp-totalpages': '1' }).end(JSON.stringify(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    access: { url: `http://127.0.0.1:${port}`, consumerKey, consumerSecret },
    deliverTo: (delivery_url) => {
      shop.webhooks = TOPICS.map((topic, index) => ({ id: index + 1, topic, delivery_url, status: 'active', date_modified_gmt: null }));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function ordersOf({ stories, crowd }: Pick<DemoStore, 'stories' | 'crowd'>): [string, Order][] {
  const entries = stories.flatMap(({ webhooks, storeRefunds = [] }): [string, Order][] => {
    const newest = webhooks.findLast(({ topic }) => topic !== 'order.deleted')?.body;
    return newest === undefined ? [] : [entry(newest, storeRefunds)];
  });
  return [...entries, ...(crowd?.webhooks ?? []).map(({ body }) => entry(body, []))];
}

function entry(order: object, refunds: readonly object[]): [string, Order] {
  const body: Fields = { ...order };
  return [String(body['id']), { body, refunds }];
}

function answer({ home, orders, webhooks }: Shop, method: string, { pathname, searchParams }: URL): { status: number; body: unknown } {
  if (method !== 'GET') return NOT_TAKEN;
  if (pathname === '/wp-json/wc/v3/system_status') return { status: 200, body: { environment: { home_url: home } } };
  if (pathname === '/wp-json/wc/v3/webhooks') return { status: 200, body: webhooks };
  if (pathname === '/wp-json/wc/v3/orders') return { status: 200, body: listed(orders, searchParams) };
  const [, id = '', refunds] = /^\/wp-json\/wc\/v3\/orders\/(\d+)(\/refunds)?$/.exec(pathname) ?? [];
  const order = orders.get(id);
  if (order === undefined) return id === '' ? NO_ROUTE : refunds === undefined ? NO_ORDER : { status: 200, body: [] };
  return { status: 200, body: refunds === undefined ? order.body : order.refunds };
}

/** All fit into one page, and none is in the trash. */
function listed(orders: Shop['orders'], wanted: URLSearchParams): Fields[] {
  if (wanted.get('status') === 'trash' || (wanted.get('page') ?? '1') !== '1') return [];
  const included = wanted.get('include')?.split(',');
  const after = wanted.get('modified_after') ?? '';
  return [...orders.values()]
    .map(({ body }) => body)
    .filter((body) => included?.includes(String(body['id'])) ?? modified(body) > after)
    .sort((a, b) => (modified(a) < modified(b) ? -1 : 1));
}

function modified(body: Fields): string {
  return String(body['date_modified_gmt']);
}
