import { createHash } from 'node:crypto';
import { decimal } from '../../../contract/decimal.ts';
import { formatMoney } from '../../../contract/money.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { plainWords } from '../../../contract/plain-words.ts';
import type { Customer } from '../../../contract/record.ts';
import { isBasket, type Lifecycle, type PaymentState, type Refund, type RefundLine, type RefundReference, type Snapshot } from '../../order/facts/facts.ts';
import type { Problem } from '../../order/facts/failure.ts';
import { absolute, addUp, asMoney, isNegative, isZero, negate, roundedMoney, subtract, trimZeros } from '../amounts.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { digestAsMade } from '../hmac.ts';
import { hasAny, topicMismatch, unreadable } from '../read-payload.ts';
import { bodyOf, readLines, smallestAmount, vatRateOf } from './lines.ts';
import { type WooOrder, type WooPlaced, type WooRefund, type WooRefundLine, wooAction, wooDeletion, wooError, wooOrder, wooStatus } from './payload.ts';

export const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;

/** Custom topics for what those leave out. They say that something happened, not what the order is now, so nothing is changed by them alone. */
const actions: Readonly<Record<string, (id: string) => Normalized>> = {
  'action.woocommerce_delete_order': (orderId) => ({ kind: 'order', news: { orderId, deleted: true } }),
  'action.woocommerce_delete_order_refund': (refundId) => ({ kind: 'refund-deleted', refundId }),
  'action.woocommerce_refund_deleted': (refundId) => ({ kind: 'refund-deleted', refundId }),
  'action.woocommerce_order_status_changed': (orderId) => ({ kind: 'order', news: { orderId, changed: true } }),
};

export const alsoTopics = Object.keys(actions);

const { id: _ofEverything, ...ofOrders } = wooOrder.shape;
const orderFields = Object.keys(ofOrders);

/** Pure, never throws. A body is the order's state when it was sent, not when its topic happened. The topic is not signed: the body must fit it. */
export function normalize({ topic }: Envelope, body: unknown): Normalized {
  if (topic === '') return { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: 'the header X-WC-Webhook-Topic is absent' }] };
  const act = ownValue(actions, topic);
  if (act !== undefined) return action(topic, act, body);
  if (!topics.some((known) => known === topic)) return { kind: 'ignored', why: `the topic ${topic} says nothing about an order` };
  const error = wooError.safeParse(body);
  if (error.success) return { kind: 'warning', warning: warningOf(error.data.code) };
  return topic === 'order.deleted' ? deletion(topic, body) : order(topic, body);
}

function action(topic: string, act: (id: string) => Normalized, body: unknown): Normalized {
  const parsed = wooAction.safeParse(body, { error: plainWords });
  if (!parsed.success) return hasAny(body, orderFields) ? topicMismatch(topic, ofDraft(body)) : unreadable(parsed.error);
  return topic === `action.${parsed.data.action}` ? act(parsed.data.arg) : topicMismatch(topic, { isPrivate: false });
}

function deletion(topic: string, body: unknown): Normalized {
  if (isAction(body) || hasAny(body, orderFields)) return topicMismatch(topic, ofDraft(body));
  const parsed = wooDeletion.safeParse(body, { error: plainWords });
  return parsed.success ? { kind: 'order', news: { orderId: parsed.data.id, deleted: true } } : unreadable(parsed.error);
}

// An order that came back has changed by that: its state is newer than its deletion, and a repeated older one brings nothing back.
function order(topic: string, body: unknown): Normalized {
  if (isAction(body)) return topicMismatch(topic, { isPrivate: false });
  const parsed = wooOrder.safeParse(body, { error: plainWords });
  return parsed.success ? { kind: 'order', news: newsOf(parsed.data) } : unreadable(parsed.error);
}

function isAction(body: unknown): boolean {
  return wooAction.safeParse(body).success && !hasAny(body, orderFields);
}

