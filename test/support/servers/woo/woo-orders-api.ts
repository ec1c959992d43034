import { badParameter, noRoute, notFound, type WooAnswer } from './woo-answer.ts';
import type { WooOrderBody, WooRefundBody } from './woo-bodies.ts';
import type { WooShopFloor } from './woo-shop-floor.ts';

export type OrdersApi = {
  floor: WooShopFloor;
  hasRefundsList: boolean;
  utcOffsetHours: number;
  mostPerPage: number;
  leavesOut(id: number): boolean;
  hasTotals: boolean;
};

type Listed = { id: number; date_created_gmt: string; date_modified_gmt: string };

const STATUSES = ['any', 'trash', 'auto-draft', 'checkout-draft', 'pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed'];
const ORDER_BYS = ['date', 'id', 'include', 'title', 'slug', 'modified'];
const SHOWN_WITH_DECIMALS = new Set(['total', 'total_tax', 'subtotal', 'subtotal_tax']);

/** `GET orders…` and `GET refunds`: lists drift, `modified_after` is exclusive and in whole seconds, trash is a list of its own. */
export function ordersApi(api: OrdersApi, path: string, query: URLSearchParams): WooAnswer {
  if (path === 'orders') return listOrders(api, query);
  if (path === 'refunds') return api.hasRefundsList ? list([...api.floor.refunds.values()], query, api).answer(shownRefund) : noRoute;
  const [, id, below] = /^orders\/(\d+)(\/refunds)?$/.exec(path) ?? [];
  if (id === undefined) return noRoute;
  const order = api.floor.orders.get(Number(id));
  // An empty list of refunds does not prove that there is such an order.
  if (below !== undefined) return list(refundsOf(api, Number(id)), query, api).answer(shownRefund);
  return order === undefined ? notFound('shop_order') : { status: 200, body: withFields(withDecimals(order, query.get('dp')), query) };
}

function listOrders(api: OrdersApi, query: URLSearchParams): WooAnswer {
  const wanted = (query.get('status') ?? 'any').split(',');
  const all = [...api.floor.orders.values()];
  const isKnown = (wantedStatus: string) => STATUSES.includes(wantedStatus) || all.some(({ status }) => status === wantedStatus);
  if (!wanted.every(isKnown)) return badParameter('status');
  const isWanted = ({ status }: WooOrderBody) => (wanted.includes('any') ? status !== 'trash' && status !== 'auto-draft' : wanted.includes(status));
  return list(all.filter(isWanted), query, api).answer((order) => withDecimals(order, query.get('dp')));
}

function refundsOf({ floor }: OrdersApi, id: number): WooRefundBody[] {
  return [...floor.refunds.values()].filter(({ parent_id }) => parent_id === id);
}

function shownRefund({ date_modified_gmt: _unseen, ...refund }: WooRefundBody): unknown {
  return refund;
}

/** `problem` in place of a page, if a parameter is wrong. */
function list<Item extends Listed>(all: readonly Item[], query: URLSearchParams, { utcOffsetHours, mostPerPage, leavesOut, hasTotals }: OrdersApi) {
  const wantedSize = Number(query.get('per_page') ?? 10);
  const size = Math.min(wantedSize, mostPerPage);
  const page = Number(query.get('page') ?? 1);
  const bounds = { after: boundOf(query, 'modified_after', utcOffsetHours), before: boundOf(query, 'modified_before', utcOffsetHours) };
  const problem = problemOf(query, { size: wantedSize, page, bounds: Object.values(bounds) });
  const included = query.get('include')?.split(',').map(Number);
  const include = included === undefined ? undefined : new Set(included);
  const { after, before } = bounds;
  const isChosen = ({ id, date_modified_gmt: at }: Item) =>
    (include === undefined || include.has(id)) && (after === null || at > after) && (before === null || at < before);
  const orderBy = query.get('orderby');
  const key = ({ date_created_gmt, date_modified_gmt }: Item) => (orderBy === 'id' ? '' : orderBy === 'modified' ? date_modified_gmt : date_created_gmt);
  const keyed = all.filter(isChosen).map((item) => ({ item, key: key(item) }));
  const ascending = keyed.sort((a, b) => (a.key === b.key ? a.item.id - b.item.id : a.key < b.key ? -1 : 1)).map(({ item }) => item);
  const sorted = query.get('order') === 'asc' ? ascending : ascending.toReversed();
  const totals = { 'x-wp-total': String(sorted.length), 'x-wp-totalpages': String(Math.ceil(sorted.length / size)) };
  const shownPage = sorted.slice((page - 1) * size, page * size).filter(({ id }) => !leavesOut(id));
  return {
    answer: (shown: (item: Item) => unknown): WooAnswer =>
      problem ?? { status: 200, headers: hasTotals ? totals : {}, body: shownPage.map((item) => withFields(shown(item), query)) },
  };
}

function problemOf(query: URLSearchParams, { size, page, bounds }: { size: number; page: number; bounds: (string | null)[] }): WooAnswer | null {
  if (!Number.isInteger(size) || size < 1 || size > 100) return badParameter('per_page');
  if (!Number.isInteger(page) || page < 1) return badParameter('page');
  if (!ORDER_BYS.includes(query.get('orderby') ?? 'date')) return badParameter('orderby');
  return bounds.includes('bad') ? badParameter('modified_after') : null;
}

/** Without a zone and `dates_are_gmt` it is the store's local time. */
function boundOf(query: URLSearchParams, name: string, utcOffsetHours: number): string | null {
  const given = query.get(name);
  if (given === null) return null;
  const isLocal = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(given);
  const ms = Date.parse(isLocal ? `${given}Z` : given) - (isLocal && query.get('dates_are_gmt') !== 'true' ? utcOffsetHours * 3_600_000 : 0);
  return Number.isNaN(ms) ? 'bad' : new Date(ms).toISOString().slice(0, 19);
}

export function withFields(body: unknown, query: URLSearchParams): unknown {
  const fields = query.get('_fields')?.split(',');
  if (fields === undefined || typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.includes(name)));
}

function withDecimals(value: unknown, dp: string | null): unknown {
  if (dp === null) return value;
  return JSON.parse(JSON.stringify(value), (name, each) =>
    SHOWN_WITH_DECIMALS.has(name) && typeof each === 'string' && each !== '' ? Number(each).toFixed(Number(dp)) : each,
  );
}
