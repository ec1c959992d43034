import { share, text } from './money-by-rate.ts';

/** `added`: VAT comes on top of the price. */
export type NewLine = { price: bigint; quantity: number; discount: bigint; rate: string; added?: boolean };

/** What pieces of a line cost after its discount, with VAT. */
export function worth(line: NewLine, pieces: number): bigint {
  const stated = statedWorth(line, pieces);
  return line.added === true ? stated + share(stated, BigInt(line.rate), 100n) : stated;
}

/** The same as the platform states it: without VAT that comes on top. */
function statedWorth({ price, quantity, discount }: NewLine, pieces: number): bigint {
  return share(price * BigInt(quantity) - discount, BigInt(pieces), BigInt(quantity));
}

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

export type Line = NewLine & { id: number; name: string; left: number };
export type Part = { line: Line; quantity: number; cents: bigint; stated: bigint };
export type Tx = { id: number; kind: string; gateway: string; status: string; cents: bigint; at: number };
export type Refund = { id: number; parts: Part[]; shipping: bigint; tx: Tx[]; at: number };

/** `cents`: with VAT, also where it is `added` to the price. */
export type Shipping = { cents: bigint; rate: string; added?: boolean };

/** Takes pieces off a line. Throws if they are not there. */
export function takePieces(line: Line | undefined, quantity: number): Part {
  if (line === undefined || line.left < quantity) throw new Error('the pieces are not there');
  const [before, left] = [line.left, line.left - quantity];
  line.left = left;
  return { line, quantity, cents: worth(line, before) - worth(line, left), stated: statedWorth(line, before) - statedWorth(line, left) };
}

/** The money of those transactions of refunds that count. */
export function givenBack(refunds: readonly Refund[], counts: (tx: Tx) => boolean = () => true): bigint {
  const counting = refunds.flatMap(({ tx }) => tx).filter(counts);
  return counting.reduce((sum, { cents }) => sum + cents, 0n);
}

/** Everything that an order's webhook shows. `due`: what the pieces that are left cost; `back`: the money that is out of the totals. */
export type ShopifyOrderState = {
  at: number;
  cancelledAt: number | null;
  due: bigint;
  total: bigint;
  current: bigint;
  discrepancies: bigint;
  paid: bigint;
  back: bigint;
  gateways: string[];
  lines: Line[];
  shipping: Shipping;
  refunds: Refund[];
};

/** The body of orders/updated and its like. */
export function shopifyOrderBody({ at, cancelledAt, gateways, lines, shipping, refunds, ...money }: ShopifyOrderState): Record<string, unknown> {
  // Made from the pieces and the money, not from what was given back without one.
  const outstanding = money.due + money.discrepancies - (money.paid - money.back);
  return {
    ...{ id: 1, name: '#1001', created_at: '2026-11-02T10:00:00+02:00', processed_at: '2026-11-02T10:00:00+02:00', updated_at: iso(at) },
    ...{ cancelled_at: cancelledAt === null ? null : iso(cancelledAt), currency: 'EUR', taxes_included: shipping.added !== true, test: false },
    financial_status: statusOf(money, { outstanding, isCancelled: cancelledAt !== null }),
    ...{ total_price: text(money.total), current_total_price: text(money.current), total_outstanding: text(outstanding) },
    payment_gateway_names: gateways.length === 0 ? ['shopify_payments'] : gateways,
    line_items: lines.map(lineBody),
    shipping_lines: shipping.cents === 0n ? [] : [shippingBody(shipping)],
    refunds: refunds.map((refund) => refundBody(refund, shipping)),
  };
}

type Paid = Pick<ShopifyOrderState, 'paid' | 'back'>;

function statusOf({ paid, back }: Paid, { outstanding, isCancelled }: { outstanding: bigint; isCancelled: boolean }): string {
  if (paid === 0n) return isCancelled ? 'voided' : 'pending';
  if (outstanding > 0n) return 'partially_paid';
  if (back === 0n) return 'paid';
  return back >= paid ? 'refunded' : 'partially_refunded';
}

function lineBody(line: Line): Record<string, unknown> {
  const { id, name, price, quantity, left, discount, rate } = line;
  const tax = taxOf({ cents: worth(line, quantity), stated: statedWorth(line, quantity) }, line);
  return {
    ...{ id, name, quantity, current_quantity: left, price: text(price), gift_card: false, duties: [], tax_lines: taxBody(tax, rate) },
    discount_allocations: discount === 0n ? [] : [{ amount: text(discount), discount_application_index: 0 }],
  };
}

/** A refund, as its own webhook and its order show it. */
export function refundBody({ id, parts, shipping, tx, at }: Refund, line: Shipping): Record<string, unknown> {
  const named = parts.reduce((sum, part) => sum + part.cents, shipping);
  const money = tx.reduce((sum, { cents }) => sum + cents, 0n);
  const kept = tx.length === 0 ? 0n : named - money;
  return {
    ...{ id, created_at: iso(at), processed_at: iso(at), duties: [] },
    refund_line_items: parts.map(({ line: sold, quantity, cents, stated }) => ({
      ...{ line_item_id: sold.id, quantity, subtotal: Number(text(stated)), total_tax: Number(text(taxOf({ cents, stated }, sold))) },
      line_item: lineBody(sold),
    })),
    refund_shipping_lines:
      shipping === 0n
        ? []
        : [
            {
              shipping_line_id: 7,
              subtotal_amount_set: { shop_money: { amount: text(statedShipping(line, shipping)), currency_code: 'EUR' } },
              shipping_line: shippingBody(line),
            },
          ],
    order_adjustments: kept === 0n ? [] : [{ kind: 'refund_discrepancy', amount: text(kept), tax_amount: '0.00' }],
    transactions: tx.map(transactionBody),
  };
}

type Taxed = { rate: string; added?: boolean };

function taxOf({ cents, stated }: { cents: bigint; stated: bigint }, { rate, added }: Taxed): bigint {
  return added === true ? cents - stated : share(cents, BigInt(rate), 100n + BigInt(rate));
}

function taxBody(tax: bigint, rate: string): Record<string, unknown>[] {
  return rate === '0' ? [] : [{ title: 'ДДС', price: text(tax), rate: Number(rate) / 100 }];
}

function statedShipping({ rate, added }: Shipping, cents: bigint): bigint {
  return added === true ? share(cents, 100n, 100n + BigInt(rate)) : cents;
}

function shippingBody(line: Shipping): Record<string, unknown> {
  const { cents, rate } = line;
  const stated = statedShipping(line, cents);
  return {
    id: 7,
    title: 'Courier',
    price: text(stated),
    tax_lines: taxBody(taxOf({ cents, stated }, line), rate),
    discount_allocations: [],
    is_removed: false,
  };
}

export function transactionBody({ id, kind, gateway, status, cents, at }: Tx): Record<string, unknown> {
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

/** Gives the numbers after `from`, one a call. */
export function counter(from: number): () => number {
  let last = from;
  return () => {
    last += 1;
    return last;
  };
}
