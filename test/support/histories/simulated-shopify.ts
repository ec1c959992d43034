import { KeptMoney } from './kept-money.ts';
import { text } from './money-by-rate.ts';
import {
  counter,
  givenBack,
  type NewLine,
  type Part,
  type Refund,
  refundBody,
  type Shape,
  type Shipping,
  shopifyOrderBody,
  type Tx,
  transactionBody,
  worth,
} from './shopify-bodies.ts';
import { SoldGoods } from './sold-goods.ts';
import type { Told, ToldHistory } from './told-history.ts';

/** One order of a shop on Shopify, as its webhooks show it and as it is in truth. Cents. */
export class SimulatedShopify {
  readonly story: string[] = [];
  readonly #shape: Shape;
  readonly #told: Told[] = [];
  readonly #goods: SoldGoods;
  readonly #refunds: Refund[] = [];
  /** When the next thing happens, ms since 1970; whole seconds. */
  now = Date.parse('2026-11-02T08:00:00Z');
  readonly #id = counter(100);
  #placed = 0n;
  readonly #gateways = new Set<string>();
  #edits = 0n;
  #paid = 0n;
  /** Of returned pieces, such as a restocking fee. */
  #keptBack = 0n;
  #cancelledAt: number | null = null;
  readonly #money = new KeptMoney();
  #agrees = true;

  constructor(lines: readonly NewLine[], shipping: Shipping, shape: Shape) {
    this.#shape = shape;
    this.#goods = new SoldGoods(shipping);
    for (const line of lines) this.#add(line);
    this.#money.charge(shipping.rate, shipping.cents);
    this.#placed = this.#goods.due;
    this.#tell('orders/create', 'placed');
  }

  get isPaid(): boolean {
    return this.#paid > 0n;
  }

  /** Money went back that names no piece. */
  get gaveUnnamed(): boolean {
    return this.#money.unnamed > 0n;
  }

  get isCancelled(): boolean {
    return this.#cancelledAt !== null;
  }

  /** Paid, and not given back or on its way. */
  get moneyLeft(): bigint {
    return this.#money.left;
  }

  get owes(): bigint {
    return this.#money.owed;
  }

  /** Is so much money of this line's rate still here? */
  has(index: number, cents: bigint): boolean {
    return this.#money.has(this.#goods.lines[index]?.rate ?? '', cents);
  }

  /** Lines with pieces left. */
  get sold(): readonly { index: number; left: number; cents: bigint }[] {
    return this.#goods.sold;
  }

  get shippingLeft(): bigint {
    return this.#goods.shippingLeft;
  }

