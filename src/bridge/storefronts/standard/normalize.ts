import { z } from 'zod';
import { plainWords } from '../../../contract/plain-words.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { unreadable } from '../unreadable.ts';
import { orderMessage, refundMessage, type StandardOrder } from './payload.ts';
import { customerOf, refundOf, snapshotOf } from './snapshot.ts';

export const topics = ['order.paid', 'order.updated', 'order.refunded', 'order.cancelled'] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

const anyMessage = z.looseObject({ data: z.looseObject({}) });
const nothing = z.null().optional();
const loneRefund = z.looseObject({ data: z.looseObject({ order: nothing, refund: z.looseObject({}) }) });

/** Pure, never throws. What counts is the order or the refund in the body, whatever its type says: a shop's own word must not lose a sale. */
export function normalize({ sentAt }: Envelope, body: unknown): Normalized {
  const message = anyMessage.safeParse(body, { error: plainWords });
  if (!message.success) return unreadable(message.error);
  // Chosen by hand: the issues of a union would not say which of its forms was meant.
  return loneRefund.safeParse(body).success ? refundAlone(body) : wholeOrder(body, sentAt);
}

function refundAlone(body: unknown): Normalized {
  const parsed = refundMessage.safeParse(body, { error: plainWords });
  if (!parsed.success) return unreadable(parsed.error);
  const { orderId, refund } = parsed.data.data;
  return { kind: 'order', news: { orderId, refunds: [{ ...refundOf(refund), alone: true }] } };
}

function wholeOrder(body: unknown, sentAt: string | undefined): Normalized {
  const parsed = orderMessage.safeParse(body, { error: plainWords });
  if (!parsed.success) return unreadable(parsed.error);
  const { order } = parsed.data.data;
  if (isAhead(order, sentAt)) return ahead(order);
  const customer = customerOf(order);
  const news = { orderId: order.id, snapshot: snapshotOf(order), refunds: (order.refunds ?? []).map(refundOf) };
  return { kind: 'order', news: customer === undefined ? news : { ...news, customer } };
}

// The latest state wins: one that is dated ahead would win over every true one until its day has come.
function isAhead({ updatedAt }: StandardOrder, sentAt: string | undefined): boolean {
  return sentAt !== undefined && Date.parse(updatedAt) > Date.parse(sentAt) + DAY_MS;
}

function ahead({ updatedAt }: StandardOrder): Normalized {
  const detail = `data.order.updatedAt: ${updatedAt} is more than a day ahead of the message, so the order would take no later change`;
  return { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail }] };
}
