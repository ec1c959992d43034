import { randomBytes } from 'node:crypto';
import type { Dice } from '../hostile/dice.ts';
import { startWooServer, type WooServer } from '../servers/woo/start-woo-server.ts';
import type { Sold, VatRate, WooOrderBody } from '../servers/woo/woo-bodies.ts';
import type { WooDelivery } from '../servers/woo/woo-webhooks.ts';
import type { Delivered } from './flaky-network.ts';
import type { ExpectedOrder, LivingShop, OffPolicy } from './living-shop.ts';
import { centsIn, expectedOfWoo, type WooMemory } from './woo-truth.ts';

const TOPICS = ['order.created', 'order.updated', 'order.deleted', 'order.restored'];
const MOST_OF_A_BULK = 40;

/** What can happen to an order, how often, and to which orders. */
type LifeEvent = { weight: number; to(order: WooOrderBody): boolean; act(life: WooLife, order: WooOrderBody, dice: Dice): void };

const isLive = ({ status }: WooOrderBody) => ['processing', 'completed', 'refunded'].includes(status);
const left = ({ total, refunds }: WooOrderBody) => centsIn(total) + refunds.reduce((sum, refund) => sum + centsIn(refund.total), 0);
const canGiveBack = (order: WooOrderBody) => isLive(order) && order.date_paid_gmt !== null && left(order) > 200;
const isWaiting = ({ status }: WooOrderBody) => status === 'pending' || status === 'on-hold';

const lifeEvents: Record<string, LifeEvent> = {
  paid: { weight: 18, to: isWaiting, act: ({ floor }, { id }) => floor.pay(id) },
  completed: { weight: 16, to: ({ status }) => status === 'processing', act: ({ floor }, { id }) => floor.setStatus(id, 'completed') },
  saved: { weight: 5, to: isLive, act: ({ floor }, { id }) => floor.save(id) },
  edited: {
    weight: 9,
    to: (order) => order.refunds.length === 0 && (isWaiting(order) || order.status === 'processing'),
    act: ({ floor }, { id }, dice) => floor.edit(id, { quantity: 1 + dice.below(4) }),
  },
  'refunded by lines': {
    weight: 10,
    to: canGiveBack,
    act: ({ floor }, order, dice) => floor.refund(order.id, dice.chance(0.3) ? {} : { cents: 100 + dice.below(left(order) - 100) }),
  },
  'refunded by amount': {
    weight: 5,
    to: canGiveBack,
    act: ({ floor }, order, dice) => floor.refund(order.id, { cents: 50 + dice.below(left(order) - 100), byLines: false }),
  },
  'refund deleted': {
    weight: 4,
    to: ({ refunds, status }) => refunds.length > 0 && status !== 'trash',
    act: ({ floor }, { id, refunds }) => floor.deleteRefund(id, refunds[0]?.id ?? 0),
  },
  trashed: { weight: 6, to: ({ status }) => status !== 'trash', act: ({ floor }, { id }) => floor.trash(id) },
  restored: { weight: 8, to: ({ status }) => status === 'trash', act: ({ floor }, { id }) => floor.restore(id) },
  'taken out of the trash': { weight: 2, to: ({ status }) => status === 'trash', act: ({ floor }, { id }) => floor.setStatus(id, 'processing') },
  'deleted for good': { weight: 4, to: () => true, act: (life, { id }) => life.deleteForGood(id) },
  cancelled: { weight: 6, to: (order) => isWaiting(order) || order.status === 'processing', act: ({ floor }, { id }) => floor.setStatus(id, 'cancelled') },
};

/** Their last word is in no list of changes. */
const SILENT = new Set(['refund deleted', 'deleted for good']);

/** A WooCommerce store in which things happen. */
export class WooLife implements LivingShop {
  readonly platform = 'woocommerce';
  readonly secret = randomBytes(24).toString('hex');
  readonly #store: WooServer;
  readonly #memory = new Map<number, WooMemory>();

  private constructor(store: WooServer) {
    this.#store = store;
  }

  static async start(): Promise<WooLife> {
    return new WooLife(await startWooServer({ now: Date.now, tls: false }));
  }

  get apiUrl(): string {
    return this.#store.url;
  }

  get floor(): WooServer['floor'] {
    return this.#store.floor;
  }

  openAt(frontUrl: string): string[] {
    this.#store.host.home = frontUrl;
    return ['--store-url', frontUrl, '--consumer-key', 'ck_write', '--consumer-secret', 'cs_write'];
  }

