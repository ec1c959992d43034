import { testMoney, testNumber } from '../amounts.ts';
import type { Delivery, Envelope, Sample, Storefront, TestOrder, Unsigned, VerifyResult } from '../contract.ts';
import { hmac, hmacMatches } from '../hmac.ts';
import { verifyStandard } from '../standard-signature.ts';
import { storeHost, withoutEndSlashes } from '../store-host.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { api, remains, subscriptions } from './api.ts';
import { alsoTopics, isOwnStatus, normalize, topics } from './normalize.ts';
import { connectSteps, onboarding } from './onboarding.ts';

/** What `sanitize_text_field` of WordPress, through which its form sends a secret, takes out or rewrites. */
const ALTERED = /<|%[0-9a-f]{2}|\s{2}|[\t\r\n]|^\s|\s$/i;

/** Our plugin says its version so, in deliveries that are else as WooCommerce sends them. */
const PLUGIN = 'x-orderbridge-plugin';

const characters: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#x22;': '"',
  '&#38;': '&',
  '&#x26;': '&',
  '&#39;': "'",
  '&#x27;': "'",
  '&#60;': '<',
  '&#62;': '>',
};

/** WooCommerce 8 and later, webhooks of API version v3. */
export const woocommerce: Storefront = {
  name: 'woocommerce',
  topics,
  alsoTopics,
  gateways: wellKnownGateways,
  transactionComesLater: false,
  refundsVanish: true,
  deliveriesNameStore: true,
  hostOf,
  orderPage,
  envelope,
  keptHeaders: [...['topic', 'resource', 'event', 'id', 'delivery-id', 'source'].map((name) => `x-wc-webhook-${name}`), PLUGIN],
  signatures,
  isPing,
  verify,
  verifyRequest: (request, secrets, now) => verifyStandard(request, bothReadings(secrets), now),
  normalize,
  secretProblem,
  newSecret: () => subscriptions.newSecret(),
  testDeliveries,
  sign,
  samples: {
    'order.created': (given) => [[delivery(given, 'order.created', madeUp(given))]],
    'order.updated': changed('order.updated', (at) => ({
      date_modified_gmt: at,
      status: 'refunded',
      refunds: [{ id: 3, reason: '', total: `-${testMoney.total}` }],
    })),
    'order.deleted': changed('order.deleted', null),
  },
  secretAdvice,
  connectSteps,
  api,
  onboarding,
  remains,
  knowsStatus: isOwnStatus,
};

function envelope(headers: ReadonlyMap<string, string>): Envelope {
  return {
    topic: headers.get('x-wc-webhook-topic') ?? '',
    // One second's deliveries of one webhook share it, whatever their orders.
    deliveryId: headers.get('x-wc-webhook-delivery-id') ?? null,
    store: withoutEndSlashes(headers.get('x-wc-webhook-source') ?? '') || null,
    ...(headers.has(PLUGIN) ? { isByModule: true as const } : {}),
  };
}

// A delivery names the site's address; a name without a scheme is one that a person gave.
function hostOf(store: string): string | null {
  return /^https?:\/\//i.test(store) ? storeHost(store) : null;
}

// Stores that keep orders in tables of their own lead on from this address.
function orderPage({ store, url, orderId }: { store: string; url: string | null; orderId: string }): string | null {
  const site = url ?? store;
  return hostOf(site) === null || !/^\d+$/.test(orderId) ? null : `${withoutEndSlashes(site)}/wp-admin/post.php?post=${orderId}&action=edit`;
}

function signatures(headers: Delivery['headers']): readonly string[] | null {
  const claimed = headers.get('x-wc-webhook-signature') ?? '';
  return claimed === '' ? null : [claimed];
}

/** base64(HMAC-SHA256(body)). */
function verify({ headers, body }: Delivery, secrets: readonly string[]): VerifyResult {
  const claims = signatures(headers);
  if (claims === null) return { trusted: false, code: 'signature.missing' };
  return hmacMatches({ claims, keys: bothReadings(secrets), parts: [body] }) ? { trusted: true } : { trusted: false, code: 'signature.mismatch' };
}

