import type { z } from 'zod';
import { plainWords } from '../../../contract/plain-words.ts';
import type { OrderNews } from '../../order/facts.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { topicMismatch } from '../topic-mismatch.ts';
import { unreadable } from '../unreadable.ts';
import { type BodyKind, bodyKind, isPrivate } from './body-kind.ts';
import { orderNews } from './order-news.ts';
import { paymentOf } from './order-status.ts';
import {
  deletionNews,
  exportRequest,
  orderPayload,
  redactionRequest,
  refundNews,
  type ShopifyOrder,
  scopesUpdate,
  shopPayload,
  shopRedaction,
  transactionNews,
} from './payload.ts';
import { toRefund } from './refund.ts';
import { granted } from './scopes.ts';
import { toTransaction } from './transaction.ts';
import { utc } from './utc.ts';

/** What a topic's body means. `is`: what such a body is; null: nothing that has a mark. */
type Reader = { is: BodyKind | null; read(body: unknown): Normalized };

const fullOrder = reader('order', orderPayload, (order) => news(orderNews(order)));

/** A Map, because the topic comes from outside. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ['orders/create', fullOrder],
  ['orders/updated', fullOrder],
  ['orders/cancelled', fullOrder],
  ['orders/paid', reader('order', orderPayload, (order) => news({ ...orderNews(order), ...momentOfPayment(order) }))],
  ['orders/delete', reader(null, deletionNews, ({ id }) => news({ orderId: id, deleted: true }))],
  [
    'refunds/create',
    reader('refund', refundNews, (raw) => news({ orderId: raw.order_id, refunds: [toRefund(raw)], transactions: raw.transactions.map(toTransaction) })),
  ],
  ['order_transactions/create', reader('transaction', transactionNews, (raw) => news({ orderId: raw.order_id, transactions: [toTransaction(raw)] }))],
  ['app/uninstalled', reader('shop', shopPayload, (store) => ({ kind: 'closed', store }))],
  ['app/scopes_update', reader('scopes', scopesUpdate, ({ current }) => granted(current))],
  ['shop/redact', reader('shop-redaction', shopRedaction, ({ shop_domain: store }) => ({ kind: 'privacy', store, request: { action: 'redact-shop' } }))],
  [
    'customers/redact',
    reader('redaction', redactionRequest, ({ shop_domain: store, orders_to_redact: orderIds }) => ({
      ...{ kind: 'privacy', store },
      request: { action: 'redact-orders', orderIds },
    })),
  ],
  [
    'customers/data_request',
    reader('data-request', exportRequest, ({ shop_domain: store, orders_requested: orderIds, data_request }) => ({
      ...{ kind: 'privacy', store },
      request: { action: 'export', orderIds, requestId: data_request.id },
    })),
  ],
]);

/** What a verified webhook of Shopify means, by its topic, if its body is what that topic's are; topics that say nothing of money are ignored. */
export function normalize({ topic }: Envelope, body: unknown): Normalized {
  if (topic === 'orders/edited') return { kind: 'ignored', why: 'orders/edited names ids only; orders/updated brings the edited order' };
  const reads = readers.get(topic);
  if (reads === undefined) return { kind: 'ignored', why: `the topic ${topic || '(none)'} says nothing that a tax record needs` };
  const is = bodyKind(body);
  // A body without marks under another topic is one of an unknown shape.
  return is === null || is === reads.is ? reads.read(body) : topicMismatch(topic, { isPrivate: isPrivate(is) });
}

function reader<Schema extends z.ZodType>(is: Reader['is'], schema: Schema, mean: (parsed: z.output<Schema>) => Normalized): Reader {
  const read = (body: unknown) => {
    const parsed = schema.safeParse(body, { error: plainWords });
    return parsed.success ? mean(parsed.data) : unreadable(parsed.error);
  };
  return { is, read };
}

// Of all topics only orders/paid gives a moment of payment: its order was changed by being paid. The topic alone proves nothing.
function momentOfPayment(order: ShopifyOrder): Pick<OrderNews, 'paidAt'> {
  return paymentOf(order) === 'paid' ? { paidAt: utc(order.updated_at) } : {};
}

function news(order: OrderNews): Normalized {
  return { kind: 'order', news: order };
}