// A visitor who only looked at the checkout is nobody whose data are kept.
function ofDraft(body: unknown): { isPrivate: boolean } {
  const parsed = wooStatus.safeParse(body, { error: plainWords });
  return { isPrivate: parsed.success && isDraft(parsed.data) };
}

function warningOf(code: string): string {
  const said = `The store signs an error (${/^\w{1,80}$/.test(code) ? code : 'of its own'}) instead of an order`;
  if (code.endsWith('_cannot_view'))
    return `${said}: the user who owns the webhook may no longer see orders. Give back the role, or make the webhook anew as a shop manager.`;
  if (code === 'rest_no_route')
    return `${said}: it sends webhooks at once instead of in the background. Remove the filter woocommerce_webhook_deliver_async, and set the webhook’s API version to v3.`;
  if (code.endsWith('_invalid_id')) return `${said}: the order was deleted for good before its webhook was sent. If it was a sale, record it by hand.`;
  return `${said}: orders may be missing. Look at WooCommerce → Status → Logs, and make the webhook anew.`;
}

export type WooNews = { orderId: string; snapshot: Snapshot; customer?: Customer };

/** When and how an order was read from the store's API. `allDecimals`: its amounts have all the decimals that the store keeps. */
type FromApi = Pick<Snapshot, 'readAt' | 'exact'> & { allDecimals?: true };

