import { ownValue } from '../../../contract/own-value.ts';
import { plainWords } from '../../../contract/plain-words.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { hasAny, topicMismatch } from '../topic-mismatch.ts';
import { unreadable } from '../unreadable.ts';
import { wooAction, wooDeletion, wooError, wooOrder, wooStatus } from './payload.ts';
import { newsOf } from './snapshot.ts';
import { isDraft } from './status.ts';

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
