import { lessUnnamed, type MoneyByRate, plus, share, text, totalOf } from './money-by-rate.ts';
import type { Told, ToldHistory } from './told-history.ts';

/** What Shopify's documentation leaves open; each history takes one of every pair. */
export type Shape = {
  /** `total_price` as placed, or following edits; never following returns. */
  totalPrice: 'frozen' | 'following';
  /** Does `current_total_price` follow money that was given back without a piece, or kept of a returned one? */
  current: 'with-discrepancies' | 'without-discrepancies';
  /** Is a refund under way out of the order's totals already? */
  pending: 'counted' | 'not-counted';
  /** Has the app subscribed to order_transactions/create? */
  transactions: boolean;
};

export type NewLine = { price: bigint; quantity: number; discount: bigint; rate: string };

type Line = NewLine & { id: number; name: string; left: number };
type Part = { line: Line; quantity: number; cents: bigint };
type Tx = { id: number; kind: string; gateway: string; status: string; cents: bigint; at: number };
type Refund = { id: number; parts: Part[]; shipping: bigint; tx: Tx[]; at: number };

const SECOND = 1_000;

/** One order of a shop on Shopify whose prices contain VAT, as its webhooks show it and as it is in truth. Cents. */
export class SimulatedShopify {
  readonly story: string[] = [];
  readonly #shape: Shape;
  readonly #told: Told[] = [];
  readonly #lines: Line[] = [];
  readonly #refunds: Refund[] = [];
  readonly #shipping: { cents: bigint; rate: string };
  #shippingBack = 0n;
  #now = Date.parse('2026-11-02T08:00:00Z');
  #nextId = 100;
  #placed = 0n;
  #edits = 0n;
  #paid = 0n;
  #discrepancies = 0n;
  #cancelledAt: number | null = null;
  #kept: MoneyByRate = new Map();
  #unpaid: MoneyByRate = new Map();
  /** Pieces whose refund is under way. */
  #underWay: Part[] = [];
  /** Taken off after it was paid, and not given back yet. */
  #owed: MoneyByRate = new Map();
  #unnamed = 0n;
  #agrees = true;

  constructor(lines: readonly NewLine[], shipping: { cents: bigint; rate: string }, shape: Shape) {
    this.#shape = shape;
    this.#shipping = shipping;
    for (const line of lines) this.#add(line);
    this.#unpaid = plus(this.#unpaid, shipping.rate, shipping.cents);
    this.#placed = this.#due();
    this.#tell('orders/create', 'placed');
  }

  get isPaid(): boolean {
    return this.#paid > 0n;
  }

  /** Money went back that names no piece. */
  get gaveUnnamed(): boolean {
    return this.#unnamed > 0n;
  }

  get isCancelled(): boolean {
    return this.#cancelledAt !== null;
  }

