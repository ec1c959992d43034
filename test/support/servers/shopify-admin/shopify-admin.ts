import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Grants } from './grants.ts';
import { answerShop, type Instead } from './serve-shop.ts';
import { type Sale, ShopOrder, type Webhook } from './shop-order.ts';
import { configuredFor, type ShopWebhook, ShopWebhooks, withoutBuyer } from './shop-webhooks.ts';
import { covers, type ShopifyApp } from './shopify-app.ts';

/** What Shopify's plans give an app at a shop: points, and how many come back in a second. */
export const PLANS = {
  standard: { maximumAvailable: 2000, currentlyAvailable: 2000, restoreRate: 100 },
  plus: { maximumAvailable: 20_000, currentlyAvailable: 20_000, restoreRate: 1000 },
} as const;

/** What a test may set at any time. */
export type ShopState = {
  /** ms since 1970; default: the real time. */
  now: () => number;
  /** The number that it has for good. */
  id: number;
  domain: string;
  name: string;
  currency: string;
  taxesIncluded: boolean;
  timeZone: string;
  organisation: string;
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
  /** Points of the leaky bucket, by default those of a shop on the plan Plus; a query may cost 1000. */
  bucket: { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };
  /** Fields of the buyer are null, with an error beside the data. */
  hidesBuyers: boolean;
  /** Who is signed in may install apps. */
  mayInstall: boolean;
  /** What a merchant grants at most, by whatever way; null: what is asked. */
  grantsOnly: string[] | null;
  /** Where a merchant is who does not consent: nobody documents it. */
  cancelLeadsTo: 'admin' | 'callback';
  /** More parameters of signed queries. */
  moreQuery: Record<string, string>;
  /** Whether the signature covers what the app's own address has in its query: nobody documents it. */
  signsAppQuery: boolean;
  /** The shop's own app is installed; false: its static token and its client credentials are refused. */
  hasOwnApp: boolean;
  /** Lifetimes of the pairs that are given for `expiring`. */
  accessSeconds: number;
  refreshSeconds: number;
  /** What a refresh token that is no good is answered with: `invalid_request`, or, as older reports have it, 400 `invalid_grant`. */
  deadGrantIs: 401 | 400;
  /** Sees each request first. */
  intercept: (request: { method: string; path: string; body: Record<string, unknown> }) => Promise<Instead> | Instead;
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
 *     shop.uninstall(app); shop.changeScopes(app, [])                       // tells the app's webhooks of it, with the next send
 *     shop.state.intercept = ({ path }) => path.endsWith('access_token') ? 'lost' : undefined   // the work is done, its answer lost
 *
 * Orders created more than 60 days before now are hidden without read_all_orders. THROTTLED and MAX_COST_EXCEEDED come in a 200.
 */
export class ShopifyAdmin implements AsyncDisposable {
  readonly state: ShopState = {
    now: Date.now,
    ...{ id: 77, domain: 'corner.myshopify.com', name: 'Corner', currency: 'EUR', taxesIncluded: true, organisation: 'corner' },
    timeZone: 'Europe/Sofia',
    scopes: ['read_orders'],
    token: 'shpat_standing_token',
    clientId: 'client-id',
    clientSecret: 'shpss_client_secret',
    tokenSeconds: 86_399,
    lagMs: 0,
    broken: null,
    bucket: { ...PLANS.plus },
    ...{ hidesBuyers: false, mayInstall: true, grantsOnly: null, cancelLeadsTo: 'admin', moreQuery: {}, signsAppQuery: false, hasOwnApp: true },
    ...{ accessSeconds: 3600, refreshSeconds: 7_776_000, deadGrantIs: 401, intercept: () => undefined },
  };
  readonly orders = new Map<string, ShopOrder>();
  readonly subscriptions = new ShopWebhooks(() => this.state.clientId);
  /** Apps that can be installed, by client id, beside the one that is the shop's own. */
  readonly apps: Map<string, ShopifyApp>;
  /** The apps in this shop, and their tokens. */
  readonly grants = new Grants(() => this.state);
  readonly asked: Asked[] = [];
  /** Points that all queries really cost. */
  spent = 0;
  readonly outbox: Webhook[] = [];
  /** Tokens made by client credentials, and until when they are good. */
  readonly tokens = new Map<string, number>();
  readonly #server: Server;
  #next = 1000;

  private constructor(server: Server, apps: Map<string, ShopifyApp>) {
    this.#server = server;
    this.apps = apps;
  }

  static async start(state: Partial<ShopState> = {}, apps = new Map<string, ShopifyApp>()): Promise<ShopifyAdmin> {
    const server = createServer();
    const shop = new ShopifyAdmin(server, apps);
    Object.assign(shop.state, state);
    server.on('request', (request, response) => void answerShop(shop, request, response));
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

  get webhooks(): ShopWebhook[] {
    return this.subscriptions.all;
  }

  webhookByHand(topic: string, uri: string, secret: string): void {
    this.webhooks.push({ id: `by-hand-${this.webhooks.length}`, topic, uri, failures: 0, byHand: true, secret });
  }

  /** What a merchant grants of these scopes. */
  granted(asked: readonly string[]): string[] {
    const { grantsOnly } = this.state;
    return asked.filter((scope) => grantsOnly === null || covers(grantsOnly, [scope]));
  }

  /** The merchant removes the app: its tokens are dead, its webhooks gone; `app/uninstalled` is in the outbox. */
  uninstall({ clientId }: Pick<ShopifyApp, 'clientId'>): void {
    const { id, name, domain: myshopify_domain } = this.state;
    const to = this.#webhooksFor('app/uninstalled', [clientId]);
    this.grants.uninstall(clientId);
    if (clientId === this.state.clientId) this.state.hasOwnApp = false;
    this.subscriptions.drop(this.subscriptions.of(clientId));
    this.outbox.push({ topic: 'app/uninstalled', body: { id, name, domain: myshopify_domain, myshopify_domain }, orderId: '', to });
  }

  /** The merchant takes these scopes away, or grants them: `app/scopes_update` is in the outbox. */
  changeScopes({ clientId }: Pick<ShopifyApp, 'clientId'>, current: readonly string[]): void {
    const isOwn = clientId === this.state.clientId;
    const previous = isOwn ? this.state.scopes : (this.grants.installations.get(clientId)?.scopes ?? []);
    if (isOwn) this.state.scopes = [...current];
    else this.grants.install(clientId, current);
    const body = { id: `gid://shopify/App/${clientId}`, previous, current, updated_at: new Date(this.state.now()).toISOString() };
    this.outbox.push({ topic: 'app/scopes_update', body, orderId: '', to: this.#webhooksFor('app/scopes_update', [clientId]) });
  }

  /** Sends what is in the outbox, once each; the statuses that came back, 0 for none. */
  async send(): Promise<number[]> {
    const statuses: number[] = [];
    for (const webhook of this.outbox.splice(0)) {
      for (const to of webhook.to ?? this.#webhooksFor(webhook.topic)) statuses.push(await this.#deliver(webhook, to));
    }
    return statuses;
  }

  /** Those of a person, of the API, and of the configuration of each app that is in the shop. */
  #webhooksFor(topic: string, clientIds: readonly string[] = [...this.grants.installations.keys()]): ShopWebhook[] {
    const configured = clientIds.flatMap((clientId) => this.apps.get(clientId) ?? []).flatMap((app) => configuredFor(app, topic));
    const listed = this.webhooks.filter((one) => one.topic === topic);
    const isOfApps = topic.startsWith('app/');
    return [...listed.filter(({ app = this.state.clientId }) => !isOfApps || clientIds.includes(app)), ...configured];
  }

  #deliver(webhook: Webhook, to: ShopWebhook): Promise<number> {
    const app = to.byHand || to.app === undefined ? undefined : this.apps.get(to.app);
    const secret = to.byHand ? to.secret : (app?.secret ?? this.state.clientSecret);
    const isHidden = webhook.topic.startsWith('orders/') && app !== undefined && app.customerData !== 2;
    return this.subscriptions.deliver(isHidden ? withoutBuyer(webhook) : webhook, to, { secret, domain: this.state.domain });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()));
  }
}
