import { z } from 'zod';
import { plainWords } from '../../../contract/plain-words.ts';
import type { Customer } from '../../../contract/record.ts';
import type { PaymentState, Refund, Snapshot } from '../../order/facts/facts.ts';
import type { Problem } from '../../order/facts/failure.ts';
import { asMoney, isZero, trimZeros } from '../amounts.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { digestAsMade } from '../hmac.ts';
import { unreadable } from '../read-payload.ts';
import { deletedMessage, orderMessage, refundMessage, type StandardOrder, type StandardRefund } from './payload.ts';

export const topics = ['order.paid', 'order.updated', 'order.refunded', 'order.cancelled'] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

const anyMessage = z.looseObject({ data: z.looseObject({}) });
const nothing = z.null().optional();
const anyDeletion = z.looseObject({ data: z.looseObject({ order: z.looseObject({ deleted: z.literal(true) }) }) });
const loneRefund = z.looseObject({ data: z.looseObject({ order: nothing, refund: z.looseObject({}) }) });

/** Pure, never throws. What counts is the order or the refund in the body, whatever its type says: a shop's own word must not lose a sale. */
export function normalize({ sentAt }: Envelope, body: unknown): Normalized {
  const message = anyMessage.safeParse(body, { error: plainWords });
  if (!message.success) return unreadable(message.error);
  // Chosen by hand: the issues of a union would not say which of its forms was meant.
  if (anyDeletion.safeParse(body).success) return deletion(body, sentAt);
  return loneRefund.safeParse(body).success ? refundAlone(body) : wholeOrder(body, sentAt);
}

function deletion(body: unknown, sentAt: string | undefined): Normalized {
  const parsed = deletedMessage.safeParse(body, { error: plainWords });
  if (!parsed.success) return unreadable(parsed.error);
  const { id, updatedAt } = parsed.data.data.order;
  const on = updatedAt === undefined || isAhead({ updatedAt }, sentAt) ? {} : { deletedOn: utc(updatedAt) };
  const refunds = aloneIn(parsed.data);
  return { kind: 'order', news: { orderId: id, deleted: true, ...on, ...(refunds.length > 0 ? { refunds } : {}) } };
}

function refundAlone(body: unknown): Normalized {
  const parsed = refundMessage.safeParse(body, { error: plainWords });
  if (!parsed.success) return unreadable(parsed.error);
  return { kind: 'order', news: { orderId: parsed.data.data.orderId, refunds: aloneIn(parsed.data) } };
}

/** A refund by itself, or beside its order. */
function aloneIn({ data: { refund } }: { data: { refund?: StandardRefund | null | undefined } }): Refund[] {
  return refund ? [{ ...refundOf(refund), listed: '' }] : [];
}

function wholeOrder(body: unknown, sentAt: string | undefined): Normalized {
  const parsed = orderMessage.safeParse(body, { error: plainWords });
  if (!parsed.success) return unreadable(parsed.error);
  const { order } = parsed.data.data;
  if (isAhead(order, sentAt)) return ahead(order);
  const customer = customerOf(order);
  const updatedAt = utc(order.updatedAt);
  const listed = (order.refunds ?? []).map((refund) => ({ ...refundOf(refund), version: updatedAt, listed: updatedAt }));
  const news = { orderId: order.id, snapshot: snapshotOf(order, unlisted(order, parsed.data.data.refund)), refunds: [...listed, ...aloneIn(parsed.data)] };
  return { kind: 'order', news: customer === undefined ? news : { ...news, customer } };
}

// The latest state wins: one that is dated ahead would win over every true one until its day has come.
function isAhead({ updatedAt }: Pick<StandardOrder, 'updatedAt'>, sentAt: string | undefined): boolean {
  return sentAt !== undefined && Date.parse(updatedAt) > Date.parse(sentAt) + DAY_MS;
}

function ahead({ updatedAt }: StandardOrder): Normalized {
  const detail = `data.order.updatedAt: ${updatedAt} is more than a day ahead of the message, so the order would take no later change`;
  return { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail }] };
}

/** Place in the life of an order: breaks ties of `updatedAt`. */
const places = { pending: 10, 'on-delivery': 20, paid: 30, cancelled: 40 } as const;
const REFUNDED = 50;
const PAID = 100;

