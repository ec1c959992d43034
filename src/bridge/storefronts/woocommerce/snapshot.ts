import { createHash } from 'node:crypto';
import { formatMoney } from '../../../contract/money.ts';
import type { Customer } from '../../../contract/record.ts';
import type { RefundMention, Snapshot } from '../../order/facts.ts';
import type { Problem } from '../../order/failure.ts';
import { isBasket } from '../../order/is-basket.ts';
import { absolute, asMoney, roundedMoney } from '../amounts.ts';
import { digestOf } from '../digest.ts';
import { bodyOf } from './line-money.ts';
import { readLines } from './lines.ts';
import type { WooOrder, WooPlaced } from './payload.ts';
import { isOnItsWay, lifecycleOf, paymentOf, rankOf } from './status.ts';

export type WooNews = { orderId: string; snapshot: Snapshot; customer?: Customer };

/** When and how an order was read from the store's API. `allDecimals`: its amounts have all the decimals that the store keeps. */
export type FromApi = Pick<Snapshot, 'readAt' | 'exact'> & { allDecimals?: true };

/** A full order as a snapshot and its buyer. Of a basket, buyer and lines are left out: nobody has bought anything. */
export function newsOf(order: WooOrder, { allDecimals, ...from }: FromApi = {}): WooNews {
  const state = contentOf(order);
  const customer = isBasket(state) ? undefined : customerOf(order);
  const content = { ...state, ...(isBasket(state) ? { lines: [], problems: inexact(order) } : moneyIn(order, allDecimals === true)), ...from };
  const snapshot = { ...content, digest: digestOf({ ...content, customer }) };
  return customer === undefined ? { orderId: order.id, snapshot } : { orderId: order.id, snapshot, customer };
}

type Money = Pick<Snapshot, 'lines' | 'mayBeOff' | 'roundedTo' | 'problems'>;

function contentOf(order: WooOrder): Omit<Snapshot, 'digest' | keyof Money> {
  const payment = paymentOf(order);
  return {
    updatedAt: changedAt(order),
    rank: rankOf(order.status, payment),
    status: order.status,
    lifecycle: lifecycleOf(order),
    payment,
    ...(isOnItsWay(order) ? { onItsWay: true } : {}),
    ...deliveredIn(order),
    ...(order.order_key === '' ? {} : { identity: createHash('sha256').update(order.order_key).digest('hex') }),
    test: false,
    paidAt: typeof order.date_paid_gmt === 'string' ? utc(order.date_paid_gmt) : null,
    placedAt: utc(order.date_created_gmt),
    number: order.number || order.id,
    createdAt: `${order.date_created_gmt}Z`,
    currency: order.currency,
    gateways: order.payment_method === '' ? [] : [order.payment_method],
    transactionId: order.transaction_id || null,
    total: asMoney(order.total, order.currency) ?? order.total,
    vat: asMoney(order.total_tax, order.currency) === null ? roundedMoney(order.total_tax, order.currency) : order.total_tax,
    refunds: order.refunds?.map((refund) => mentionOf(refund, order.currency)) ?? null,
  };
}

// It outlives a refund; in any other status the order was opened again.
function deliveredIn({ status, date_completed_gmt: at }: WooOrder): Pick<Snapshot, 'deliveredAt'> {
  return typeof at === 'string' && (status === 'completed' || status === 'refunded') ? { deliveredAt: utc(at) } : {};
}

function moneyIn(order: WooOrder, exact: boolean): Money {
  const body = bodyOf(order, exact);
  const { problems, ...read } = readLines(body);
  return { ...read, roundedTo: formatMoney(1n, body.decimals), problems: [...problems, ...inexact(order)] };
}

function mentionOf({ id, total }: { id: string; total: string }, currency: string): RefundMention {
  return { id, amount: asMoney(absolute(total), currency) ?? absolute(total) };
}

function inexact({ total, refunds, currency }: WooOrder): Problem[] {
  const amounts = [{ what: 'the total', amount: total }, ...(refunds ?? []).map((refund) => ({ what: `refund ${refund.id}`, amount: refund.total }))];
  return amounts
    .filter(({ amount }) => asMoney(amount, currency) === null)
    .map(({ what, amount }) => ({ code: 'amount.inexact', detail: `${what}: ${amount} ${currency}` }));
}

function customerOf({ billing }: WooOrder): Customer | undefined {
  const given = { email: billing?.email, phone: billing?.phone, firstName: billing?.first_name, lastName: billing?.last_name };
  const customer: Customer = {};
  for (const field of ['email', 'phone', 'firstName', 'lastName'] as const) {
    const value = (given[field] ?? '').trim();
    if (value !== '') customer[field] = value;
  }
  return Object.keys(customer).length > 0 ? customer : undefined;
}

/** When it changed: its `updatedAt`. */
export function changedAt({ date_modified_gmt, date_created_gmt }: Pick<WooPlaced, 'date_modified_gmt' | 'date_created_gmt'>): string {
  return utc(date_modified_gmt ?? date_created_gmt);
}

/** WooCommerce's UTC text without a zone → ISO 8601 with milliseconds. */
export function utc(gmt: string): string {
  return new Date(`${gmt}Z`).toISOString();
}