/** The request by which a store tries a new webhook's address: unsigned, form-encoded, `webhook_id=N`. */
function isPing({ headers, body }: Delivery): boolean {
  const isForm = headers.get('content-type')?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm && ![...headers.keys()].some((name) => name.startsWith('x-wc-')) && /^webhook_id=\d{1,20}$/.test(body.subarray(0, 64).toString('latin1'));
}

function secretProblem(secret: string): string | null {
  return secret.trim() === '' ? 'The secret is empty: enter the one shown under WooCommerce → Settings → Advanced → Webhooks.' : null;
}

/** WooCommerce decodes HTML entities in a secret before it signs, with it also what our plugin asks: both readings count. */
function bothReadings(secrets: readonly string[]): string[] {
  return secrets.flatMap((secret) => [secret, decodeSpecialChars(secret)]);
}

/** What WordPress's `wp_specialchars_decode($text, ENT_QUOTES)` gives: five characters, once, nothing else. */
export function decodeSpecialChars(text: string): string {
  return text.replace(/&#?\w{1,20};/g, (entity) => characters[withoutPadding(entity)] ?? entity);
}

// Only numeric entities may be written with zeros in front, and with a large X.
function withoutPadding(entity: string): string {
  return entity.startsWith('&#') ? entity.toLowerCase().replace(/^&#(x?)0+/, '&#$1') : entity;
}

/** A secret that WordPress' form would change, also when a webhook that was made by REST is opened and saved there. */
export function secretAdvice(secret: string): string | null {
  if (!ALTERED.test(secret)) return null;
  return 'WordPress’ form for webhooks changes this secret when it is saved there (it takes out tags, % with two hexadecimal digits, and spaces at the ends or in a row), so that signatures would not match; it leaves letters and digits alone: `openssl rand -hex 32` makes such a secret.';
}

/** One webhook of an updated order. While no delivery has named the store, this one does not either: the store itself must. */
function testDeliveries(given: TestOrder): readonly Delivery[] {
  return [delivery(given, 'order.updated', given.order ?? madeUp(given))];
}

/** A paid order, and what became of it a second later; null: it was deleted. */
function changed(topic: string, change: ((at: string) => object) | null): Sample {
  return (given) => {
    const paid = madeUp(given);
    const body = change === null ? { id: Number(given.id) } : { ...paid, ...change(seconds(given.now + 1_000)) };
    return [[delivery(given, 'order.created', paid)], [delivery(given, topic, body)]];
  };
}

function delivery({ id, ...given }: TestOrder, topic: string, content: unknown): Delivery {
  return sign({ ...given, topic, id: `test_${id}`, body: Buffer.from(JSON.stringify(content)) });
}

function sign({ topic, id, store, secret, body }: Unsigned): Delivery {
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-delivery-id': id,
    'x-wc-webhook-signature': hmac(secret, [body]).toString('base64'),
    ...(store === null ? {} : { 'x-wc-webhook-source': `${store}/` }),
  };
  return { headers: new Map(Object.entries(headers)), body };
}

/** Whole seconds: rounded down, it would be paid before a connection that was made in the same second. */
function seconds(now: number): string {
  return new Date(Math.ceil(now / 1000) * 1000).toISOString().slice(0, 19);
}

function madeUp({ id, now }: TestOrder): object {
  const at = seconds(now);
  const { total, net, vat, rate, currency, name } = testMoney;
  return {
    ...{ id: Number(id), number: testNumber(id), order_key: `wc_order_test${id}`, status: 'processing', currency, total, total_tax: vat },
    ...{ date_created_gmt: at, date_modified_gmt: at, date_paid_gmt: at },
    ...{ payment_method: 'stripe', transaction_id: `test_${id}`, prices_include_tax: true },
    line_items: [{ id: 1, name, quantity: 1, subtotal: net, subtotal_tax: vat, total: net, total_tax: vat, taxes: [{ id: 1, total: vat, subtotal: vat }] }],
    ...{ shipping_lines: [], fee_lines: [], refunds: [] },
    tax_lines: [{ id: 2, rate_id: 1, rate_percent: Number(rate) }],
  };
}
