import type { z } from 'zod';
import { plainWords } from '../../../contract/plain-words.ts';
import type { OrderNews } from '../../order/facts/facts.ts';
import { testMoney, testNumber } from '../amounts.ts';
import { connectOptions } from '../connect-options.ts';
import type { Delivery, Envelope, Normalized, Remains, Storefront, TestOrder, Unsigned, VerifyResult } from '../contract.ts';
import { hmac, hmacMatches } from '../hmac.ts';
import { hasAny, topicMismatch, unreadable } from '../read-payload.ts';
import { storeHost } from '../store-host.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { VERSION } from './api/admin-client.ts';
import { api } from './api/api.ts';
import { appGrant, appWide } from './app-grant.ts';
import { onboarding } from './onboarding/onboarding.ts';
import {
  appTopics,
  complianceTopics,
  deletionNews,
  exportRequest,
  orderPayload,
  orderTopics,
  redactionRequest,
  refundNews,
  scopesUpdate,
  shopPayload,
  shopRedaction,
  transactionNews,
} from './payload.ts';
import { toRefund } from './refund.ts';
import { granted } from './scopes.ts';
import { shopUrl } from './shop-url.ts';
import { orderNews, type WholeNews } from './snapshot.ts';
import { toTransaction } from './transaction.ts';

/** What a person removes in the shop's admin; what an app may do, and its webhooks, end when it is uninstalled. */
const remains: Remains = {
  webhooks: (path) => ({
    en: `Webhooks whose URL ends with ${path} may still be in the shop, and are refused here: delete them under Settings → Notifications → Webhooks; those of an app end when it is uninstalled.`,
    bg: `В магазина може още да има известия, чийто адрес завършва на ${path}; тук те се отказват: изтрийте ги в Settings → Notifications → Webhooks; тези на приложение спират, когато го деинсталирате.`,
  }),
  key: () => ({
    en: 'As long as the app is installed in the shop, its access is still valid: uninstall it under Settings → Apps and sales channels.',
    bg: 'Докато приложението е инсталирано в магазина, достъпът му още важи: деинсталирайте го в Settings → Apps and sales channels.',
  }),
};

const { id: _ofEverything, ...ofOrders } = orderPayload.shape;

/** Fields by which a body is told, in turn; the first that it has one of decides. */
const marks: readonly [kind: BodyKind, fields: readonly string[]][] = [
  // An order stays one, whatever a later version of the API adds to it: no other body is of lines that were sold.
  ['order', ['line_items']],
  ['data-request', ['data_request', 'orders_requested']],
  ['redaction', ['orders_to_redact']],
  ['edit', ['order_edit']],
  ['shop', ['myshopify_domain', 'domain']],
  ['scopes', ['previous', 'current']],
  ['refund', ['refund_line_items', 'refund_shipping_lines', 'order_adjustments', 'transactions']],
  ['transaction', ['kind']],
  ['order', Object.keys(ofOrders)],
  ['shop-redaction', ['shop_domain']],
];

const fullOrder = reader('order', orderPayload, (order) => news(orderNews(order)));

