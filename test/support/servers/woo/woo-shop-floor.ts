import {
  centsOf,
  gmt,
  lineBody,
  paidFor,
  refundLineBody,
  type Sold,
  taxLines,
  textOf,
  type WooLineBody,
  type WooOrderBody,
  type WooRefundBody,
} from './woo-bodies.ts';

/** Something of which webhooks of a topic tell: `order.updated` of order 7, `action.woocommerce_refund_deleted` of refund 8. */
export type WooEvent = { topic: string; id: number };

type Bought = { items?: readonly Sold[]; shipping?: Sold; gateway?: string; paid?: boolean; values?: Partial<WooOrderBody> };

/**
 * The orders of one shop (HPOS), and what its merchant and its customers do with them. Every save moves `date_modified_gmt` to the whole second of
 * `now`, but for those of which WooCommerce's facts say that it stands still. `onEvent` gets what webhooks would tell, in order.
 */
export class WooShopFloor {
  readonly orders = new Map<number, WooOrderBody>();
  readonly refunds = new Map<number, WooRefundBody>();
  readonly #beforeTrash = new Map<number, string>();
  readonly #now: () => number;
  readonly #onEvent: (event: WooEvent) => void;
  #lastId: number;

  constructor({ now, onEvent, firstId = 1 }: { now(): number; onEvent(event: WooEvent): void; firstId?: number }) {
    this.#now = now;
    this.#onEvent = onEvent;
    this.#lastId = firstId - 1;
  }

