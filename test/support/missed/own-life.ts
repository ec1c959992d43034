import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Dice } from '../hostile/dice.ts';
import { OwnShop } from '../servers/own-shop.ts';
import type { Delivered } from './flaky-network.ts';
import type { ExpectedOrder, LivingShop, OffPolicy, Span } from './living-shop.ts';

type Line = { id: string; name: string; quantity: number; amount: string; vatRate: string };
type Refund = { id: string; at: string; amount: string; lines: { lineId: string; amount: string }[] };
type Order = {
  id: string;
  status: 'pending' | 'paid' | 'cancelled';
  updatedAt: string;
  paidAt: string | null;
  total: string;
  lines: Line[];
  refunds: Refund[];
} & Record<string, unknown>;

type Life = { order: Order; paidAt: number | null; wasRefunded: boolean; isGone: boolean; offs: Span[] };
type LifeEvent = { weight: number; to(life: Life): boolean; act(life: Life, dice: Dice): void };

const cents = (amount: string) => Math.round(Number(amount) * 100);
const text = (amount: number) => (amount / 100).toFixed(2);
const now = () => new Date().toISOString();
const back = ({ refunds }: Order) => refunds.reduce((sum, { amount }) => sum + cents(amount), 0);
const left = (order: Order) => cents(order.total) - back(order);
const isPaid = ({ order, isGone }: Life) => !isGone && order.status === 'paid';

const lifeEvents: Record<string, LifeEvent> = {
  paid: { weight: 18, to: ({ order, isGone }) => !isGone && order.status === 'pending', act: ({ order }) => pay(order) },
  saved: { weight: 6, to: isPaid, act: () => undefined },
  edited: {
    weight: 10,
    to: (life) => isPaid(life) && life.order.refunds.length === 0,
    act: ({ order }, dice) => {
      order.lines = order.lines.map((line, at) => (at === 0 ? { ...line, amount: text(500 + dice.below(9_000)) } : line));
      order.total = totalOf(order.lines);
    },
  },
  'refunded by lines': { weight: 10, to: (life) => isPaid(life) && left(life.order) > 200, act: ({ order }, dice) => refundByLine(order, dice) },
  'refunded by amount': {
    weight: 6,
    to: (life) => isPaid(life) && left(life.order) > 200,
    act: ({ order }, dice) => refund(order, dice.chance(0.3) ? left(order) : 50 + dice.below(left(order) - 100), []),
  },
  'refund deleted': { weight: 5, to: ({ order, isGone }) => !isGone && order.refunds.length > 0, act: ({ order }) => void order.refunds.pop() },
  cancelled: {
    weight: 6,
    to: ({ order, isGone }) => !isGone && order.status !== 'cancelled',
    act: ({ order }) => {
      order.status = 'cancelled';
    },
  },
  'no longer cancelled': {
    weight: 3,
    to: ({ order, isGone }) => !isGone && order.status === 'cancelled',
    act: ({ order }) => pay(order),
  },
  deleted: {
    weight: 5,
    to: ({ isGone }) => !isGone,
    act: (life) => {
      life.isGone = true;
    },
  },
};

/** How likely it no longer takes a place of its own, and how many it takes after that: more than two lists of all orders have, so that a run can end. */
const LOST = 0.15;
const TAKEN = 60;
/** Of all orders. */
const PAGES = 20;
const SMALLEST_PAGE = 10;

/** A shop of one's own in which things happen; what it deletes stays in its list as deleted. */
export class OwnLife implements LivingShop {
  readonly platform = 'standard';
  readonly secret: string;
  readonly #shop: OwnShop;
  readonly #lives = new Map<string, Life>();
  #queue: Order[] = [];
  #webhookUrl = '';
  #isDisabled = false;

  private constructor(shop: OwnShop, secret: string) {
    this.#shop = shop;
    this.secret = secret;
    shop.pageSize = SMALLEST_PAGE;
    const dice = new Dice(1);
    let left = 0;
    shop.instead = (path) => {
      if (!path.includes('after=')) return null;
      left -= 1;
      if (left > 0 || !dice.chance(LOST)) return null;
      left = TAKEN;
      return { status: dice.pick([400, 404, 410, 422]) };
    };
  }

  static async start(): Promise<OwnLife> {
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    return new OwnLife(await OwnShop.start(secret), secret);
  }