  get owes(): bigint {
    return totalOf(this.#owed);
  }

  /** Is so much money of this line's rate still here? */
  has(index: number, cents: bigint): boolean {
    return (this.#kept.get(this.#lines[index]?.rate ?? '') ?? 0n) - this.#unnamed >= cents;
  }

  /** Lines with pieces left. */
  get sold(): readonly { index: number; left: number; cents: bigint }[] {
    return this.#lines.flatMap((line, index) => (line.left > 0 ? [{ index, left: line.left, cents: this.#valueOf(line, line.left) }] : []));
  }

  get shippingLeft(): bigint {
    return this.#shipping.cents - this.#shippingBack;
  }

  /** The customer pays all that is due. */
  pay(gateway: string): void {
    const cents = this.#due() - this.#paid + this.#back();
    if (cents <= 0n) return;
    this.#paid += cents;
    for (const [rate, part] of this.#unpaid) this.#kept = plus(this.#kept, rate, part);
    this.#unpaid = new Map();
    const tx = { id: this.#id(), kind: 'sale', gateway, status: 'success', cents, at: this.#now };
    this.#gateways.add(gateway);
    this.#tell('orders/paid', `paid ${text(cents)} by ${gateway}`);
    this.#tellTransaction(tx);
  }

  /** An edit takes pieces off; their money, if it was paid, is still here. */
  takeOff(index: number, quantity: number): void {
    const part = this.#takePieces(index, quantity);
    this.#edits -= part.cents;
    if (this.isPaid) this.#owed = plus(this.#owed, part.line.rate, part.cents);
    else this.#unpaid = plus(this.#unpaid, part.line.rate, -part.cents);
    // Booked as a refund without transactions.
    this.#refunds.push({ id: this.#id(), parts: [part], shipping: 0n, tx: [], at: this.#now });
    this.#tell('orders/updated', `${quantity} of line ${index} taken off`);
  }

  /** An edit adds a line; it is paid by `pay`. */
  addLine(line: NewLine): void {
    this.#add(line);
    this.#edits += line.price * BigInt(line.quantity) - line.discount;
    this.#tell('orders/updated', `a line of ${text(line.price)} × ${line.quantity} added`);
  }

  /** The money of pieces that were taken off goes back, without naming them. */
  giveBackOwed(): void {
    const cents = this.owes;
    for (const [rate, part] of this.#owed) this.#kept = plus(this.#kept, rate, -part);
    this.#owed = new Map();
    this.#refund({ parts: [], shipping: 0n, cents }, `${text(cents)} owed given back`);
  }

  /** Pieces and their money go back; `keep` cents of it stay (a restocking fee). */
  refundPieces(index: number, quantity: number, { keep = 0n, pending = false }: { keep?: bigint; pending?: boolean } = {}): void {
    const part = this.#takePieces(index, quantity);
    if (pending) this.#underWay.push(part);
    else this.#kept = plus(this.#kept, part.line.rate, keep - part.cents);
    this.#discrepancies += keep;
    if (keep > 0n && !this.#shape.transactions) this.#agrees = false;
    this.#refund({ parts: [part], shipping: 0n, cents: part.cents - keep, pending }, `${quantity} of line ${index} refunded, ${text(keep)} kept`);
  }

  refundShipping(cents: bigint): void {
    this.#shippingBack += cents;
    this.#kept = plus(this.#kept, this.#shipping.rate, -cents);
    this.#refund({ parts: [], shipping: cents, cents }, `${text(cents)} of the shipping refunded`);
  }

  /** Money goes back without a piece. */
  goodwill(cents: bigint): void {
    this.#unnamed += cents;
    this.#discrepancies -= cents;
    if (!this.#shape.transactions || this.owes > 0n) this.#agrees = false;
    this.#refund({ parts: [], shipping: 0n, cents }, `${text(cents)} given back without a piece`);
  }

  /** A return with exchange: pieces come back, others go out. A difference to the customer's favour is refunded at once. */
  exchange(index: number, quantity: number, { line, gateway }: { line: NewLine; gateway: string }): void {
    const part = this.#takePieces(index, quantity);
    const cost = line.price * BigInt(line.quantity) - line.discount;
    this.#add(line);
    this.#edits += cost;
    const back = part.cents > cost ? part.cents - cost : 0n;
    this.#kept = plus(plus(this.#kept, part.line.rate, -part.cents), line.rate, part.cents - back);
    this.#unpaid = plus(this.#unpaid, line.rate, back - part.cents);
    if (back > 0n) this.#refund({ parts: [part], shipping: 0n, cents: back }, `line ${index} exchanged for a cheaper one`);
    else {
      this.#refunds.push({ id: this.#id(), parts: [part], shipping: 0n, tx: [], at: this.#now });
      this.#tell('orders/updated', `line ${index} exchanged, ${text(cost - part.cents)} dearer`);
    }
    this.pay(gateway);
  }

  /** Cancelled; all pieces go back, with their money or without it, the shipping only with `shipping`. */
  cancel({ refund, shipping }: { refund: boolean; shipping: boolean }): void {
    this.#cancelledAt = this.#now;
    const parts = this.sold.map(({ index, left }) => this.#takePieces(index, left));
    if (!this.isPaid || !refund) {
      for (const { line, cents } of this.isPaid ? parts : []) this.#owed = plus(this.#owed, line.rate, cents);
      if (this.isPaid) this.#agrees = false;
      this.#refunds.push({ id: this.#id(), parts, shipping: 0n, tx: [], at: this.#now });
      this.#tell('orders/cancelled', 'cancelled, no money given back');
      return;
    }
    for (const { line, cents } of parts) this.#kept = plus(this.#kept, line.rate, -cents);
    const back = shipping ? this.shippingLeft : 0n;
    this.#shippingBack += back;
    this.#kept = plus(this.#kept, this.#shipping.rate, -back);
    const cents = parts.reduce((sum, part) => sum + part.cents, back);
    this.#refund({ parts, shipping: back, cents }, `cancelled and refunded${shipping ? '' : ', the shipping kept'}`);
  }

  /** Refunds under way arrive. */
  settlePending(): void {
    for (const { line, cents } of this.#underWay) this.#kept = plus(this.#kept, line.rate, -cents);
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
    const byRate = this.isPaid ? lessUnnamed(this.#kept, this.#unnamed) : new Map<string, bigint>();
    const truth = { byRate, within: 0n, agrees: this.#agrees && byRate !== null };
    return { platform: 'shopify', told: this.#told, api: null, truth, story: this.story };
  }

  readonly #gateways = new Set<string>();

  #add(line: NewLine): void {
    this.#lines.push({ ...line, id: this.#id(), name: `Piece ${this.#lines.length + 1}`, left: line.quantity });
    this.#unpaid = plus(this.#unpaid, line.rate, this.#valueOf(line, line.quantity));
  }

  #takePieces(index: number, quantity: number): Part {
    const line = this.#lines[index];
    if (line === undefined || line.left < quantity) throw new Error('the pieces are not there');
    const cents = this.#valueOf(line, line.left) - this.#valueOf(line, line.left - quantity);
    line.left -= quantity;
    return { line, quantity, cents };
  }

  #valueOf({ price, quantity, discount }: NewLine, left: number): bigint {
    return share(price * BigInt(quantity) - discount, BigInt(left), BigInt(quantity));
  }

  #valueByRate(): MoneyByRate {
    const lines = this.#lines.reduce((all, line) => plus(all, line.rate, this.#valueOf(line, line.left)), new Map() as MoneyByRate);
    return plus(lines, this.#shipping.rate, this.shippingLeft);
  }

  /** What is left costs, before money given back or kept without a piece. */
  #due(): bigint {
    return totalOf(this.#valueByRate());
  }

  #back(): bigint {
    return this.#refunds.flatMap(({ tx }) => tx).reduce((sum, { cents }) => sum + cents, 0n) + this.#discrepancies;
  }

  #refund({ parts, shipping, cents, pending = false }: { parts: Part[]; shipping: bigint; cents: bigint; pending?: boolean }, story: string): void {
    const [gateway = 'manual'] = this.#gateways;
    const tx = { id: this.#id(), kind: 'refund', gateway, status: pending ? 'pending' : 'success', cents, at: this.#now };
    const refund = { id: this.#id(), parts, shipping, tx: cents === 0n ? [] : [tx], at: this.#now };
    this.#refunds.push(refund);
    this.#tell(this.isCancelled ? 'orders/cancelled' : 'orders/updated', story);
    this.#told.push({ topic: 'refunds/create', body: { order_id: 1, ...this.#refundBody(refund) }, at: this.#now });
    if (!pending && cents > 0n) this.#tellTransaction(tx);
  }

  #id(): number {
    this.#nextId += 1;
    return this.#nextId;
  }

  #tell(topic: string, story: string): void {
    this.story.push(story);
    this.#told.push({ topic, body: this.#body(), at: this.#now });
    this.#now += 7 * SECOND;
  }

  #tellTransaction(tx: Tx): void {
    if (this.#shape.transactions) this.#told.push({ topic: 'order_transactions/create', body: { order_id: 1, ...transactionBody(tx) }, at: this.#now });
  }

  #body(): Record<string, unknown> {
    const arrived = this.#refunds.flatMap(({ tx }) => tx).filter(({ status }) => status === 'success' || this.#shape.pending === 'counted');
    const back = arrived.reduce((sum, { cents }) => sum + cents, 0n);
    const current = this.#due() + (this.#shape.current === 'with-discrepancies' ? this.#discrepancies : 0n);
    // What is left to pay is made from the pieces and the money, not from what was given back without one.
    const outstanding = this.#due() + this.#discrepancies - (this.#paid - back);
    const edits = this.#shape.totalPrice === 'frozen' ? 0n : this.#edits;
    return {
      id: 1,
      name: '#1001',
      created_at: '2026-11-02T10:00:00+02:00',
      processed_at: '2026-11-02T10:00:00+02:00',
      updated_at: iso(this.#now),
      cancelled_at: this.#cancelledAt === null ? null : iso(this.#cancelledAt),
      currency: 'EUR',
      taxes_included: true,
      financial_status: this.#status(back, outstanding),
      test: false,
      total_price: text(this.#placed + edits),
      current_total_price: text(current),
      total_outstanding: text(outstanding),
      payment_gateway_names: this.#gateways.size === 0 ? ['shopify_payments'] : [...this.#gateways],
      line_items: this.#lines.map((line) => this.#lineBody(line)),
      shipping_lines: this.#shipping.cents === 0n ? [] : [shippingBody(this.#shipping)],
      refunds: this.#refunds.map((refund) => this.#refundBody(refund)),
    };
  }

  #status(back: bigint, outstanding: bigint): string {
    if (!this.isPaid) return this.isCancelled ? 'voided' : 'pending';
    if (outstanding > 0n) return 'partially_paid';
    if (back === 0n) return 'paid';
    return back >= this.#paid ? 'refunded' : 'partially_refunded';
  }

  #lineBody({ id, name, price, quantity, left, discount, rate }: Line): Record<string, unknown> {
    const cents = price * BigInt(quantity) - discount;
    return {
      ...{ id, name, quantity, current_quantity: left, price: text(price), gift_card: false, duties: [], tax_lines: taxBody(cents, rate) },
      discount_allocations: discount === 0n ? [] : [{ amount: text(discount), discount_application_index: 0 }],
    };
  }

  #refundBody({ id, parts, shipping, tx, at }: Refund): Record<string, unknown> {
    const named = parts.reduce((sum, part) => sum + part.cents, shipping);
    const money = tx.reduce((sum, { cents }) => sum + cents, 0n);
    const kept = tx.length === 0 ? 0n : named - money;
    return {
      ...{ id, created_at: iso(at), processed_at: iso(at), duties: [] },
      refund_line_items: parts.map(({ line, quantity, cents }) => ({
        ...{ line_item_id: line.id, quantity, subtotal: Number(text(cents)), total_tax: Number(text(taxIn(cents, line.rate))) },
        line_item: this.#lineBody(line),
      })),
      refund_shipping_lines:
        shipping === 0n
          ? []
          : [
              {
                shipping_line_id: 7,
                subtotal_amount_set: { shop_money: { amount: text(shipping), currency_code: 'EUR' } },
                shipping_line: shippingBody(this.#shipping),
              },
            ],
      order_adjustments: kept === 0n ? [] : [{ kind: 'refund_discrepancy', amount: text(kept), tax_amount: '0.00' }],
      transactions: tx.map(transactionBody),
    };
  }
}

function taxIn(cents: bigint, rate: string): bigint {
  return share(cents, BigInt(rate), 100n + BigInt(rate));
}

function taxBody(cents: bigint, rate: string): Record<string, unknown>[] {
  return rate === '0' ? [] : [{ title: 'ДДС', price: text(taxIn(cents, rate)), rate: Number(rate) / 100 }];
}

function shippingBody({ cents, rate }: { cents: bigint; rate: string }): Record<string, unknown> {
  return { id: 7, title: 'Courier', price: text(cents), tax_lines: taxBody(cents, rate), discount_allocations: [], is_removed: false };
}

function transactionBody({ id, kind, gateway, status, cents, at }: Tx): Record<string, unknown> {
  return {
    id,
    kind,
    gateway,
    status,
    amount: text(cents),
    currency: 'EUR',
    authorization: null,
    payment_id: `r${id}`,
    created_at: iso(at),
    processed_at: iso(at),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString().replace('.000', '');
}
