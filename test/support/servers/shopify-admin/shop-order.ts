import type { Truth } from '../../histories/money-by-rate.ts';
import type { NewLine, Shape, Shipping } from '../../histories/shopify-bodies.ts';
import { SimulatedShopify } from '../../histories/simulated-shopify.ts';
import { isJson, type Json } from './json.ts';
import type { ShopWebhook } from './shop-webhooks.ts';
import type { StoredOrder } from './to-graphql.ts';

/** A webhook that the shop has to send. `to`: to these, whatever there is when it is sent; absent: to all of its topic. */
export type Webhook = { topic: string; body: Json; orderId: string; to?: readonly ShopWebhook[] };

/** Absent: a sale over the counter. */
export type Buyer = { email: string; first_name: string; last_name: string; phone: string };
export type Sale = { buyer?: Buyer; lines?: readonly NewLine[]; shipping?: Shipping; shape?: Partial<Shape>; createdAt?: number };

const COAT: NewLine = { price: 6000n, quantity: 1, discount: 0n, rate: '20' };
const COURIER: Shipping = { cents: 490n, rate: '20' };
const SHAPE: Shape = { totalPrice: 'following', current: 'with-discrepancies', pending: 'counted', transactions: true };

/** Bodies have ids of their own order alone; the shop's are unique. */
const IDS_OF_ONE = 100_000;

/** One order of the shop: what `happens` to it is told by webhooks, and is what the API shows. */
export class ShopOrder {
  readonly id: string;
  readonly name: string;
  readonly #simulated: SimulatedShopify;
  readonly #createdAt: number;
  readonly #now: () => number;
  readonly #tell: (webhooks: Webhook[]) => void;
  readonly #buyer: Buyer | undefined;
  #told = 0;
  #stored: StoredOrder = { body: {}, transactions: [] };
  /** When it changed last, ms since 1970, and where it comes in the search index of that second. */
  changedAt = 0;

  constructor(number: number, sale: Sale, means: { now: () => number; tell: (webhooks: Webhook[]) => void }) {
    this.id = String(number * IDS_OF_ONE);
    this.name = `#${number}`;
    this.#now = means.now;
    this.#tell = means.tell;
    this.#buyer = sale.buyer;
    this.#createdAt = sale.createdAt ?? means.now();
    this.#simulated = new SimulatedShopify(sale.lines ?? [COAT], sale.shipping ?? COURIER, { ...SHAPE, ...sale.shape });
    this.#learn(this.#createdAt);
  }

  /** Does something to the order now: `order.happens((it) => it.refundPieces(0, 1))`; see `SimulatedShopify`. */
  happens(what: (order: SimulatedShopify) => void): this {
    this.#simulated.now = wholeSecond(this.#now());
    what(this.#simulated);
    this.#learn(this.#now());
    return this;
  }

  /** Something that says nothing of money, such as a tag: its time of change moves. */
  touch(): this {
    this.#store({ ...this.#stored.body, updated_at: iso(this.#now()) });
    this.changedAt = wholeSecond(this.#now());
    this.#tell([{ topic: 'orders/updated', body: this.#stored.body, orderId: this.id }]);
    return this;
  }

  pay(gateway = 'shopify_payments'): this {
    return this.happens((it) => it.pay(gateway));
  }

  get stored(): StoredOrder {
    return this.#stored;
  }

  get createdAt(): number {
    return this.#createdAt;
  }

  get truth(): Truth {
    return this.#simulated.end().truth;
  }

  #learn(at: number): void {
    const { told } = this.#simulated.end();
    const fresh = told.slice(this.#told).map(({ topic, body }) => ({ topic, body: this.#own(body, at), orderId: this.id }));
    this.#told = told.length;
    const orders = fresh.filter(({ topic }) => topic.startsWith('orders/'));
    const payments = fresh.filter(({ topic }) => topic === 'order_transactions/create').map(({ body }) => body);
    const all = [...this.#stored.transactions, ...payments];
    this.#stored = { ...this.#stored, transactions: [...new Map(all.map((one) => [String(one['id']), one])).values()] };
    const body = orders.at(-1)?.body;
    if (body !== undefined) this.#store(body);
    this.changedAt = wholeSecond(at);
    this.#tell(fresh);
  }

  #store(body: Json): void {
    this.#stored = { ...this.#stored, body };
  }

  /** The body with ids and times of this order. Some events tell several things, each some seconds later: here all of them are now. */
  #own(told: unknown, at: number): Json {
    const body = own(told, Number(this.id));
    if (!isJson(body)) throw new Error('a webhook without a body');
    if (body['line_items'] === undefined) return { ...body, order_id: Number(this.id) };
    const created = iso(this.#createdAt);
    return { ...body, ...buyerBody(this.#buyer), id: Number(this.id), name: this.name, created_at: created, processed_at: created, updated_at: iso(at) };
  }
}

function buyerBody(buyer: Buyer | undefined): Json {
  if (buyer === undefined) return {};
  const { email, ...person } = buyer;
  return { email, contact_email: email, phone: person.phone, billing_address: person, shipping_address: person };
}

const IDS: ReadonlySet<string> = new Set(['id', 'line_item_id', 'shipping_line_id']);

function own(value: unknown, base: number): unknown {
  if (Array.isArray(value)) return value.map((item) => own(item, base));
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, IDS.has(key) && typeof inner === 'number' ? base + inner : own(inner, base)]));
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function iso(ms: number): string {
  return new Date(wholeSecond(ms)).toISOString().replace('.000', '');
}
