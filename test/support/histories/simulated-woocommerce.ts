import type { FetchJson } from '../../../src/bridge/storefronts/contract.ts';
import { lessUnnamed, type MoneyByRate, plus, share, text, totalOf } from './money-by-rate.ts';
import { counter, type NewLine, worth } from './shopify-bodies.ts';
import type { Told, ToldHistory } from './told-history.ts';

type Line = NewLine & { id: number; name: string; shipping: boolean };
type Back = { line: Line; quantity: number; cents: bigint };
type Refund = { id: number; cents: bigint; backs: Back[]; at: number };

/** A shop: does it give us a key, and does it round its taxes only once an order ("Round tax at subtotal level")? */
export type Shop = {
  key: boolean;
  roundsAtSubtotal: boolean;
  gateway: string;
  /** It reckons no taxes, though its prices contain VAT. */
  taxesOff?: boolean;
};

const RATES = { '20': 1, '9': 2 } as const;

/** One order of a WooCommerce shop whose prices contain VAT, as its webhooks show it and as it is in truth. Cents. */
export class SimulatedWooCommerce {
  readonly story: string[] = [];
  readonly #shop: Shop;
  readonly #told: Told[] = [];
  #lines: Line[];
  #refunds: Refund[] = [];
  #status = 'pending';
  #paidAt: number | null = null;
  #now = Date.parse('2026-11-02T08:00:00Z');
  #modifiedAt = this.#now;
  readonly #id = counter(500);
  #gone = false;
  #refundedByLines = false;
  #cameBack = false;
  /** A refund was deleted, and the order not saved since. */
  #isStale = false;

  constructor(lines: readonly NewLine[], shipping: { cents: bigint; rate: string }, shop: Shop) {
    this.#shop = shop;
    const items = lines.map((line, index) => ({ ...line, id: 11 + index, name: `Piece ${index + 1}`, shipping: false }));
    const ship = { price: shipping.cents, quantity: 1, discount: 0n, rate: shipping.rate, id: 90, name: 'Courier', shipping: true };
    this.#lines = shipping.cents === 0n ? items : [...items, ship];
    this.#tell('order.created', 'placed');
  }

  get isPaid(): boolean {
    return this.#paidAt !== null;
  }

  get status(): string {
    return this.#status;
  }

  get isRefunded(): boolean {
    return this.#refunds.length > 0;
  }

