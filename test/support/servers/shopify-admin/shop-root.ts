import type { ShopOrder } from './shop-order.ts';
import type { ShopifyAdmin, ShopWebhook } from './shopify-admin.ts';
import { connection, gid, isJson, type Json, type StoredOrder, toGraphql, toGraphqlRefund } from './to-graphql.ts';

const SIXTY_DAYS_MS = 60 * 24 * 3_600_000;
/** Pages end here. */
const DEEPEST = 25_000;

/** The root of every query and mutation. */
export function rootOf(shop: ShopifyAdmin): Json {
  const node = ({ id }: { id: string }) =>
    nodeOf(
      visibleOrders(shop).map(({ stored }) => stored),
      id,
    );
  return {
    shop: { __typename: 'Shop', id: gid('Shop', 77), myshopifyDomain: shop.state.domain, ianaTimezone: shop.state.timeZone },
    currentAppInstallation: { accessScopes: shop.state.scopes.map((handle) => ({ handle })) },
    node,
    nodes: ({ ids }: { ids: string[] }) => ids.map((id) => node({ id })),
    orders: (args: OrdersArgs) => ordersOf(shop, args),
    webhookSubscriptions: (args: { first?: number; after?: string }) => connection(shop.webhooks.filter(({ byHand }) => !byHand).map(webhookOf), args),
    webhookSubscriptionCreate: (args: CreateArgs) => create(shop, args),
    webhookSubscriptionDelete: ({ id }: { id: string }) => remove(shop, id),
  };
}

type OrdersArgs = { first?: number; after?: string | null; query?: string };

/** Sorted by the time of change and the id, as the search index has them; a cursor says where a page ended. */
function ordersOf(shop: ShopifyAdmin, { first = 10, after = null, query = '' }: OrdersArgs): Json {
  const since = Date.parse(/updated_at:>='([^']+)'/.exec(query)?.[1] ?? '1970-01-01T00:00:00Z');
  const indexedUntil = shop.state.now() - shop.state.lagMs;
  const from = after === null ? { at: since, id: 0, nth: 0 } : cursor(after);
  const all = visibleOrders(shop)
    .filter(({ changedAt }) => changedAt >= since && changedAt <= indexedUntil)
    .toSorted((a, b) => a.changedAt - b.changedAt || Number(a.id) - Number(b.id))
    .filter(({ changedAt, id }) => after === null || changedAt > from.at || (changedAt === from.at && Number(id) > from.id));
  if (from.nth >= DEEPEST) throw new Error('pages end at 25,000 objects');
  const page = all.slice(0, first);
  const last = page.at(-1);
  const endCursor = last === undefined ? null : btoa(JSON.stringify({ at: last.changedAt, id: Number(last.id), nth: from.nth + page.length }));
  return { nodes: page.map(({ stored }) => toGraphql(stored)), pageInfo: { hasNextPage: all.length > page.length, endCursor } };
}

function cursor(after: string): { at: number; id: number; nth: number } {
  const read: unknown = JSON.parse(atob(after));
  if (!isJson(read)) throw new Error('an invalid cursor');
  return { at: Number(read['at']), id: Number(read['id']), nth: Number(read['nth']) };
}

function visibleOrders({ state, orders }: ShopifyAdmin): ShopOrder[] {
  const all = state.scopes.includes('read_all_orders');
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

type CreateArgs = { topic: string; webhookSubscription: { uri: string } };

function create(shop: ShopifyAdmin, { topic, webhookSubscription: { uri } }: CreateArgs): Json {
  const name = topicName(topic);
  const isTaken = shop.webhooks.some((one) => !one.byHand && one.topic === name && one.uri === uri);
  if (isTaken) return { webhookSubscription: null, userErrors: [{ message: 'Address for this topic has already been taken' }] };
  if (!URL.canParse(uri)) return { webhookSubscription: null, userErrors: [{ message: 'Address is invalid' }] };
  const made = { id: gid('WebhookSubscription', 1 + shop.webhooks.length + shop.asked.length * 100), topic: name, uri, failures: 0, byHand: false, secret: '' };
  shop.webhooks.push(made);
  return { webhookSubscription: webhookOf(made), userErrors: [] };
}

function remove({ webhooks }: ShopifyAdmin, id: string): Json {
  const at = webhooks.findIndex((one) => one.id === id);
  if (at < 0) return { deletedWebhookSubscriptionId: null, userErrors: [{ message: 'Webhook subscription does not exist' }] };
  webhooks.splice(at, 1);
  return { deletedWebhookSubscriptionId: id, userErrors: [] };
}

function webhookOf({ id, topic, uri }: ShopWebhook): Json {
  return { __typename: 'WebhookSubscription', id, uri, topic: topic.toUpperCase().replace('/', '_') };
}

/** "ORDER_TRANSACTIONS_CREATE" → "order_transactions/create". */
function topicName(topic: string): string {
  return topic.toLowerCase().replace(/_([a-z]+)$/, '/$1');
}