/** A Map, because the topic comes from outside. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ['orders/create', fullOrder],
  ['orders/updated', fullOrder],
  ['orders/cancelled', fullOrder],
  ['orders/paid', reader('order', orderPayload, (order) => news(withMomentOfPayment(orderNews(order))))],
  ['orders/delete', reader(null, deletionNews, ({ id }) => news({ orderId: id, deleted: true }))],
  [
    'refunds/create',
    reader('refund', refundNews, (raw) => news({ orderId: raw.order_id, refunds: [toRefund(raw)], transactions: raw.transactions.map(toTransaction) })),
  ],
  ['order_transactions/create', reader('transaction', transactionNews, (raw) => news({ orderId: raw.order_id, transactions: [toTransaction(raw)] }))],
  ['app/uninstalled', reader('shop', shopPayload, (store) => ({ kind: 'closed', store }))],
  ['app/scopes_update', reader('scopes', scopesUpdate, ({ current }) => granted(current))],
  ['shop/redact', reader('shop-redaction', shopRedaction, ({ shop_domain: store }) => ({ kind: 'privacy', store, request: { action: 'redact-shop' } }))],
  [
    'customers/redact',
    reader('redaction', redactionRequest, ({ shop_domain: store, orders_to_redact: orderIds }) => ({
      ...{ kind: 'privacy', store },
      request: { action: 'redact-orders', orderIds },
    })),
  ],
  [
    'customers/data_request',
    reader('data-request', exportRequest, ({ shop_domain: store, orders_requested: orderIds, data_request }) => ({
      ...{ kind: 'privacy', store },
      request: { action: 'export', orderIds, requestId: data_request.id },
    })),
  ],
]);

/** Shopify: REST-shaped webhook bodies of API versions 2026-04 to 2026-10, signed with the app's or the store's secret. */
export const shopify: Storefront = {
  name: 'shopify',
  topics: [...orderTopics, ...appTopics, ...complianceTopics],
  gateways: wellKnownGateways,
  transactionComesLater: true,
  deliveriesNameStore: true,
  storeNameOf,
  // Deliveries name this domain alone, whatever other domains lead to the shop.
  hostOf: shopHost,
  orderPage,
  nameHint: connectOptions.shopify.nameHint,
  appWide,
  envelope,
  keptHeaders: ['topic', 'sub-topic', 'name', 'webhook-id', 'event-id', 'triggered-at', 'api-version', 'shop-domain'].map((name) => `x-shopify-${name}`),
  signatures,
  verify,
  normalize,
  secretProblem,
  testDeliveries,
  sign,
  samples: {
    'orders/paid': (given) => [testDeliveries(given)],
    'orders/cancelled': (given) => [testDeliveries(given), [delivery(given, 'orders/cancelled', cancelled(given))]],
    'refunds/create': (given) => [testDeliveries(given), [delivery(given, 'refunds/create', refund(given))]],
  },
  apiVersions: [VERSION, '2026-07', '2026-04'],
  api,
  appGrant,
  onboarding,
  remains,
};

function envelope(headers: ReadonlyMap<string, string>): Envelope {
  const apiVersion = headers.get('x-shopify-api-version');
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    topic: headers.get('x-shopify-topic') ?? '',
    deliveryId: headers.get('x-shopify-webhook-id') ?? null,
    store: headers.get('x-shopify-shop-domain')?.toLowerCase() ?? null,
  };
}

// The app's one address finds the connection by the shop's domain, which must be known before its first delivery.
function storeNameOf({ name, url }: { name: string; url: string | null }): string | null {
  return (url === null ? null : shopHost(url)) ?? shopHost(name);
}

function orderPage({ store, orderId }: { store: string; orderId: string }): string | null {
  const host = shopHost(store);
  return host === null || !/^\d+$/.test(orderId) ? null : `https://${host}/admin/orders/${orderId}`;
}

/** The domain by which Shopify's programs know a shop, such as corner.myshopify.com; null: it is none. */
export function shopHost(store: string): string | null {
  const host = storeHost(store);
  return host === null || shopUrl(host) === null ? null : host;
}

function signatures(headers: Delivery['headers']): readonly string[] | null {
  const claimed = headers.get('x-shopify-hmac-sha256');
  return claimed === undefined ? null : [claimed];
}

/** base64(HMAC-SHA256(secret, raw body)); the secret is used as it is, not decoded. */
function verify({ headers, body }: Delivery, secrets: readonly string[]): VerifyResult {
  const claims = signatures(headers);
  if (claims === null) return { trusted: false, code: 'signature.missing' };
  // Nothing that Shopify sends is empty, so an empty body with a right signature is a trick.
  const trusted = body.length > 0 && hmacMatches({ claims, keys: secrets, parts: [body] });
  return trusted ? { trusted } : { trusted, code: 'signature.mismatch' };
}

/** Rejects what can't be a Shopify secret. */
function secretProblem(secret: string): string | null {
  if (secret.trim() === '')
    return 'The Shopify secret is empty: copy the app’s client secret, or the signing secret shown under Settings > Notifications > Webhooks.';
  if (secret !== secret.trim()) return 'The Shopify secret has white space around it: copy it again without.';
  return null;
}

/** The paid order, and its payment, without which a record would wait for the processor's reference. */
function testDeliveries(given: TestOrder): readonly Delivery[] {
  const paid = delivery(given, 'orders/paid', given.order ?? madeUp(given));
  return given.order === undefined ? [paid, delivery(given, 'order_transactions/create', payment(given))] : [paid];
}

function delivery({ id, ...given }: TestOrder, topic: string, content: unknown): Delivery {
  return sign({ ...given, topic, id: `test_${id}`, body: Buffer.from(JSON.stringify(content)) });
}

