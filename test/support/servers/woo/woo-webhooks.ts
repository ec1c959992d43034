import { createHmac, randomUUID } from 'node:crypto';
import { badParameter, notFound, type WooAnswer, wooProblem } from './woo-answer.ts';
import { gmt } from './woo-bodies.ts';
import { withFields } from './woo-orders-api.ts';
import type { WooEvent, WooShopFloor } from './woo-shop-floor.ts';

export type WooWebhook = {
  id: number;
  name: string;
  status: 'active' | 'paused' | 'disabled';
  topic: string;
  delivery_url: string;
  date_modified_gmt: string | null;
  /** Never in an answer. */
  secret: string;
  failures: number;
};

/** One webhook request about to be sent. */
export type WooDelivery = { webhookId: number; topic: string; url: string; headers: Record<string, string>; body: string };

/** Sends one request, redirects not followed; its status, null if there was no answer. */
export type Post = (delivery: WooDelivery) => Promise<number | null>;

const TOPICS = /^(order\.(created|updated|deleted|restored)|action\.woocommerce_\w+)$/;
const STATUSES = ['active', 'paused', 'disabled'];
/** The failure after so many in a row disables a webhook. */
const MOST_FAILURES = 5;

/** What the shop's queue will send when it runs: an event for one webhook. */
type Queued = { webhook: WooWebhook; event: WooEvent };

/** The webhooks of a shop: by REST as their form, and what they deliver when the shop's queue runs. */
export class WooWebhooks {
  readonly all = new Map<number, WooWebhook>();
  /** What waits for `runQueue`, in order; a test may reorder or drop it. */
  readonly queue: Queued[] = [];
  /** Takes the place of the network: sees each delivery, and may drop, delay or send it with `post`. */
  deliver: (delivery: WooDelivery, post: Post) => Promise<number | null> = (delivery, post) => post(delivery);
  readonly #shop: { floor: WooShopFloor; home(): string; now(): number };
  #lastId = 0;

  constructor(shop: { floor: WooShopFloor; home(): string; now(): number }) {
    this.#shop = shop;
  }

  /** Queues an event for the active webhooks of its topic; paused and disabled ones lose it. */
  take(event: WooEvent): void {
    for (const webhook of this.all.values()) if (webhook.status === 'active' && webhook.topic === event.topic) this.queue.push({ webhook, event });
  }