  get apiUrl(): string {
    return new URL(this.#shop.url).origin;
  }

  openAt(frontUrl: string): string[] {
    return ['--store-url', `${frontUrl}${new URL(this.#shop.url).pathname}`];
  }

  subscribe(webhookUrl: string): void {
    this.#webhookUrl = webhookUrl;
  }

  isPage({ path }: { path: string }): boolean {
    return path.includes('changed_since=');
  }

  bought(): number {
    return this.#lives.size;
  }

  buy(dice: Dice): string {
    const id = String(1000 + this.#lives.size);
    const at = now();
    const lines = Array.from({ length: 1 + dice.below(3) }, (_, nth) => ({
      ...{ id: `l${nth}`, name: 'Тениска', quantity: 1, amount: text(300 + dice.below(9_000)), vatRate: dice.pick(['20', '20', '9', '0']) },
    }));
    const order: Order = {
      ...{ id, number: id, status: 'pending', createdAt: at, updatedAt: at, paidAt: null, currency: 'EUR', total: totalOf(lines), lines },
      ...{ payment: { method: 'stripe', transactionId: `pi_${id}` }, customer: { email: 'maria@example.invalid' }, refunds: [] },
    };
    if (dice.chance(0.75)) pay(order);
    this.#lives.set(id, { order, paidAt: null, wasRefunded: false, isGone: false, offs: [] });
    this.#shop.pageSize = Math.max(SMALLEST_PAGE, Math.ceil(this.#lives.size / PAGES));
    this.#save(id);
    return id;
  }

  happens(dice: Dice): string | null {
    const possible = Object.entries(lifeEvents).flatMap(([what, { weight, ...rest }]) => Array.from({ length: weight }, () => ({ what, ...rest })));
    const { what, to, act } = dice.pick(possible);
    const candidates = [...this.#lives.values()].filter(to);
    if (candidates.length === 0) return null;
    const life = dice.pick(candidates);
    act(life, dice);
    this.#save(life.order.id);
    return `${what} ${life.order.id}`;
  }

  meddles(): string {
    this.#isDisabled = !this.#isDisabled;
    return this.#isDisabled ? 'webhooks off' : 'webhooks on';
  }

  async sendWebhooks(deliver: (webhook: Delivered) => Promise<number | null>, dice: Dice): Promise<void> {
    const waiting = this.#queue;
    this.#queue = [];
    if (dice.chance(0.3)) waiting.sort(() => dice.next() - 0.5);
    for (const order of waiting) await deliver({ orderId: order.id, post: () => this.#post(order) });
  }

  expected(policy: OffPolicy): ExpectedOrder[] {
    return [...this.#lives.values()].map(({ order, paidAt, wasRefunded, isGone, offs }) => {
      const isUnsure = isGone && policy === 'review' && wasRefunded;
      const named = { orderId: order.id, paidAt, offs, isSilent: false, isGone, isUnsure };
      if (order.paidAt === null || left(order) <= 0) return { ...named, kept: 0, mayAsk: [] };
      const unnamed = order.refunds.some(({ lines }) => lines.length === 0) && new Set(order.lines.map(({ vatRate }) => vatRate)).size > 1;
      const asked = unnamed ? ['refund.unattributed', 'vat.unclear'] : [];
      const isOff = isGone || order.status === 'cancelled';
      if (!isOff) return { ...named, kept: left(order), mayAsk: asked };
      if (policy === 'remove') return { ...named, kept: 0, mayAsk: [] };
      return { ...named, kept: back(order) > 0 ? left(order) : null, mayAsk: [...asked, 'removal.unproven'] };
    });
  }

  #save(id: string): void {
    const life = this.#lives.get(id);
    if (life === undefined) throw new Error(`the shop has no order ${id}`);
    life.order.updatedAt = now();
    if (life.order.paidAt !== null) life.paidAt ??= Date.now();
    noteOff(life);
    life.wasRefunded ||= life.order.refunds.length > 0;
    // Its webhooks have no word for a deletion: only its list says it.
    if (life.isGone) return this.#shop.remove(id, life.order.updatedAt);
    const saved = structuredClone(life.order);
    this.#shop.save(saved);
    if (!this.#isDisabled) this.#queue.push(saved);
  }

  async #post(order: Order): Promise<number | null> {
    const body = JSON.stringify({ type: 'order.updated', timestamp: order.updatedAt, data: { order } });
    const id = `msg_${randomUUID()}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const key = Buffer.from(this.secret.slice('whsec_'.length), 'base64');
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    try {
      const response = await fetch(this.#webhookUrl, { method: 'POST', headers: { ...headers, connection: 'close' }, body });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shop[Symbol.asyncDispose]();
  }
}

function noteOff({ order, isGone, offs }: Life): void {
  const isOff = isGone || order.status !== 'paid' || left(order) <= 0;
  const last = offs.at(-1);
  if (isOff && last?.to !== Number.POSITIVE_INFINITY) offs.push({ from: Date.now(), to: Number.POSITIVE_INFINITY });
  if (!isOff && last !== undefined) last.to = Math.min(last.to, Date.now());
}

function pay(order: Order): void {
  order.status = 'paid';
  order.paidAt ??= now();
}

function refundByLine(order: Order, dice: Dice): void {
  const leftOf = (line: Line) =>
    cents(line.amount) - order.refunds.flatMap(({ lines }) => lines).reduce((sum, { lineId, amount }) => sum + (lineId === line.id ? cents(amount) : 0), 0);
  const open = order.lines.filter((line) => leftOf(line) > 1 && leftOf(line) <= left(order));
  const [line] = open;
  if (line === undefined) return;
  const amount = dice.chance(0.4) ? leftOf(line) : 1 + dice.below(leftOf(line) - 1);
  refund(order, amount, [{ lineId: line.id, amount: text(amount) }]);
}

function refund(order: Order, amount: number, lines: Refund['lines']): void {
  order.refunds = [...order.refunds, { id: randomUUID(), at: now(), amount: text(amount), lines }];
}

function totalOf(lines: readonly Line[]): string {
  return text(lines.reduce((sum, { amount }) => sum + cents(amount), 0));
}
