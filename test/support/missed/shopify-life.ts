import { randomBytes } from 'node:crypto';
import { totalOf } from '../histories/money-by-rate.ts';
import type { NewLine } from '../histories/shopify-bodies.ts';
import type { SimulatedShopify } from '../histories/simulated-shopify.ts';
import type { Dice } from '../hostile/dice.ts';
import type { ShopOrder, Webhook } from '../servers/shopify-admin/shop-order.ts';
import { ShopifyAdmin } from '../servers/shopify-admin/shopify-admin.ts';
import type { Delivered } from './flaky-network.ts';
import type { ExpectedOrder, LivingShop, OffPolicy } from './living-shop.ts';

const TOPICS = ['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/delete', 'refunds/create', 'order_transactions/create'];
const GATEWAY = 'shopify_payments';
/** Where the witnesses of an order contradict each other, or leave open what is right. */
const CONTRADICTIONS = ['removal.unproven', 'refund.unattributed', 'vat.unclear', 'payment.outstanding', 'total.mismatch'];

/** `paidAt`: when its shop saw the money first. */
type Life = { order: ShopOrder; simulated: SimulatedShopify | null; paidAt: number | null; isGone: boolean };
type LifeEvent = { weight: number; to(order: SimulatedShopify): boolean; act(order: SimulatedShopify, dice: Dice): void };

const isSold = (order: SimulatedShopify) => order.isPaid && !order.isCancelled && order.sold.length > 0 && order.moneyLeft > 0n;
const piece = (order: SimulatedShopify, dice: Dice) => dice.pick(order.sold);
const lineOf = (dice: Dice): NewLine => ({
  price: BigInt(300 + dice.below(9_000)),
  quantity: 1 + dice.below(3),
  discount: 0n,
  rate: dice.pick(['20', '20', '9']),
});

const lifeEvents: Record<string, LifeEvent> = {
  paid: { weight: 16, to: (order) => !order.isPaid && !order.isCancelled, act: (order) => order.pay(GATEWAY) },
  'a piece refunded': { weight: 10, to: isSold, act: (order, dice) => order.refundPieces(piece(order, dice).index, 1, { over: dice.chance(0.5) }) },
  'a piece taken off, its money given back': {
    weight: 5,
    to: isSold,
    act: (order, dice) => {
      order.takeOff(piece(order, dice).index, 1);
      order.giveBackOwed();
    },
  },
  'a line added and paid': {
    weight: 5,
    to: isSold,
    act: (order, dice) => {
      order.addLine(lineOf(dice));
      order.pay(GATEWAY);
    },
  },
  'given back without a piece': { weight: 4, to: (order) => isSold(order) && order.has(0, 200n), act: (order) => order.goodwill(100n) },
  'the shipping refunded': { weight: 4, to: (order) => isSold(order) && order.shippingLeft > 0n, act: (order) => order.refundShipping(order.shippingLeft) },
  'cancelled and refunded': { weight: 5, to: isSold, act: (order) => order.cancel({ refund: true, shipping: true }) },
};

/** A shop on Shopify in which things happen. */
export class ShopifyLife implements LivingShop {
  readonly platform = 'shopify';
  readonly secret = randomBytes(24).toString('hex');
  readonly #shop: ShopifyAdmin;
  readonly #lives = new Map<string, Life>();
  #webhookUrl = '';

  private constructor(shop: ShopifyAdmin) {
    this.#shop = shop;
  }

  static async start(): Promise<ShopifyLife> {
    return new ShopifyLife(await ShopifyAdmin.start());
  }

  get apiUrl(): string {
    return this.#shop.url;
  }