function snapshotOf(order: StandardOrder, unlisted: Problem[]): Snapshot {
  const stated = contentOf(order);
  const content = { ...stated, problems: [...stated.problems, ...unlisted] };
  return { ...content, digest: digestAsMade({ ...content, customer: customerOf(order) }) };
}

function contentOf(order: StandardOrder): Omit<Snapshot, 'digest'> {
  const payment = paymentOf(order);
  return {
    updatedAt: utc(order.updatedAt),
    rank: rankOf(order, payment),
    status: order.status,
    lifecycle: order.status === 'cancelled' ? 'cancelled' : 'live',
    payment,
    test: order.test,
    paidAt: typeof order.paidAt === 'string' ? utc(order.paidAt) : null,
    ...(typeof order.deliveredAt === 'string' ? { deliveredAt: utc(order.deliveredAt) } : {}),
    placedAt: utc(order.createdAt),
    number: order.number,
    createdAt: order.createdAt,
    currency: order.currency,
    gateways: order.payment ? [order.payment.method] : [],
    transactionId: order.payment?.transactionId ?? null,
    lines: order.lines.map((line) => lineOf(line, order.currency)),
    total: moneyText(order.total, order.currency),
    refunds: order.refunds?.map(({ id, amount }) => ({ id, amount: moneyText(amount, order.currency) })) ?? null,
    problems: inexact(order),
  };
}

function lineOf({ id, kind, name, giftCard, ...line }: StandardOrder['lines'][number], currency: string): Snapshot['lines'][number] {
  const [gross, discount] = [moneyText(line.amount, currency), moneyText(line.discount, currency)];
  const sold = { id, kind, name, quantity: trimZeros(line.quantity), gross, discount, vatRate: trimZeros(line.vatRate) };
  return giftCard ? { ...sold, giftCard } : sold;
}

/** A moment of payment outlives cancelling; beside the status pending it means that an edit left something unpaid. */
function paymentOf({ status, paidAt }: StandardOrder): PaymentState {
  if (typeof paidAt === 'string') return status === 'paid' || status === 'cancelled' ? 'paid' : 'outstanding';
  return status === 'on-delivery' ? 'on-delivery' : 'unpaid';
}

function rankOf({ status, refunds }: StandardOrder, payment: PaymentState): number {
  const refunded = (refunds ?? []).length > 0 ? REFUNDED : 0;
  return places[status] + refunded + (payment === 'paid' ? PAID : 0);
}

function inexact({ currency, total, lines, refunds }: StandardOrder): Problem[] {
  const amounts = [
    { what: 'the total', amount: total },
    ...lines.flatMap(({ id, amount, discount }) => [amount, discount].map((each) => ({ what: `line ${id}`, amount: each }))),
    ...(refunds ?? []).map(({ id, amount }) => ({ what: `refund ${id}`, amount })),
  ];
  return amounts
    .filter(({ amount }) => asMoney(amount, currency) === null)
    .map(({ what, amount }) => ({ code: 'amount.inexact', detail: `${what}: ${amount} ${currency}` }));
}

// One that is no older than the order counts, and so does one beside an empty list.
function unlisted({ currency, refunds, updatedAt }: StandardOrder, refund: StandardRefund | null | undefined): Problem[] {
  if (!refund || !refunds?.length || refunds.some(({ id }) => id === refund.id)) return [];
  if (utc(refund.at) >= utc(updatedAt) || isZero(refund.amount)) return [];
  return [
    { code: 'total.mismatch', detail: `Refund ${refund.id} of ${refund.amount} ${currency} came beside the order, which is newer and does not list it.` },
  ];
}

/** The buyer, without empty fields; undefined if nothing is left. */
function customerOf({ customer }: StandardOrder): Customer | undefined {
  const given: Customer = {};
  for (const field of ['email', 'phone', 'firstName', 'lastName'] as const) {
    const value = customer?.[field]?.trim();
    if (value) given[field] = value;
  }
  return Object.keys(given).length > 0 ? given : undefined;
}

/** A refund with its lines: nothing of it has to be fetched later. */
function refundOf({ id, at, amount, lines }: StandardRefund): Refund {
  const returned = lines.map((line) => ({ lineId: line.lineId, quantity: trimZeros(line.quantity), amount: line.amount }));
  return { id, at: utc(at), amount, transactions: [], lines: returned };
}

function moneyText(amount: string, currency: string): string {
  return asMoney(amount, currency) ?? amount;
}

function utc(instant: string): string {
  return new Date(instant).toISOString();
}
