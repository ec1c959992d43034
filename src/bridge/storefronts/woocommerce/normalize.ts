import { ownValue } from '../../../contract/own-value.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { unreadable } from '../unreadable.ts';
import { wooAction, wooDeletion, wooError, wooOrder } from './payload.ts';
import { newsOf } from './snapshot.ts';

export const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'] as const;

/** Custom topics for what those leave out. They say that something happened, not what the order is now, so nothing is changed by them alone. */
const actions: Readonly<Record<string, (id: string) => Normalized>> = {
  'action.woocommerce_delete_order': (orderId) => ({ kind: 'order', news: { orderId, deleted: true } }),
  'action.woocommerce_delete_order_refund': (refundId) => ({ kind: 'refund-deleted', refundId }),
  'action.woocommerce_refund_deleted': (refundId) => ({ kind: 'refund-deleted', refundId }),
  'action.woocommerce_order_status_changed': (orderId) => ({ kind: 'order', news: { orderId, changed: true } }),
};

export const alsoTopics = Object.keys(actions);

/** Pure, never throws. A body is the order's state when it was sent, not when its topic happened. */
export function normalize({ topic }: Envelope, body: unknown): Normalized {
  if (topic === '') return { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: 'the header X-WC-Webhook-Topic is absent' }] };
  const read = ownValue(actions, topic);
  if (read !== undefined) return action(read, body);
  if (!topics.some((known) => known === topic)) return { kind: 'ignored', why: `the topic ${topic} says nothing about an order` };
  const error = wooError.safeParse(body);
  if (error.success) return { kind: 'warning', warning: warningOf(error.data.code) };
  return topic === 'order.deleted' ? deletion(body) : order(topic, body);
}

function action(read: (id: string) => Normalized, body: unknown): Normalized {
  const parsed = wooAction.safeParse(body);
  return parsed.success ? read(parsed.data.arg) : unreadable(parsed.error);
}

function deletion(body: unknown): Normalized {
  const parsed = wooDeletion.safeParse(body);
  return parsed.success ? { kind: 'order', news: { orderId: parsed.data.id, deleted: true } } : unreadable(parsed.error);
}

function order(topic: string, body: unknown): Normalized {
  const parsed = wooOrder.safeParse(body);
  if (!parsed.success) return unreadable(parsed.error);
  const news = newsOf(parsed.data);
  // An order that was thrown away again before this was sent is not back.
  const restored = topic === 'order.restored' && news.snapshot.lifecycle !== 'trashed';
  return { kind: 'order', news: restored ? { ...news, restored: true } : news };
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
