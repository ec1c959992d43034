import { isJson, type Json } from './json.ts';
import type { Caller } from './serve-admin.ts';
import type { ShopOrder } from './shop-order.ts';
import type { ShopifyAdmin } from './shopify-admin.ts';
import { gid, type StoredOrder, toGraphql, toGraphqlRefund } from './to-graphql.ts';

const SIXTY_DAYS_MS = 60 * 24 * 3_600_000;
/** Pages end here. */
const DEEPEST = 25_000;

type CreateArgs = Parameters<ShopifyAdmin['subscriptions']['create']>[1];

/** The root of every query and mutation of this app. */
export function rootOf(shop: ShopifyAdmin, caller: Caller): Json {
  const { state, subscriptions } = shop;
  const node = ({ id }: { id: string }) =>
    nodeOf(
      visibleOrders(shop, caller).map(({ stored }) => stored),
      id,
    );
  return {
    shop: {
      ...{ __typename: 'Shop', id: gid('Shop', state.id), myshopifyDomain: state.domain, ianaTimezone: state.timeZone },
      ...{ name: state.name, currencyCode: state.currency, taxesIncluded: state.taxesIncluded },
    },
    currentAppInstallation: { accessScopes: caller.scopes.map((handle) => ({ handle })) },
    node,
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => node({ id })),
    orders: (args: OrdersArgs) => ordersOf(shop, caller, args),
    webhookSubscriptions: (args: { first?: number; after?: string }) => subscriptions.page(caller, args),
    webhookSubscriptionCreate: (args: CreateArgs) => subscriptions.create(caller, args),
    webhookSubscriptionDelete: ({ id }: { id: string }) => subscriptions.remove(caller, id),
  };
}

type OrdersArgs = { first?: number; after?: string | null; query?: string; sortKey?: string; reverse?: boolean };

/** Sorted by the time of change or creation, and the id, as the search index has them; a cursor says where a page ended. */
function ordersOf(shop: ShopifyAdmin, caller: Caller, { first = 10, after = null, query = '', sortKey, reverse = false }: OrdersArgs): Json {
  const [, field, instant = '1970-01-01T00:00:00Z'] = /(updated_at|created_at):>='([^']+)'/.exec(query) ?? [];
  const [since, sign] = [Date.parse(instant), reverse ? -1 : 1];
  const timeOf = (order: ShopOrder) => (sortKey === 'CREATED_AT' || field === 'created_at' ? wholeSecond(order.createdAt) : order.changedAt);
  const indexedUntil = shop.state.now() - shop.state.lagMs;
  const from = after === null ? { at: since, id: 0, nth: 0 } : cursor(after);
  const all = visibleOrders(shop, caller)
    .filter((order) => timeOf(order) >= since && order.changedAt <= indexedUntil)
    .toSorted((a, b) => sign * (timeOf(a) - timeOf(b) || Number(a.id) - Number(b.id)))
    .filter((order) => after === null || sign * (timeOf(order) - from.at || Number(order.id) - from.id) > 0);
  if (from.nth >= DEEPEST) throw new Error('pages end at 25,000 objects');
  const page = all.slice(0, first);
  const last = page.at(-1);
  const endCursor = last === undefined ? null : btoa(JSON.stringify({ at: timeOf(last), id: Number(last.id), nth: from.nth + page.length }));
  return { nodes: page.map(({ stored }) => toGraphql(stored)), pageInfo: { hasNextPage: all.length > page.length, endCursor } };
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function cursor(after: string): { at: number; id: number; nth: number } {
  const read: unknown = JSON.parse(atob(after));
  if (!isJson(read)) throw new Error('an invalid cursor');
  return { at: Number(read['at']), id: Number(read['id']), nth: Number(read['nth']) };
}

function visibleOrders({ state, orders }: ShopifyAdmin, { scopes }: Caller): ShopOrder[] {
  const all = scopes.includes('read_all_orders');
  return [...orders.values()].filter(({ createdAt }) => all || state.now() - createdAt < SIXTY_DAYS_MS);
}

/** The order or refund of that id. */
export function nodeOf(orders: readonly StoredOrder[], id: string): Json | null {
  for (const stored of orders) {
    if (gid('Order', stored.body['id']) === id) return toGraphql(stored);
    const refunds = stored.body['refunds'];
    const refund = Array.isArray(refunds) ? refunds.find((one) => gid('Refund', one.id) === id) : undefined;
    if (refund !== undefined) return toGraphqlRefund(refund, stored);
  }
  return null;
}