/** A full order as a snapshot and its buyer. Of a basket, buyer and lines are left out: nobody has bought anything. */
export function newsOf(order: WooOrder, { allDecimals, ...from }: FromApi = {}): WooNews {
  const state = contentOf(order);
  const customer = isBasket(state) ? undefined : customerOf(order);
  const content = { ...state, ...(isBasket(state) ? { lines: [], problems: inexact(order) } : moneyIn(order, allDecimals === true)), ...from };
  const snapshot = { ...content, digest: digestAsMade({ ...content, customer }) };
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
    refunds: order.refunds?.map((refund) => referenceOf(refund, order.currency)) ?? null,
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

function referenceOf({ id, total }: { id: string; total: string }, currency: string): RefundReference {
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

/** When it changed: its `updatedAt`. An order of which the store says no time is taken for the oldest. */
export function changedAt({ date_modified_gmt, date_created_gmt }: Pick<WooPlaced, 'date_modified_gmt' | 'date_created_gmt'>): string {
  return utc(date_modified_gmt ?? date_created_gmt ?? '1970-01-01T00:00:00');
}

/** WooCommerce's UTC text without a zone → ISO 8601 with milliseconds. */
export function utc(gmt: string): string {
  return new Date(`${gmt}Z`).toISOString();
}

/**
 * Place in the life of an order. Plugins' statuses lie between on-hold and completed; a paid state lies above every unpaid one.
 * The keys are WooCommerce's own statuses: `connect` asks what any other means.
 */
const places: Record<string, number> = {
  'auto-draft': 0,
  new: 0,
  draft: 1,
  'checkout-draft': 2,
  pending: 10,
  failed: 20,
  'on-hold': 30,
  processing: 50,
  completed: 70,
  cancelled: 80,
  trash: 85,
  refunded: 90,
};
const PLUGIN_UNPAID = 40;
const PLUGIN_PAID = 60;
const PAID = 100;

const drafts = new Set(['auto-draft', 'new', 'draft', 'checkout-draft']);
const awaitingMoney = new Set(['pending', 'on-hold', 'failed']);
// Of the plugins for deposits; their `date_paid` is that of the deposit.
const awaitingTheRest = new Set(['partially-paid', 'partial-payment']);

type Stated = Pick<WooOrder, 'status' | 'refunds' | 'total'>;
type Paid = Stated & Pick<WooOrder, 'date_paid_gmt'>;

function isDraft({ status }: Pick<WooOrder, 'status'>): boolean {
  return drafts.has(status);
}

/** An order that is marked as refunded while its refunds do not come to its total was taken back, as a cancelled one: no money is seen to have gone. */
export function lifecycleOf(order: Stated): Lifecycle {
  if (isDraft(order)) return 'draft';
  if (order.status === 'trash') return 'trashed';
  return order.status === 'cancelled' || (order.status === 'refunded' && !isRefunded(order)) ? 'cancelled' : 'live';
}

function isRefunded({ refunds, total }: Stated): boolean {
  return !isNegative(subtract(addUp((refunds ?? []).map((refund) => absolute(refund.total))), total));
}

/** `date_paid` outlives cancelling, trashing, refunding and setting back to a draft; a status that awaits money beside it means that the order was opened again. */
export function paymentOf(order: Paid): PaymentState {
  if (awaitingTheRest.has(order.status)) return 'unpaid';
  if (typeof order.date_paid_gmt === 'string') return awaitingMoney.has(order.status) ? 'outstanding' : 'paid';
  if (order.status === 'completed') return 'paid';
  return order.status === 'refunded' && (order.refunds ?? []).length > 0 ? 'paid' : 'unpaid';
}

/** Accepted by the store, and neither paid nor in a status that awaits money first: what is paid on delivery is such an order, whatever its gateway. */
function isOnItsWay(order: Paid): boolean {
  const awaits = awaitingMoney.has(order.status) || awaitingTheRest.has(order.status) || order.status === 'refunded';
  return !awaits && lifecycleOf(order) === 'live' && paymentOf(order) === 'unpaid';
}

/** Breaks ties of `date_modified_gmt`, which has whole seconds. */
function rankOf(status: string, payment: PaymentState): number {
  const paid = payment === 'paid';
  const place = Object.hasOwn(places, status) ? places[status] : undefined;
  return (place ?? (paid ? PLUGIN_PAID : PLUGIN_UNPAID)) + (paid ? PAID : 0);
}

/** Is it one of WooCommerce's own, not of a plugin? */
export function isOwnStatus(status: string): boolean {
  return Object.hasOwn(places, status);
}

/** A refund of the REST API with the lines that it takes back. */
export function toRefund(refund: WooRefund): Refund {
  const given = [...refund.line_items, ...refund.shipping_lines, ...refund.fee_lines];
  const amount = absolute(refund.amount);
  const rates = { listed: refund.tax_lines, smallest: smallestAmount([amount]) };
  const lines = given.flatMap((line) => toRefundLine(line, vatRateOf(line, rates)));
  return { id: refund.id, at: utc(refund.date_created_gmt), amount, transactions: [], lines: withoutGap(lines, given, amount) };
}

/** With “Round tax at subtotal level” the shown amounts may differ from the money by half the smallest amount each: the largest line takes the gap. */
function withoutGap(lines: RefundLine[], given: WooRefundLine[], amount: string): RefundLine[] {
  const gap = subtract(amount, addUp(lines.map((line) => line.amount)));
  const shown = given.flatMap(({ total, total_tax }) => [total, total_tax]).filter((each) => !isZero(each));
  const explained = decimal(smallestAmount([amount, ...shown]))
    .times(BigInt(shown.length))
    .div(2n);
  if (lines.length === 0 || isZero(gap) || decimal(gap).abs().gt(explained)) return lines;
  const largest = lines.reduce((a, b) => (isNegative(subtract(absolute(a.amount), absolute(b.amount))) ? b : a));
  return lines.map((line) => (line === largest ? { ...line, amount: addUp([line.amount, gap]) } : line));
}

// Negated: what a refund gives back is below zero, and above for a fee that was a discount. A line that names none of the
// order's is left out; its money is in the refund's amount.
function toRefundLine({ quantity, total, total_tax, meta_data }: WooRefundLine, rate: string | null): RefundLine[] {
  const given = meta_data.find(({ key }) => key === '_refunded_item_id')?.value;
  const lineId = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  const line = { lineId, quantity: trimZeros(absolute(quantity ?? '0')), amount: negate(addUp([total, total_tax])), ...(rate === null ? {} : { rate }) };
  return lineId === '' || (isZero(line.quantity) && isZero(line.amount)) ? [] : [line];
}