function sign({ topic, id, store, secret, body }: Unsigned): Delivery {
  const headers = {
    'content-type': 'application/json',
    'x-shopify-topic': topic,
    'x-shopify-webhook-id': id,
    'x-shopify-hmac-sha256': hmac(secret, [body]).toString('base64'),
    ...(store === null ? {} : { 'x-shopify-shop-domain': store }),
  };
  return { headers: new Map(Object.entries(headers)), body };
}

function madeUp({ id, now }: TestOrder): object {
  const at = new Date(now).toISOString();
  const { total, vat, currency, name } = testMoney;
  return {
    ...{ id: Number(id), admin_graphql_api_id: `gid://shopify/Order/${id}`, name: testNumber(id), created_at: at, processed_at: at, updated_at: at },
    ...{ currency, presentment_currency: currency, taxes_included: true, financial_status: 'paid', test: false, total_price: total, total_outstanding: '0.00' },
    payment_gateway_names: ['shopify_payments'],
    line_items: [{ id: 1, name, quantity: 1, current_quantity: 1, price: total, tax_lines: [{ rate: 0.2, price: vat }], discount_allocations: [], duties: [] }],
    ...{ shipping_lines: [], refunds: [] },
  };
}

function payment({ id, now }: TestOrder): object {
  const at = new Date(now).toISOString();
  const { total: amount, currency } = testMoney;
  return {
    ...{ id: Number(id), order_id: Number(id), kind: 'sale', gateway: 'shopify_payments', status: 'success', amount, currency, authorization: `test_${id}` },
    ...{ payment_id: `test_${id}.1`, created_at: at, processed_at: at },
  };
}

function cancelled(given: TestOrder): object {
  const at = new Date(given.now + 1_000).toISOString();
  return { ...madeUp(given), updated_at: at, cancelled_at: at, financial_status: 'refunded', refunds: [refund(given)] };
}

/** Of all that was paid. */
function refund(given: TestOrder): object {
  const at = new Date(given.now + 1_000).toISOString();
  const { total: subtotal, vat: total_tax } = testMoney;
  return {
    ...{ id: Number(given.id), order_id: Number(given.id), created_at: at, processed_at: at },
    refund_line_items: [{ line_item_id: 1, quantity: 1, subtotal, total_tax }],
    transactions: [{ ...payment(given), id: Number(given.id) + 1, kind: 'refund', created_at: at, processed_at: at }],
  };
}

/** What a topic's body means. `is`: what such a body is; null: nothing that has a mark. */
type Reader = { is: BodyKind | null; read(body: unknown): Normalized };

/** What a verified webhook of Shopify means, by its topic, if its body is what that topic's are; topics that say nothing of money are ignored. */
function normalize({ topic }: Envelope, body: unknown): Normalized {
  if (topic === 'orders/edited') return { kind: 'ignored', why: 'orders/edited names ids only; orders/updated brings the edited order' };
  const reads = readers.get(topic);
  if (reads === undefined) return { kind: 'ignored', why: `the topic ${topic || '(none)'} says nothing that a tax record needs` };
  const is = bodyKind(body);
  // A body without marks under another topic is one of an unknown shape.
  return is === null || is === reads.is ? reads.read(body) : topicMismatch(topic, { isPrivate: isPrivate(is) });
}

function reader<Schema extends z.ZodType>(is: Reader['is'], schema: Schema, mean: (parsed: z.output<Schema>) => Normalized): Reader {
  const read = (body: unknown) => {
    const parsed = schema.safeParse(body, { error: plainWords });
    return parsed.success ? mean(parsed.data) : unreadable(parsed.error);
  };
  return { is, read };
}

// Of all topics only orders/paid gives a moment of payment: its order was changed by being paid. The topic alone proves nothing.
function withMomentOfPayment(order: WholeNews): OrderNews {
  return order.snapshot.payment === 'paid' ? { ...order, paidAt: order.snapshot.updatedAt } : order;
}

function news(order: OrderNews): Normalized {
  return { kind: 'order', news: order };
}

/** What a body is by its fields, whatever its topic says: the signature covers the body alone. */
type BodyKind = 'order' | 'refund' | 'transaction' | 'edit' | 'shop' | 'shop-redaction' | 'redaction' | 'data-request' | 'scopes';

/** Null: it has the marks of none, as that of a deletion, which is an id alone. */
function bodyKind(body: unknown): BodyKind | null {
  return marks.find(([, fields]) => hasAny(body, fields))?.[0] ?? null;
}

/** It names a person whose data are to be erased or handed over. */
function isPrivate(kind: BodyKind): boolean {
  return kind === 'redaction' || kind === 'data-request';
}
