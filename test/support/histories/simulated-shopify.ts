import { KeptMoney } from './kept-money.ts';
import { text } from './money-by-rate.ts';
import {
  counter,
  type Line,
  type NewLine,
  type Part,
  type Refund,
  refundBody,
  type Shape,
  type Shipping,
  shopifyOrderBody,
  type Tx,
  takePieces,
  transactionBody,
  worth,
} from './shopify-bodies.ts';
import type { Told, ToldHistory } from './told-history.ts';

/** One order of a shop on Shopify, as its webhooks show it and as it is in truth. Cents. */
export class SimulatedShopify {
  readonly story: string[] = [];
  readonly #shape: Shape;
  readonly #told: Told[] = [];
  readonly #lines: Line[] = [];
  readonly #refunds: Refund[] = [];
  readonly #shipping: Shipping;
  #shippingBack = 0n;
  /** When the next thing happens, ms since 1970; whole seconds. */
  now = Date.parse('2026-11-02T08:00:00Z');
  readonly #id = counter(100);
  #placed = 0n;
  readonly #gateways = new Set<string>();
  #edits = 0n;
  #paid = 0n;
  #discrepancies = 0n;
  #cancelledAt: number | null = null;
  readonly #money = new KeptMoney();
  /** Pieces whose refund is under way. */
  #underWay: Part[] = [];
  #agrees = true;