  /** The customer pays all that is due. */
  pay(gateway: string): void {
    const cents = this.#goods.due - this.#paid + givenBack(this.#refunds) + this.#discrepancies;
    if (cents <= 0n) return;
    this.#paid += cents;
    this.#money.pay();
    const tx = { id: this.#id(), kind: 'sale', gateway, status: 'success', cents, at: this.now };
    this.#gateways.add(gateway);
    this.#tell('orders/paid', `paid ${text(cents)} by ${gateway}`);
    this.#tellTransaction(tx);
  }

  /** An edit takes pieces off; their money, if it was paid, is still here. */
  takeOff(index: number, quantity: number): void {
    const part = this.#goods.take(index, quantity);
    this.#edits -= part.cents;
    if (this.isPaid) this.#money.owe(part.line.rate, part.cents);
    else this.#money.charge(part.line.rate, -part.cents);
    this.#refunds.push({ id: this.#id(), parts: [part], shipping: 0n, tx: [], at: this.now });
    this.#tell('orders/updated', `${quantity} of line ${index} taken off`);
  }

  /** An edit adds a line; it is paid by `pay`. */
  addLine(line: NewLine): void {
    this.#add(line);
    this.#edits += worth(line, line.quantity);
    this.#tell('orders/updated', `a line of ${text(line.price)} × ${line.quantity} added`);
  }

  /** The money of pieces that were taken off goes back, without naming them. */
  giveBackOwed(): void {
    const cents = this.#money.most(this.owes);
    this.#money.giveUnnamed(cents - this.owes);
    this.#money.repay();
    this.#refund({ parts: [], shipping: 0n, cents }, `${text(cents)} owed given back`);
  }

  /** Pieces and their money go back; `keep` cents of it stay (a restocking fee). `over`: even if it is more than what is left of the money. */
  refundPieces(index: number, quantity: number, { keep = 0n, pending = false, over = false }: { keep?: bigint; pending?: boolean; over?: boolean } = {}): void {
    const part = this.#goods.take(index, quantity);
    const due = part.cents - keep;
    const cents = over ? due : this.#money.most(due);
    if (pending) this.#money.send(part.line.rate, due);
    else this.#money.keep(part.line.rate, -due);
    this.#money.giveUnnamed(cents - due);
    this.#keptBack += keep;
    if (keep > 0n && !this.#shape.transactions) this.#agrees = false;
    this.#refund({ parts: [part], shipping: 0n, cents, pending }, `${quantity} of line ${index} refunded, ${text(part.cents - cents)} kept`);
  }

  refundShipping(wanted: bigint): void {
    const cents = this.#money.most(wanted);
    this.#goods.giveBackShipping(cents);
    this.#money.keep(this.#goods.shipping.rate, -cents);
    this.#refund({ parts: [], shipping: cents, cents }, `${text(cents)} of the shipping refunded`);
  }

  /** Money goes back without a piece. */
  goodwill(cents: bigint): void {
    this.#money.giveUnnamed(cents);
    if (!this.#shape.transactions || this.owes > 0n) this.#agrees = false;
    this.#refund({ parts: [], shipping: 0n, cents }, `${text(cents)} given back without a piece`);
  }

  /** A return with exchange: pieces come back, others go out. A difference to the customer's favour is refunded at once. */
  exchange(index: number, quantity: number, { line, gateway }: { line: NewLine; gateway: string }): void {
    const part = this.#goods.take(index, quantity);
    this.#add(line);
    const cost = worth(line, line.quantity);
    this.#edits += cost;
    const back = part.cents > cost ? part.cents - cost : 0n;
    this.#money.keep(part.line.rate, -part.cents);
    this.#money.keep(line.rate, part.cents - back);
    this.#money.charge(line.rate, back - part.cents);
    if (back > 0n) this.#refund({ parts: [part], shipping: 0n, cents: back }, `line ${index} exchanged for a cheaper one`);
    else {
      this.#refunds.push({ id: this.#id(), parts: [part], shipping: 0n, tx: [], at: this.now });
      this.#tell('orders/updated', `line ${index} exchanged, ${text(cost - part.cents)} dearer`);
    }
    this.pay(gateway);
  }

  /** Cancelled; all pieces go back, with their money or without it, the shipping only with `shipping`. */
  cancel({ refund, shipping }: { refund: boolean; shipping: boolean }): void {
    this.#cancelledAt = this.now;
    const parts = this.sold.map(({ index, left }) => this.#goods.take(index, left));
    if (!this.isPaid || !refund) {
      for (const { line, cents } of this.isPaid ? parts : []) this.#money.owe(line.rate, cents);
      if (this.isPaid) this.#agrees = false;
      this.#refunds.push({ id: this.#id(), parts, shipping: 0n, tx: [], at: this.now });
      this.#tell('orders/cancelled', 'cancelled, no money given back');
      return;
    }
    const back = shipping ? this.shippingLeft : 0n;
    this.#goods.giveBackShipping(back);
    const due = parts.reduce((sum, { cents }) => sum + cents, back);
    const cents = this.#money.most(due);
    for (const part of parts) this.#money.keep(part.line.rate, -part.cents);
    this.#money.keep(this.#goods.shipping.rate, -back);
    this.#money.giveUnnamed(cents - due);
    this.#refund({ parts, shipping: back, cents }, `cancelled and refunded${shipping ? '' : ', the shipping kept'}`);
  }

  /** Refunds under way arrive. */
  settlePending(): void {
    this.#money.arrive();
    for (const tx of this.#refunds.flatMap((refund) => refund.tx)) {
      if (tx.status !== 'pending') continue;
      tx.status = 'success';
      this.#tell('orders/updated', `refund of ${text(tx.cents)} arrived`);
      this.#tellTransaction({ ...tx });
    }
  }

  /** Everything that was told, and the truth. */
  end(): ToldHistory {
    const byRate = this.isPaid ? this.#money.byRate() : new Map<string, bigint>();
    return { platform: 'shopify', told: this.#told, api: null, truth: { byRate, tolerance: 0n, agrees: this.#agrees && byRate !== null }, story: this.story };
  }

  #add(line: NewLine): void {
    this.#goods.add(line, this.#id());
    this.#money.charge(line.rate, worth(line, line.quantity));
  }

  /** Kept of returned pieces, less what was given back without one. */
  get #discrepancies(): bigint {
    return this.#keptBack - this.#money.unnamed;
  }

  #refund({ parts, shipping, cents, pending = false }: { parts: Part[]; shipping: bigint; cents: bigint; pending?: boolean }, story: string): void {
    const [gateway = 'manual'] = this.#gateways;
    const tx = { id: this.#id(), kind: 'refund', gateway, status: pending ? 'pending' : 'success', cents, at: this.now };
    const refund = { id: this.#id(), parts, shipping, tx: cents === 0n ? [] : [tx], at: this.now };
    this.#refunds.push(refund);
    this.#tell(this.isCancelled ? 'orders/cancelled' : 'orders/updated', story);
    this.#told.push({ topic: 'refunds/create', body: { order_id: 1, ...refundBody(refund, this.#goods.shipping) }, at: this.now });
    if (!pending && cents > 0n) this.#tellTransaction(tx);
  }

  #tell(topic: string, story: string): void {
    this.story.push(story);
    this.#told.push({ topic, body: this.#body(), at: this.now });
    this.now += 7_000;
  }

  #tellTransaction(tx: Tx): void {
    if (this.#shape.transactions) this.#told.push({ topic: 'order_transactions/create', body: { order_id: 1, ...transactionBody(tx) }, at: this.now });
  }

  #body(): Record<string, unknown> {
    const { totalPrice, current, pending } = this.#shape;
    const { due, lines, shipping } = this.#goods;
    return shopifyOrderBody({
      ...{ at: this.now, cancelledAt: this.#cancelledAt, due, lines, shipping, refunds: this.#refunds },
      ...{ paid: this.#paid, back: givenBack(this.#refunds, ({ status }) => status === 'success' || pending === 'counted'), gateways: [...this.#gateways] },
      total: this.#placed + (totalPrice === 'frozen' ? 0n : this.#edits),
      current: due + (current === 'with-discrepancies' ? this.#discrepancies : 0n),
      discrepancies: this.#discrepancies,
    });
  }
}
