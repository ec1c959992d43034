import { createHmac, randomUUID } from 'node:crypto';
import type { Json } from './json.ts';
import type { Webhook } from './shop-order.ts';
import { covers, type ShopifyApp } from './shopify-app.ts';
import { connection, gid } from './to-graphql.ts';

/** `filter`: "field:value". `includeFields`: empty, or absent: all. */
type Narrowing = { format?: 'JSON' | 'XML'; filter?: string | null; includeFields?: readonly string[] };

/**
 * A webhook that an app made by the API, or (`byHand`) that a person made, which no list shows. `app`: the client id of the app that made it; absent:
 * the shop's own app.
 */
export type ShopWebhook = Narrowing & { id: string; topic: string; uri: string; failures: number; byHand: boolean; secret: string; app?: string };

/** Who asks: an app in the shop. `app`: absent for the shop's own app, which needs no approval. */
type Maker = { clientId: string; scopes: readonly string[]; app: ShopifyApp | undefined };
type CreateArgs = { topic: string; webhookSubscription: Narrowing & { uri: string } };

/** What apps need no scope for. */
const OF_APPS = ['app/uninstalled', 'app/scopes_update'];
const FAILURES = 8;

/** The webhooks of one shop, made by the API of apps or by a person; those of an app's configuration are with the app. */
export class ShopWebhooks {
  readonly all: ShopWebhook[] = [];
  readonly #ownApp: () => string;
  #made = 0;
  /** That of the app's configuration, whatever a webhook was made with. */
  apiVersion = { handle: '2026-10', supported: true };

  constructor(ownApp: () => string) {
    this.#ownApp = ownApp;
  }

  of(clientId: string): ShopWebhook[] {
    return this.all.filter(({ byHand, app = this.#ownApp() }) => !byHand && app === clientId);
  }

  page({ clientId }: Maker, args: { first?: number; after?: string }): Json {
    return connection(
      this.of(clientId).map((one) => this.#shown(one)),
      args,
    );
  }

  create({ clientId, scopes, app }: Maker, { topic, webhookSubscription }: CreateArgs): Json {
    const name = topicName(topic);
    const { uri, filter = null, format = 'JSON', includeFields = [] } = webhookSubscription;
    const isOfOrders = !OF_APPS.includes(name);
    if (isOfOrders && !covers(scopes, ['read_orders'])) return refused('topic', 'You do not have permission to create or update webhooks with this topic.');
    if (isOfOrders && app?.customerData === 0)
      return refused('topic', 'This app is not approved to subscribe to webhooks that contain protected customer data.');
    if (this.of(clientId).some((one) => one.topic === name && one.uri === uri && (one.filter ?? null) === filter))
      return refused('callbackUrl', 'Address for this topic has already been taken');
    if (!URL.canParse(uri)) return refused('callbackUrl', 'Address is invalid');
    // Real shops call https alone; this one calls programs of this machine, too.
    if (!/^(https:|http:\/\/127\.0\.0\.1)/.test(uri)) return refused('callbackUrl', 'Address protocol http:// is not supported');
    this.#made += 1;
    const made = {
      id: gid('WebhookSubscription', this.#made),
      topic: name,
      uri,
      failures: 0,
      byHand: false,
      secret: '',
      app: clientId,
      format,
      filter,
      includeFields,
    };
    this.all.push(made);
    return { webhookSubscription: this.#shown(made), userErrors: [] };
  }

  #shown({ id, topic, uri, format = 'JSON', filter = null, includeFields = [] }: ShopWebhook): Json {
    const name = topic.toUpperCase().replace('/', '_');
    return { __typename: 'WebhookSubscription', id, uri, topic: name, format, filter, includeFields, apiVersion: this.apiVersion };
  }

  remove({ clientId }: Maker, id: string): Json {
    const found = this.of(clientId).find((one) => one.id === id);
    if (found === undefined) return { deletedWebhookSubscriptionId: null, userErrors: [{ field: ['id'], message: 'Webhook subscription does not exist' }] };
    this.drop([found]);
    return { deletedWebhookSubscriptionId: id, userErrors: [] };
  }

  drop(gone: readonly ShopWebhook[]): void {
    for (const one of gone) if (this.all.includes(one)) this.all.splice(this.all.indexOf(one), 1);
  }

  /** One attempt. Failures in a row delete what was made by the API. */
  async deliver(webhook: Webhook, to: ShopWebhook, { secret, domain }: { secret: string; domain: string }): Promise<number> {
    if (isKeptBack(webhook, to)) return 0;
    const status = await post(to, webhook, { secret, domain });
    to.failures = status >= 200 && status < 300 ? 0 : to.failures + 1;
    if (to.failures >= FAILURES && !to.byHand) this.drop([to]);
    return status;
  }
}

function isKeptBack({ body }: Webhook, { filter = null }: ShopWebhook): boolean {
  const [field = '', value] = (filter ?? '').split(':');
  return filter !== null && String(body[field]) !== value;
}

async function post(to: ShopWebhook, { topic, body }: Webhook, { secret, domain }: { secret: string; domain: string }): Promise<number> {
  const { uri, format = 'JSON', includeFields = [] } = to;
  const fields = includeFields.length === 0 ? body : Object.fromEntries(Object.entries(body).filter(([name]) => includeFields.includes(name)));
  const text = format === 'XML' ? `<?xml version="1.0" encoding="UTF-8"?><order><id>${String(body['id'])}</id></order>` : JSON.stringify(fields);
  const headers = {
    'content-type': format === 'XML' ? 'application/xml' : 'application/json',
    'x-shopify-topic': topic,
    'x-shopify-hmac-sha256': createHmac('sha256', secret).update(text).digest('base64'),
    'x-shopify-shop-domain': domain,
    'x-shopify-api-version': '2026-10',
    'x-shopify-webhook-id': randomUUID(),
  };
  const response = await fetch(uri, { method: 'POST', body: text, headers, redirect: 'manual' }).catch(() => null);
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** The webhooks that an app's configuration makes for these topics. */
export function configuredFor({ clientId, applicationUrl, subscriptions }: ShopifyApp, topic: string): ShopWebhook[] {
  return subscriptions
    .filter(({ topics }) => topics.includes(topic))
    .map(({ uri }, nth) => {
      return { id: `configured-${nth}`, topic, uri: new URL(uri, applicationUrl).href, failures: 0, byHand: false, secret: '', app: clientId };
    });
}

/** What an app that may not see buyers gets of an order. */
export function withoutBuyer(webhook: Webhook): Webhook {
  const hidden = ['email', 'contact_email', 'phone', 'customer', 'billing_address', 'shipping_address'].filter((name) => name in webhook.body);
  return { ...webhook, body: { ...webhook.body, ...Object.fromEntries(hidden.map((name) => [name, null])) } };
}

function refused(field: string, message: string): Json {
  return { webhookSubscription: null, userErrors: [{ field: ['webhookSubscription', field], message }] };
}

/** "ORDER_TRANSACTIONS_CREATE" → "order_transactions/create". */
function topicName(topic: string): string {
  if (topic === 'APP_SCOPES_UPDATE') return 'app/scopes_update';
  return topic.toLowerCase().replace(/_([a-z]+)$/, '/$1');
}