  openAt(frontUrl: string): string[] {
    return ['--store-url', frontUrl, '--access-token', this.#shop.state.token];
  }

  subscribe(webhookUrl: string): void {
    this.#webhookUrl = webhookUrl;
    for (const topic of TOPICS) this.#shop.webhookByHand(topic, webhookUrl, this.secret);
  }

  isPage({ body }: { body: string }): boolean {
    return body.includes('updated_at:');
  }

  bought(): number {
    return this.#lives.size;
  }

  buy(dice: Dice): string {
    const order = this.#shop.buy({ lines: Array.from({ length: 1 + dice.below(3) }, () => lineOf(dice)) });
    const life: Life = { order, simulated: null, paidAt: null, isGone: false };
    this.#lives.set(order.id, life);
    order.happens((simulated) => {
      life.simulated = simulated;
      if (dice.chance(0.75)) simulated.pay(GATEWAY);
    });
    this.#note(life);
    return order.id;
  }

  happens(dice: Dice): string | null {
    const living = [...this.#lives.values()].filter(({ isGone }) => !isGone);
    if (dice.chance(0.06)) return this.#remove(living, dice);
    if (dice.chance(0.06)) return this.#touch(living, dice);
    const possible = Object.entries(lifeEvents).flatMap(([what, { weight, ...rest }]) => Array.from({ length: weight }, () => ({ what, ...rest })));
    const { what, to, act } = dice.pick(possible);
    const candidates = living.filter(({ simulated }) => simulated !== null && to(simulated));
    if (candidates.length === 0) return null;
    const life = dice.pick(candidates);
    life.order.happens((simulated) => act(simulated, dice));
    this.#note(life);
    return `${what} ${life.order.id}`;
  }

  #remove(living: readonly Life[], dice: Dice): string | null {
    if (living.length === 0) return null;
    const life = dice.pick(living);
    life.isGone = true;
    this.#shop.remove(life.order);
    return `deleted ${life.order.id}`;
  }

  /** In one second: many at once in the admin's list. */
  #touch(living: readonly Life[], dice: Dice): string | null {
    const chosen = living.slice(-1 - dice.below(30));
    for (const { order } of chosen) order.touch();
    return chosen.length === 0 ? null : `tagged ${chosen.map(({ order }) => order.id).join(', ')}`;
  }

  meddles(dice: Dice): string {
    const { webhooks } = this.#shop;
    const missing = TOPICS.filter((topic) => webhooks.every((webhook) => webhook.topic !== topic));
    for (const topic of missing) this.#shop.webhookByHand(topic, this.#webhookUrl, this.secret);
    if (missing.length > 0) return `${missing.length} webhooks made anew`;
    const [deleted] = webhooks.splice(dice.below(webhooks.length), 1);
    return `webhook of ${deleted?.topic} deleted`;
  }

  async sendWebhooks(deliver: (webhook: Delivered) => Promise<number | null>, dice: Dice): Promise<void> {
    const waiting = this.#shop.outbox.splice(0);
    if (dice.chance(0.3)) waiting.sort(() => dice.next() - 0.5);
    for (const webhook of waiting) {
      if (this.#shop.webhooks.some(({ topic }) => topic === webhook.topic)) await deliver({ orderId: webhook.orderId, post: () => this.#post(webhook) });
    }
  }

  async #post(webhook: Webhook): Promise<number | null> {
    const { outbox } = this.#shop;
    const others = outbox.splice(0);
    outbox.push(webhook);
    const sending = this.#shop.send();
    // It took what was there at once; what waits goes its own way.
    outbox.push(...others);
    const [status = null] = await sending;
    return status === 0 ? null : status;
  }

  expected(policy: OffPolicy): ExpectedOrder[] {
    return [...this.#lives.values()].map(({ order, paidAt, isGone }) => {
      const { byRate, agrees } = order.truth;
      const kept = byRate === null ? null : Number(totalOf(byRate));
      const isUnsure = isGone && policy === 'review' && gaveBack(order);
      const named = { orderId: order.id, paidAt, isSilent: isGone, isGone, isUnsure };
      // That an edit was paid may never have been heard.
      if (isGone && kept !== 0)
        return policy === 'remove' ? { ...named, kept: 0, mayAsk: [] } : { ...named, kept: null, mayAsk: ['removal.unproven', 'payment.outstanding'] };
      return { ...named, kept, mayAsk: agrees ? [] : CONTRADICTIONS };
    });
  }

  #note(life: Life): void {
    if (life.simulated?.isPaid === true) life.paidAt ??= Date.now();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shop[Symbol.asyncDispose]();
  }
}

function gaveBack({ stored }: ShopOrder): boolean {
  const { refunds } = stored.body;
  return Array.isArray(refunds) && refunds.length > 0;
}