  /** Sends what waits, one after the other, each with the state of its order at that moment. */
  async runQueue(): Promise<void> {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift()) {
      const { webhook, event } = next;
      if (this.all.has(webhook.id)) this.#settle(webhook, await this.deliver(this.#deliveryOf(webhook, event), post));
    }
  }

  async rest(method: string, path: string, { query, body }: { query: URLSearchParams; body: unknown }): Promise<WooAnswer> {
    const [, id] = /^webhooks\/(\d+)$/.exec(path) ?? [];
    if (id === undefined) return method === 'POST' ? this.#create(body) : this.#list(query);
    const webhook = this.all.get(Number(id));
    if (webhook === undefined) return notFound('shop_webhook');
    if (method === 'DELETE') return this.#remove(webhook, query);
    if (method !== 'GET') Object.assign(webhook, valuesOf(body));
    return { status: 200, body: shown(webhook) };
  }

  /** As the admin's form does it: also with a status, which the REST API ignores. */
  add(values: Partial<WooWebhook>): WooWebhook {
    this.#lastId += 1;
    const id = this.#lastId;
    const webhook: WooWebhook = {
      ...{ id, name: 'Webhook', status: 'active', topic: 'order.updated', delivery_url: '', date_modified_gmt: null, secret: randomUUID(), failures: 0 },
      ...values,
    };
    this.all.set(id, webhook);
    return webhook;
  }

  async #create(given: unknown): Promise<WooAnswer> {
    const { status: _ignored, ...values } = valuesOf(given);
    const { topic, delivery_url: url } = values;
    if (topic === undefined || url === undefined) return wooProblem(400, 'rest_missing_callback_param', 'Missing parameter(s): topic, delivery_url');
    if (!TOPICS.test(topic)) return wooProblem(400, 'woocommerce_rest_shop_webhook_invalid_topic', 'Webhook topic is required and must be valid.');
    if (!/^https?:/.test(url)) return wooProblem(400, 'woocommerce_rest_shop_webhook_invalid_delivery_url', 'Webhook delivery URL must be a valid URL.');
    const webhook = this.add(values);
    const ping = { webhookId: webhook.id, topic: '', url, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `webhook_id=${webhook.id}` };
    const body = shown(webhook);
    // A good ping is noted, which saves the webhook: its time of change is that of an attempt.
    if ((await this.deliver(ping, post)) === 200) webhook.date_modified_gmt = gmt(this.#shop.now());
    return { status: 201, body };
  }

  #list(query: URLSearchParams): WooAnswer {
    const status = query.get('status') ?? 'all';
    const size = Number(query.get('per_page') ?? 10);
    if (![...STATUSES, 'all'].includes(status)) return badParameter('status');
    if (!(size >= 1 && size <= 100)) return badParameter('per_page');
    const page = Number(query.get('page') ?? 1);
    const ascending = [...this.all.values()].filter((webhook) => status === 'all' || webhook.status === status);
    const sorted = query.get('order') === 'asc' ? ascending : ascending.toReversed();
    return { status: 200, body: sorted.slice((page - 1) * size, page * size).map((webhook) => withFields(shown(webhook), query)) };
  }

  #remove(webhook: WooWebhook, query: URLSearchParams): WooAnswer {
    if (query.get('force') !== 'true') return wooProblem(501, 'woocommerce_rest_trash_not_supported', 'Webhooks do not support trashing.');
    this.all.delete(webhook.id);
    return { status: 200, body: shown(webhook) };
  }

  /** 301 and 302 count as delivered; a count that is not reset by a success goes on after the webhook was made active again. */
  #settle(webhook: WooWebhook, status: number | null): void {
    webhook.date_modified_gmt = gmt(this.#shop.now());
    if (status !== null && status >= 200 && status <= 302) webhook.failures = 0;
    else if (webhook.failures > MOST_FAILURES) webhook.status = 'disabled';
    else webhook.failures += 1;
  }

  #deliveryOf({ id, topic, delivery_url, secret }: WooWebhook, event: WooEvent): WooDelivery {
    const body = JSON.stringify(this.#payload(event));
    const [resource = '', happened = ''] = topic.split('.');
    const headers = {
      ...{ 'content-type': 'application/json', 'user-agent': 'WooCommerce/10.5.0 Hookshot (WordPress/6.9.1)' },
      ...{ 'x-wc-webhook-source': `${this.#shop.home()}/`, 'x-wc-webhook-topic': topic, 'x-wc-webhook-resource': resource, 'x-wc-webhook-event': happened },
      ...{ 'x-wc-webhook-id': String(id), 'x-wc-webhook-delivery-id': randomUUID() },
      'x-wc-webhook-signature': createHmac('sha256', secret).update(body).digest('base64'),
    };
    return { webhookId: id, topic, url: delivery_url, headers, body };
  }

  #payload({ topic, id }: WooEvent): unknown {
    if (topic.startsWith('action.')) return { action: topic.slice('action.'.length), arg: id };
    if (topic === 'order.deleted') return { id };
    return this.#shop.floor.orders.get(id) ?? notFound('shop_order').body;
  }
}

function shown({ secret: _unseen, failures: _neither, ...webhook }: WooWebhook): unknown {
  const [resource, event] = webhook.topic.split('.');
  return { ...webhook, resource, event };
}

function valuesOf(body: unknown): Partial<WooWebhook> {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => ['name', 'status', 'topic', 'delivery_url', 'secret'].includes(name)));
}

const post: Post = async ({ url, headers, body }) => {
  try {
    const response = await fetch(url, { method: 'POST', headers: { ...headers, connection: 'close' }, body, redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
};