  /** An order of one T-shirt for 24.00, paid by card, unless it says otherwise. */
  buy({ items = [{ cents: 2400 }], shipping, gateway = 'stripe', paid = true, values = {} }: Bought = {}): WooOrderBody {
    const id = this.#nextId();
    const at = gmt(this.#now());
    const line_items = items.map((item) => lineBody(this.#nextId(), item));
    const shipping_lines = shipping === undefined ? [] : [lineBody(this.#nextId(), { name: 'Courier', ...shipping })];
    const order: WooOrderBody = {
      ...{ id, number: String(id), order_key: `wc_order_${id}`, status: paid ? 'processing' : 'pending', currency: 'EUR' },
      ...{ date_created_gmt: at, date_modified_gmt: at, date_paid_gmt: paid ? at : null },
      ...{ ...totalsOf([...line_items, ...shipping_lines]), payment_method: gateway, transaction_id: paid && gateway === 'stripe' ? `ch_${id}` : '' },
      billing: { first_name: 'Мария', last_name: 'Иванова', email: 'maria@example.invalid', phone: '' },
      ...{ line_items, shipping_lines, fee_lines: [], tax_lines: taxLines, refunds: [], ...values },
    };
    this.orders.set(id, order);
    this.#tell('order.created', id);
    this.#tell('order.updated', id);
    return order;
  }

  /** Another status; those that mean money set the moment of payment. */
  setStatus(id: number, status: string): void {
    const order = this.order(id);
    const pays = status === 'completed' || (status === 'processing' && order.payment_method !== 'cod');
    if (pays && order.date_paid_gmt === null) order.date_paid_gmt = gmt(this.#now());
    const wasTrashed = order.status === 'trash';
    order.status = status;
    this.#moved(order);
    // An order that is brought out of the trash so is told of by no topic but this.
    if (!wasTrashed) this.#tell('order.updated', id);
    this.#tell('action.woocommerce_order_status_changed', id);
  }

  pay(id: number): void {
    this.setStatus(id, 'processing');
  }

  /** Any save, such as of a note's field. */
  save(id: number, values: Partial<WooOrderBody> = {}): void {
    this.#moved(Object.assign(this.order(id), values));
    this.#tell('order.updated', id);
  }

  /** A line gets another quantity; with 0 it is taken off. */
  edit(id: number, { line = 0, quantity }: { line?: number; quantity: number }): void {
    const order = this.order(id);
    const changed = order.line_items[line];
    if (changed === undefined) throw new Error(`order ${id} has no line ${line}`);
    const rest = order.line_items.filter((one) => one !== changed);
    const items = quantity === 0 ? rest : order.line_items.map((one) => (one === changed ? scaled(one, quantity) : one));
    this.save(id, { line_items: items, ...totalsOf([...items, ...order.shipping_lines]) });
  }

  /** Gives back an amount (all that is left, if absent), booked on the lines one after the other; `byLines` false: an amount alone. */
  refund(id: number, { cents, byLines = true }: { cents?: number; byLines?: boolean } = {}): WooRefundBody {
    const order = this.order(id);
    const left = centsOf(order.total) - this.#givenBack(order);
    const amount = cents ?? left;
    const refundId = this.#nextId();
    const at = gmt(this.#now());
    const lines = byLines ? this.#backs(order, amount) : { line_items: [], shipping_lines: [] };
    const refund = { id: refundId, parent_id: id, date_created_gmt: at, date_modified_gmt: at, amount: textOf(amount), reason: '', ...lines, fee_lines: [] };
    this.refunds.set(refundId, refund);
    order.refunds = [{ id: refundId, reason: '', total: `-${textOf(amount)}` }, ...order.refunds];
    if (amount === left) order.status = 'refunded';
    this.#moved(order);
    this.#tell('order.updated', id);
    return refund;
  }

  /** As in the admin: the order's time of change stands still, and only a custom topic tells, by the refund's id. */
  deleteRefund(id: number, refundId: number): void {
    const order = this.order(id);
    order.refunds = order.refunds.filter((refund) => refund.id !== refundId);
    this.refunds.delete(refundId);
    this.#tell('action.woocommerce_refund_deleted', refundId);
  }

  trash(id: number): void {
    const order = this.order(id);
    this.#beforeTrash.set(id, order.status);
    order.status = 'trash';
    this.#moved(order);
    this.#tell('order.deleted', id);
  }

  restore(id: number): void {
    const order = this.order(id);
    order.status = this.#beforeTrash.get(id) ?? 'pending';
    this.#moved(order);
    this.#tell('order.restored', id);
    this.#tell('order.updated', id);
  }

  /** From then on it is in no list, and 404. */
  deleteForGood(id: number): void {
    const { refunds } = this.order(id);
    for (const refund of refunds) this.refunds.delete(refund.id);
    this.orders.delete(id);
    this.#tell('action.woocommerce_before_delete_order', id);
    this.#tell('action.woocommerce_delete_order', id);
  }

  order(id: number): WooOrderBody {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`the shop has no order ${id}`);
    return order;
  }

  /** Paid and kept of all its orders, in cents: what must be recorded in the end. */
  kept(): number {
    const counts = [...this.orders.values()].filter(({ status, date_paid_gmt }) => date_paid_gmt !== null && status !== 'trash' && status !== 'cancelled');
    return counts.reduce((sum, order) => sum + centsOf(order.total) - this.#givenBack(order), 0);
  }

  #givenBack({ refunds }: WooOrderBody): number {
    return refunds.reduce((sum, { total }) => sum - centsOf(total), 0);
  }

  #backs(order: WooOrderBody, amount: number) {
    let left = amount;
    const back = (line: WooLineBody) => {
      const before = order.refunds.flatMap(({ id }) => this.refunds.get(id) ?? []).flatMap((refund) => [...refund.line_items, ...refund.shipping_lines]);
      const mine = before.filter(({ meta_data }) => meta_data.some(({ value }) => value === String(line.id)));
      const cents = Math.min(left, paidFor([line]) + paidFor(mine));
      left -= cents;
      const pieces = cents === paidFor([line]) ? line.quantity : 0;
      return cents === 0 ? [] : [refundLineBody(this.#nextId(), line, { quantity: pieces, cents })];
    };
    return { line_items: order.line_items.flatMap(back), shipping_lines: order.shipping_lines.flatMap(back) };
  }

  #moved(order: WooOrderBody): void {
    order.date_modified_gmt = gmt(this.#now());
  }

  #tell(topic: string, id: number): void {
    this.#onEvent({ topic, id });
  }

  #nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }
}

function scaled(line: WooLineBody, quantity: number): WooLineBody {
  const rate = taxLines.find(({ rate_id }) => rate_id === line.taxes[0]?.id)?.rate_percent;
  const cents = Math.round(paidFor([line]) / line.quantity);
  return lineBody(line.id, { cents, quantity, name: line.name, rate: rate === 9 ? 9 : rate === 20 ? 20 : 0 });
}

function totalsOf(lines: readonly WooLineBody[]): { total: string; total_tax: string } {
  return { total: textOf(paidFor(lines)), total_tax: textOf(lines.reduce((sum, { total_tax }) => sum + centsOf(total_tax), 0)) };
}
