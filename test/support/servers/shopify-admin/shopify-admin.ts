import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveAdmin } from './serve-admin.ts';
import { type Sale, ShopOrder, type Webhook } from './shop-order.ts';
import { isJson } from './to-graphql.ts';

/** One webhook that the app made by the API, or (`byHand`) that a person made, which no list shows. */
export type ShopWebhook = { id: string; topic: string; uri: string; failures: number; byHand: boolean; secret: string };

/** What a test may set at any time. */
export type ShopState = {
  /** ms since 1970; default: the real time. */
  now: () => number;
  domain: string;
  timeZone: string;
  scopes: string[];
  /** The static token, and the client credentials; tokens made with those live for `tokenSeconds`. */
  token: string;
  clientId: string;
  clientSecret: string;
  tokenSeconds: number;
  /** How long a change takes to come into the search index. */
  lagMs: number;
  /** Answers every request with this status and an HTML page; null: works. */
  broken: number | null;
  /** Points of the leaky bucket; a query may cost 1000. */
  bucket: { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };
  /** Fields of the buyer are null, with an error beside the data. */
  hidesBuyers: boolean;
};

/** `POST` bodies that came to the Admin API (queries, with variables) and to the token endpoint, oldest first. */
export type Asked = { path: string; query: string; variables: Record<string, unknown>; cost: number };

/**
 * A shop on Shopify on a free port: its Admin API (GraphQL, a cut of the published schema of 2026-10), tokens by client credentials, and its webhooks.
 *
 *     await using shop = await ShopifyAdmin.start();                        // state: shop.state, e.g. shop.state.lagMs = 60_000
 *     const order = shop.buy({ lines: [{ price: 6000n, quantity: 2, discount: 0n, rate: '20' }] }).pay();
 *     order.happens((it) => it.refundPieces(0, 1));                         // every method of SimulatedShopify: takeOff, addLine, goodwill, cancel …
 *     order.touch(); shop.remove(order);                                    // a change without money; deleted for good, told by orders/delete
 *     order.truth                                                           // what is paid and kept, by VAT rate
 *     shop.access, shop.clientAccess                                        // StoreAccess of both kinds
 *     shop.outbox                                                           // webhooks that were not sent yet: drop or reorder them here
 *     await shop.send()                                                     // sends the outbox to the webhooks of their topics; eight failures in a row
 *                                                                           // delete one that was made by the API
 *     shop.webhookByHand(topic, uri, secret)                                // signed with its own secret, not listed
 *     shop.revoke()                                                         // tokens made by client credentials are refused from now on
 *     shop.asked                                                            // what was requested, and what it cost
 *
 * Orders created more than 60 days before now are hidden without read_all_orders. THROTTLED and MAX_COST_EXCEEDED come in a 200.
 */
export class ShopifyAdmin implements AsyncDisposable {
  readonly state: ShopState = {
    now: Date.now,
    domain: 'corner.myshopify.com',
    timeZone: 'Europe/Sofia',
    scopes: ['read_orders'],
    token: 'shpat_standing_token',
    clientId: 'client-id',
    clientSecret: 'shpss_client_secret',
    tokenSeconds: 86_399,
    lagMs: 0,
    broken: null,
    bucket: { maximumAvailable: 2000, currentlyAvailable: 2000, restoreRate: 100_000 },
    hidesBuyers: false,
  };
  readonly orders = new Map<string, ShopOrder>();
  readonly webhooks: ShopWebhook[] = [];
  readonly asked: Asked[] = [];
  readonly outbox: Webhook[] = [];
  /** Tokens made by client credentials, and until when they are good. */
  readonly tokens = new Map<string, number>();
  readonly #server: Server;
  #next = 1000;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(state: Partial<ShopState> = {}): Promise<ShopifyAdmin> {
    const server = createServer();
    const shop = new ShopifyAdmin(server);
    Object.assign(shop.state, state);
    server.on('request', (request, response) => void answer(shop, request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return shop;
  }

  get url(): string {
    const address: AddressInfo | string | null = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
    return `http://127.0.0.1:${address.port}`;
  }

  get access(): { url: string; accessToken: string } {
    return { url: this.url, accessToken: this.state.token };
  }

  get clientAccess(): { url: string; clientId: string; clientSecret: string } {
    return { url: this.url, clientId: this.state.clientId, clientSecret: this.state.clientSecret };
  }

  /** An order is placed, now or at `createdAt`; it is paid by `.pay()`. */
  buy(sale: Sale = {}): ShopOrder {
    this.#next += 1;
    const order = new ShopOrder(this.#next, sale, { now: () => this.state.now(), tell: (webhooks) => void this.outbox.push(...webhooks) });
    this.orders.set(order.id, order);
    return order;
  }

  /** Deletes an order for good. */
  remove(order: ShopOrder): void {
    this.orders.delete(order.id);
    this.outbox.push({ topic: 'orders/delete', body: { id: Number(order.id) }, orderId: order.id });
  }

  revoke(): void {
    this.tokens.clear();
  }

  webhookByHand(topic: string, uri: string, secret: string): void {
    this.webhooks.push({ id: `by-hand-${this.webhooks.length}`, topic, uri, failures: 0, byHand: true, secret });
  }

  /** Sends what is in the outbox, once each; the statuses that came back, 0 for none. */
  async send(): Promise<number[]> {
    const statuses: number[] = [];
    for (const webhook of this.outbox.splice(0)) {
      for (const subscription of this.webhooks.filter(({ topic }) => topic === webhook.topic)) statuses.push(await this.#deliver(webhook, subscription));
    }
    return statuses;
  }

  async #deliver({ topic, body }: Webhook, subscription: ShopWebhook): Promise<number> {
    const text = JSON.stringify(body);
    const secret = subscription.byHand ? subscription.secret : this.state.clientSecret;
    const headers = {
      'content-type': 'application/json',
      'x-shopify-topic': topic,
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(text).digest('base64'),
      'x-shopify-shop-domain': this.state.domain,
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': randomUUID(),
    };
    const status = await fetch(subscription.uri, { method: 'POST', body: text, headers, redirect: 'manual' }).then(
      (response) => response.status,
      () => 0,
    );
    const isDelivered = status >= 200 && status < 300;
    subscription.failures = isDelivered ? 0 : subscription.failures + 1;
    if (subscription.failures >= 8 && !subscription.byHand) this.webhooks.splice(this.webhooks.indexOf(subscription), 1);
    return status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}

async function answer(shop: ShopifyAdmin, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  if (shop.state.broken !== null) {
    response.writeHead(shop.state.broken, { 'content-type': 'text/html' }).end('<h1>Something went wrong</h1>');
    return;
  }
  const token = request.headers['x-shopify-access-token'];
  const { status, body } = await serveAdmin(shop, {
    path: request.url ?? '',
    token: typeof token === 'string' ? token : '',
    body: parsed(Buffer.concat(chunks)),
  });
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function parsed(bytes: Buffer): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(bytes.toString());
    return isJson(body) ? body : {};
  } catch {
    return {};
  }
}