  constructor(lines: readonly NewLine[], shipping: Shipping, shape: Shape) {
    this.#shape = shape;
    this.#shipping = shipping;
    for (const line of lines) this.#add(line);
    this.#money.charge(shipping.rate, shipping.cents);
    this.#placed = this.#due();
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

  get owes(): bigint {
    return this.#money.owed;
  }

  /** Is so much money of this line's rate still here? */
  has(index: number, cents: bigint): boolean {
    return this.#money.has(this.#lines[index]?.rate ?? '', cents);
  }

  /** Lines with pieces left. */
  get sold(): readonly { index: number; left: number; cents: bigint }[] {
    return this.#lines.flatMap((line, index) => (line.left > 0 ? [{ index, left: line.left, cents: worth(line, line.left) }] : []));
  }

  get shippingLeft(): bigint {
    return this.#shipping.cents - this.#shippingBack;
  }

  /** The customer pays all that is due. */
  pay(gateway: string): void {
    const cents = this.#due() - this.#paid + this.#back();
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
    const part = this.#takePieces(index, quantity);
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
    const cents = this.owes;
    this.#money.repay();
    this.#refund({ parts: [], shipping: 0n, cents }, `${text(cents)} owed given back`);
  }

  /** Pieces and their money go back; `keep` cents of it stay (a restocking fee). */
  refundPieces(index: number, quantity: number, { keep = 0n, pending = false }: { keep?: bigint; pending?: boolean } = {}): void {
    const part = this.#takePieces(index, quantity);
    if (pending) this.#underWay.push(part);
    else this.#money.keep(part.line.rate, keep - part.cents);
    this.#discrepancies += keep;
    if (keep > 0n && !this.#shape.transactions) this.#agrees = false;
    this.#refund({ parts: [part], shipping: 0n, cents: part.cents - keep, pending }, `${quantity} of line ${index} refunded, ${text(keep)} kept`);
  }

  refundShipping(cents: bigint): void {
    this.#shippingBack += cents;
    this.#money.keep(this.#shipping.rate, -cents);
    this.#refund({ parts: [], shipping: cents, cents }, `${text(cents)} of the shipping refunded`);
  }

  /** Money goes back without a piece. */
  goodwill(cents: bigint): void {
    this.#money.giveUnnamed(cents);
    this.#discrepancies -= cents;
    if (!this.#shape.transactions || this.owes > 0n) this.#agrees = false;
    this.#refund({ parts: [], shipping: 0n, cents }, `${text(cents)} given back without a piece`);
  }

  /** A return with exchange: pieces come back, others go out. A difference to the customer's favour is refunded at once. */
  exchange(index: number, quantity: number, { line, gateway }: { line: NewLine; gateway: string }): void {
    const part = this.#takePieces(index, quantity);
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
    const parts = this.sold.map(({ index, left }) => this.#takePieces(index, left));
    if (!this.isPaid || !refund) {
      for (const { line, cents } of this.isPaid ? parts : []) this.#money.owe(line.rate, cents);
      if (this.isPaid) this.#agrees = false;
      this.#refunds.push({ id: this.#id(), parts, shipping: 0n, tx: [], at: this.now });
      this.#tell('orders/cancelled', 'cancelled, no money given back');
      return;
    }
    const back = shipping ? this.shippingLeft : 0n;
    this.#shippingBack += back;
    const due = parts.reduce((sum, { cents }) => sum + cents, back);
    const short = this.#money.givenBefore(due, this.shippingLeft);
    for (const [i, { line, cents }] of parts.entries()) this.#money.keep(line.rate, (i === 0 ? short : 0n) - cents);
    this.#money.keep(this.#shipping.rate, -back);
    this.#discrepancies += short;
    this.#refund({ parts, shipping: back, cents: due - short }, `cancelled and refunded${shipping ? '' : ', the shipping kept'}`);
  }

  /** Refunds under way arrive. */
  settlePending(): void {
    for (const { line, cents } of this.#underWay) this.#money.keep(line.rate, -cents);
    this.#underWay = [];
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
    return { platform: 'shopify', told: this.#told, api: null, truth: { byRate, within: 0n, agrees: this.#agrees && byRate !== null }, story: this.story };
  }

  #add(line: NewLine): void {
    this.#lines.push({ ...line, id: this.#id(), name: `Piece ${this.#lines.length + 1}`, left: line.quantity });
    this.#money.charge(line.rate, worth(line, line.quantity));
  }

  #takePieces(index: number, quantity: number): Part {
    return takePieces(this.#lines[index], quantity);
  }

  /** What is left costs, before money given back or kept without a piece. */
  #due(): bigint {
    return this.#lines.reduce((sum, line) => sum + worth(line, line.left), this.shippingLeft);
  }

  #back(): bigint {
    return this.#refunds.flatMap(({ tx }) => tx).reduce((sum, { cents }) => sum + cents, 0n) + this.#discrepancies;
  }

  #refund({ parts, shipping, cents, pending = false }: { parts: Part[]; shipping: bigint; cents: bigint; pending?: boolean }, story: string): void {
    const [gateway = 'manual'] = this.#gateways;
    const tx = { id: this.#id(), kind: 'refund', gateway, status: pending ? 'pending' : 'success', cents, at: this.now };
    const refund = { id: this.#id(), parts, shipping, tx: cents === 0n ? [] : [tx], at: this.now };
    this.#refunds.push(refund);
    this.#tell(this.isCancelled ? 'orders/cancelled' : 'orders/updated', story);
    this.#told.push({ topic: 'refunds/create', body: { order_id: 1, ...refundBody(refund, this.#shipping) }, at: this.now });
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
    const arrived = this.#refunds.flatMap(({ tx }) => tx).filter(({ status }) => status === 'success' || pending === 'counted');
    const due = this.#due();
    return shopifyOrderBody({
      ...{ at: this.now, cancelledAt: this.#cancelledAt, due, lines: this.#lines, shipping: this.#shipping, refunds: this.#refunds },
      ...{ paid: this.#paid, back: arrived.reduce((sum, { cents }) => sum + cents, 0n), gateways: [...this.#gateways] },
      total: this.#placed + (totalPrice === 'frozen' ? 0n : this.#edits),
      current: due + (current === 'with-discrepancies' ? this.#discrepancies : 0n),
      discrepancies: this.#discrepancies,
    });
  }
}
