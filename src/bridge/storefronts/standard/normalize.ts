import { z } from 'zod';
import type { Envelope, Normalized } from '../contract.ts';
import { unreadable } from '../unreadable.ts';
import { orderMessage, refundMessage } from './payload.ts';
import { customerOf, refundOf, snapshotOf } from './snapshot.ts';

export const topics = ['order.paid', 'order.updated', 'order.refunded', 'order.cancelled'] as const;

const anyMessage = z.looseObject({ type: z.string() });
const loneRefund = z.looseObject({ data: z.looseObject({ order: z.undefined().optional(), refund: z.unknown() }) });

/** Pure, never throws. The body names its type; the headers only sign it. */
export function normalize(_envelope: Envelope, body: unknown): Normalized {
  const message = anyMessage.safeParse(body);
  if (!message.success) return unreadable(message.error);
  const { type } = message.data;
  if (!topics.some((known) => known === type)) return { kind: 'ignored', why: `the type is none of ${topics.join(', ')}` };
  // Chosen by hand: the issues of a union would not say which of its forms was meant.
  return type === 'order.refunded' && loneRefund.safeParse(body).success ? refundAlone(body) : wholeOrder(body);
}

function refundAlone(body: unknown): Normalized {
  const parsed = refundMessage.safeParse(body);
  if (!parsed.success) return unreadable(parsed.error);
  const { orderId, refund } = parsed.data.data;
  return { kind: 'order', news: { orderId, refunds: [refundOf(refund)] } };
}

function wholeOrder(body: unknown): Normalized {
  const parsed = orderMessage.safeParse(body);
  if (!parsed.success) return unreadable(parsed.error);
  const { order } = parsed.data.data;
  const customer = customerOf(order);
  const news = { orderId: order.id, snapshot: snapshotOf(order), refunds: (order.refunds ?? []).map(refundOf) };
  return { kind: 'order', news: customer === undefined ? news : { ...news, customer } };
}
