import type { z } from 'zod';
import type { OrderNews } from '../../order/facts.ts';
import type { Envelope, Normalized } from '../contract.ts';
import { unreadable } from '../unreadable.ts';
import { toCustomer } from './customer.ts';
import { deletionNews, exportRequest, orderPayload, redactionRequest, refundNews, type ShopifyOrder, transactionNews } from './payload.ts';
import { toRefund } from './refund.ts';
import { toSnapshot } from './snapshot.ts';
import { refundsOf, toTransaction } from './transaction.ts';
import { utc } from './utc.ts';

type Reader = (body: unknown) => Normalized;

const fullOrder = reader(orderPayload, (order) => news(orderNews(order)));

/** What each topic's body means; a Map, because the topic comes from outside. */
const readers: ReadonlyMap<string, Reader> = new Map([
  ['orders/create', fullOrder],
  ['orders/updated', fullOrder],
  ['orders/cancelled', fullOrder],
  // Of all topics only this one gives a moment of payment: its order was changed by being paid.
  ['orders/paid', reader(orderPayload, (order) => news({ ...orderNews(order), paidAt: utc(order.updated_at) }))],
  ['orders/edited', () => ({ kind: 'ignored', why: 'orders/edited names ids only; orders/updated brings the edited order' })],
  ['orders/delete', reader(deletionNews, ({ id }) => news({ orderId: id, deleted: true }))],
  ['refunds/create', reader(refundNews, (raw) => news({ orderId: raw.order_id, refunds: [toRefund(raw)], transactions: raw.transactions.map(toTransaction) }))],
  ['order_transactions/create', reader(transactionNews, (raw) => news({ orderId: raw.order_id, transactions: [toTransaction(raw)] }))],
  ['app/uninstalled', () => ({ kind: 'closed' })],
  ['shop/redact', () => ({ kind: 'privacy', request: { action: 'redact-shop' } })],
  [
    'customers/redact',
    reader(redactionRequest, ({ orders_to_redact }) => ({ kind: 'privacy', request: { action: 'redact-orders', orderIds: orders_to_redact } })),
  ],
  [
    'customers/data_request',
    reader(exportRequest, ({ orders_requested, data_request }) => ({
      kind: 'privacy',
      request: { action: 'export', orderIds: orders_requested, requestId: data_request.id },
    })),
  ],
]);

/** What a verified webhook of Shopify means, by its topic; topics that say nothing of money are ignored. */
export function normalize({ topic }: Envelope, body: unknown): Normalized {
  const read = readers.get(topic);
  return read === undefined ? { kind: 'ignored', why: `the topic ${topic || '(none)'} says nothing that a tax record needs` } : read(body);
}

function reader<Schema extends z.ZodType>(schema: Schema, mean: (parsed: z.output<Schema>) => Normalized): Reader {
  return (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? mean(parsed.data) : unreadable(parsed.error);
  };
}

function news(order: OrderNews): Normalized {
  return { kind: 'order', news: order };
}

function orderNews(order: ShopifyOrder): OrderNews {
  const customer = toCustomer(order);
  const refunds = refundsOf(order);
  return {
    orderId: order.id,
    snapshot: toSnapshot({ ...order, refunds }, customer),
    ...(customer === undefined ? {} : { customer }),
    refunds: refunds.map(toRefund),
    transactions: refunds.flatMap(({ transactions }) => transactions.map(toTransaction)),
  };
}