  subscribe(webhookUrl: string): void {
    for (const topic of TOPICS) this.#store.webhooks.add({ name: `orderbridge ${topic}`, topic, delivery_url: webhookUrl, secret: this.secret });
  }

  isPage({ path }: { path: string }): boolean {
    return path.includes('/orders') && path.includes('modified_after=');
  }

  bought(): number {
    return this.#memory.size;
  }

  buy(dice: Dice): string {
    const rates: readonly VatRate[] = [20, 20, 20, 9, 0];
    const item = (): Sold => ({ cents: 300 + dice.below(9_000), quantity: 1 + dice.below(3), rate: dice.pick(rates) });
    const gateway = dice.pick(['stripe', 'stripe', 'bacs', 'cod']);
    const shipping = dice.chance(0.4) ? { shipping: { cents: 490 } } : {};
    const paid = gateway === 'stripe' && dice.chance(0.8);
    const { id } = this.floor.buy({ items: Array.from({ length: 1 + dice.below(3) }, item), gateway, paid, ...shipping });
    this.#note(id, { isSilent: false });
    return String(id);
  }

  happens(dice: Dice): string | null {
    const orders = [...this.floor.orders.values()];
    if (dice.chance(0.02)) return this.#bulk(orders, dice);
    const possible = Object.entries(lifeEvents).flatMap(([what, { weight, ...rest }]) => Array.from({ length: weight }, () => ({ what, ...rest })));
    const { what, to, act } = dice.pick(possible);
    const candidates = orders.filter(to);
    if (candidates.length === 0) return null;
    const order = dice.pick(candidates);
    act(this, order, dice);
    this.#note(order.id, { isSilent: SILENT.has(what) });
    return `${what} ${order.id}`;
  }

  /** As the admin's list does it: dozens in one second. */
  #bulk(orders: readonly WooOrderBody[], dice: Dice): string | null {
    const open = orders.filter(({ status }) => status === 'processing').slice(-MOST_OF_A_BULK);
    const status = dice.pick(['completed', 'completed', 'completed', 'cancelled']);
    const chosen = status === 'completed' ? open : open.slice(-5);
    for (const { id } of chosen) {
      this.floor.setStatus(id, status);
      this.#note(id, { isSilent: false });
    }
    return chosen.length === 0 ? null : `${status} ${chosen.map(({ id }) => id).join(', ')}`;
  }

  deleteForGood(id: number): void {
    const memory = this.#memory.get(id);
    if (memory !== undefined) memory.gone = structuredClone(this.floor.order(id));
    this.floor.deleteForGood(id);
  }

  meddles(dice: Dice): string {
    const all = [...this.#store.webhooks.all.values()];
    const dead = all.filter(({ status }) => status !== 'active');
    if (dead.length > 0 && dice.chance(0.7)) {
      for (const webhook of dead) webhook.status = 'active';
      return `${dead.length} webhooks made active`;
    }
    const webhook = dice.pick(all);
    webhook.status = 'disabled';
    return `webhook of ${webhook.topic} disabled`;
  }

  async sendWebhooks(deliver: (webhook: Delivered) => Promise<number | null>, dice: Dice): Promise<void> {
    const { webhooks } = this.#store;
    webhooks.deliver = (delivery, post) => deliver({ orderId: orderIn(delivery), post: () => post(delivery) });
    if (dice.chance(0.3)) webhooks.queue.sort(() => dice.next() - 0.5);
    await webhooks.runQueue();
  }

  expected(policy: OffPolicy): ExpectedOrder[] {
    return [...this.#memory].map(([id, memory]) => expectedOfWoo(memory.gone ?? this.floor.order(id), memory, policy));
  }

  #note(id: number, { isSilent }: { isSilent: boolean }): void {
    const memory = this.#memory.get(id) ?? { paidAt: null, gone: null, isSilent, wasRefunded: false, refundedByAmount: new Set<number>() };
    this.#memory.set(id, memory);
    memory.isSilent = isSilent;
    const order = this.floor.orders.get(id);
    if (order?.date_paid_gmt !== null && order !== undefined) memory.paidAt ??= Date.now();
    for (const refund of order?.refunds ?? []) {
      memory.wasRefunded = true;
      const booked = this.floor.refunds.get(refund.id);
      if (booked?.line_items.length === 0 && booked.shipping_lines.length === 0) memory.refundedByAmount.add(refund.id);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]();
  }
}

function orderIn({ topic, body }: WooDelivery): string | null {
  if (!topic.startsWith('order.')) return null;
  const { id } = JSON.parse(body) as { id?: number };
  return id === undefined ? null : String(id);
}