  /** Lines with something left, in cents. */
  get left(): readonly { index: number; quantity: number; cents: bigint }[] {
    return this.#lines.flatMap((line, index) => {
      const backs = this.#refunds.flatMap((refund) => refund.backs).filter((back) => back.line === line);
      const cents = worth(line, line.quantity) - backs.reduce((sum, back) => sum + back.cents, 0n);
      const quantity = line.quantity - backs.reduce((sum, back) => sum + back.quantity, 0);
      return cents > 0n && quantity > 0 ? [{ index, quantity, cents }] : [];
    });
  }

  get total(): bigint {
    return this.#lines.reduce((sum, line) => sum + worth(line, line.quantity), 0n);
  }

  get keeps(): bigint {
    return this.isPaid && !this.#cameBack ? totalOf(this.#named()) - this.#unnamed() : 0n;
  }

  /** The shop sets a status; the statuses that mean money set the moment of payment. */
  setStatus(status: string): void {
    const pays = status === 'completed' || (status === 'processing' && this.#shop.gateway !== 'cod');
    if (pays && this.#paidAt === null) this.#paidAt = this.#now;
    this.#status = status;
    this.#save(`status ${status}`);
  }

  /** A line gets another quantity, or is gone with 0. */
  edit(index: number, quantity: number): void {
    const edited = (line: Line) => ({ ...line, quantity, discount: (line.discount * BigInt(quantity)) / BigInt(line.quantity) });
    this.#lines = this.#lines.flatMap((line, at) => (at !== index ? line : quantity === 0 ? [] : edited(line)));
    this.#save(`line ${index} edited to ${quantity}`);
  }

  addLine(line: NewLine): void {
    this.#lines.push({ ...line, id: this.#id(), name: `Added ${this.#lines.length}`, shipping: false });
    this.#save(`a line of ${text(line.price)} × ${line.quantity} added`);
  }

  /** A parcel that was marked as paid when it was sent comes back: nothing was ever paid. */
  comeBack(): void {
    this.#cameBack = true;
    this.setStatus('cancelled');
  }

  /** Pieces with their money, as the refund form books them. */
  refundPieces(index: number, quantity: number): void {
    const line = this.#lines[index];
    const left = this.left.find((one) => one.index === index);
    if (line === undefined || left === undefined) throw new Error('the line has nothing left');
    const cents = quantity === left.quantity ? left.cents : share(worth(line, line.quantity), BigInt(quantity), BigInt(line.quantity));
    this.#refundedByLines = true;
    this.#refund([{ line, quantity, cents }], cents, `${quantity} of line ${index} refunded`);
  }

  /** An amount without lines. */
  refundAmount(cents: bigint): void {
    this.#refund([], cents, `${text(cents)} refunded without lines`);
  }

  /** The last refund is deleted: the order is not saved by that. */
  deleteRefund(): void {
    const deleted = this.#refunds.pop();
    if (deleted === undefined) return;
    this.#isStale = true;
    this.story.push('a refund deleted');
    this.#told.push({ topic: 'order.updated', body: this.#body(), at: this.#now, inOrder: true });
    this.#send('action.woocommerce_refund_deleted', { action: 'woocommerce_refund_deleted', arg: deleted.id });
    this.#now += 5_000;
  }

  trash(): void {
    this.#gone = true;
    this.#modifiedAt = this.#now;
    this.story.push('trashed');
    this.#send('order.deleted', { id: 1 });
    this.#now += 5_000;
  }

  restore(): void {
    this.#gone = false;
    this.#modifiedAt = this.#now;
    this.story.push('restored');
    this.#send('order.restored', this.#body());
    this.#save('saved');
  }

  end(): ToldHistory {
    const byRate = this.isPaid && !this.#cameBack ? lessUnnamed(this.#named(), this.#unnamed()) : new Map<string, bigint>();
    const tolerance = this.#shop.roundsAtSubtotal ? BigInt(this.#lines.length) : 0n;
    const truth = { byRate, tolerance, agrees: this.#agrees() && byRate !== null };
    return { platform: 'woocommerce', told: this.#told, api: this.#shop.key ? this.#api() : null, truth, story: this.story };
  }

  /** What the lines cost, less what was given back of each. */
  #named(): MoneyByRate {
    const sold = this.#lines.reduce((all, line) => plus(all, line.rate, worth(line, line.quantity)), new Map() as MoneyByRate);
    return this.#refunds.flatMap(({ backs }) => backs).reduce((all, { line, cents }) => plus(all, line.rate, -cents), sold);
  }

  #unnamed(): bigint {
    return this.#refunds.reduce((sum, { cents, backs }) => (backs.length === 0 ? sum + cents : sum), 0n);
  }

  #agrees(): boolean {
    const isMixed = new Set(this.#lines.map(({ rate }) => rate)).size > 1;
    // Money is here, but the status says that the sale is off, or unpaid.
    const isUnpaid = ['cancelled', 'failed', 'on-hold', 'pending'].includes(this.#status) && this.#refunds.length === 0;
    const isOff = this.isPaid && (isUnpaid || (this.#status === 'refunded' && this.keeps > 0n));
    const needsKey = this.#isStale || (isMixed && this.#refundedByLines);
    return (!isOff || this.#cameBack) && !this.#gone && (this.#shop.key || !needsKey);
  }

  #refund(backs: Back[], cents: bigint, story: string): void {
    this.#refunds.push({ id: this.#id(), cents, backs, at: this.#now });
    const back = this.#refunds.reduce((sum, refund) => sum + refund.cents, 0n);
    if (back === this.total) this.#status = 'refunded';
    this.#save(story);
  }

  #save(story: string): void {
    this.#isStale = false;
    this.#modifiedAt = this.#now;
    this.#tell('order.updated', story);
  }

  #tell(topic: string, story: string): void {
    this.story.push(story);
    this.#send(topic, this.#body());
    this.#now += 5_000;
  }

  #send(topic: string, body: unknown): void {
    this.#told.push({ topic, body, at: this.#now });
  }

  #api(): FetchJson {
    const body = this.#body();
    const refunds = this.#refunds.map(refundBody);
    return async ({ url }) => ({ status: 200, body: structuredClone(new URL(url).pathname.endsWith('/refunds') ? refunds : body) });
  }

  #body(): Record<string, unknown> {
    const total = this.total;
    return {
      ...{ id: 1, number: '1', status: this.#gone ? 'trash' : this.#status, currency: 'EUR', order_key: 'wc_order_1', total: text(total) },
      ...{ date_created_gmt: '2026-11-02T08:00:00', date_modified_gmt: gmt(this.#modifiedAt), date_paid_gmt: this.#paidAt === null ? null : gmt(this.#paidAt) },
      ...{ payment_method: this.#shop.gateway, transaction_id: this.isPaid && this.#shop.gateway === 'stripe' ? 'ch_1' : '', total_tax: text(this.#tax()) },
      line_items: this.#lines.filter(({ shipping }) => !shipping).map((line) => this.#lineBody(line)),
      shipping_lines: this.#lines.filter(({ shipping }) => shipping).map((line) => this.#lineBody(line)),
      tax_lines: Object.entries(RATES).map(([rate, id]) => ({ rate_id: id, rate_percent: Number(rate) })),
      refunds: this.#refunds.map(({ id, cents }) => ({ id, reason: '', total: `-${text(cents)}` })),
    };
  }

  #tax(): bigint {
    return this.#lines.reduce((sum, line) => sum + taxIn(worth(line, line.quantity), this.#shop.taxesOff === true ? '0' : line.rate), 0n);
  }

  #lineBody(line: Line): Record<string, unknown> {
    const { id, name, quantity } = line;
    const rate = this.#shop.taxesOff === true ? '0' : line.rate;
    const cents = worth(line, line.quantity);
    const tax = taxIn(cents, rate);
    // Rounded for display, net and tax each by itself.
    const net = this.#shop.roundsAtSubtotal ? share(cents, 100n, 100n + BigInt(rate)) : cents - tax;
    const before = line.price * BigInt(quantity);
    const taxes = rate === '0' ? [] : [{ id: RATES[rate === '9' ? '9' : '20'], total: text(tax), subtotal: text(taxIn(before, rate)) }];
    const money = { total: text(net), total_tax: text(tax), taxes };
    if (line.shipping) return { id, method_title: name, ...money };
    return { id, name, quantity, subtotal: text(before - taxIn(before, rate)), subtotal_tax: text(taxIn(before, rate)), ...money };
  }
}

function taxIn(cents: bigint, rate: string): bigint {
  return share(cents, BigInt(rate), 100n + BigInt(rate));
}

function refundBody({ id, cents, backs, at }: Refund): Record<string, unknown> {
  const lines = (shipping: boolean) =>
    backs
      .filter(({ line }) => line.shipping === shipping)
      .map(({ line, quantity, cents: part }) => {
        const tax = taxIn(part, line.rate);
        const money = { total: `-${text(part - tax)}`, total_tax: `-${text(tax)}` };
        return { quantity: -quantity, ...money, meta_data: [{ key: '_refunded_item_id', value: `${line.id}` }] };
      });
  return { id, date_created_gmt: gmt(at), amount: text(cents), line_items: lines(false), shipping_lines: lines(true), fee_lines: [] };
}

function gmt(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
