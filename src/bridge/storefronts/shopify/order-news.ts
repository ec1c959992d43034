import type { OrderNews, Snapshot, Transaction } from '../../order/facts.ts';
import { toCustomer } from './customer.ts';
import type { ShopifyOrder } from './payload.ts';
import { toRefund } from './refund.ts';
import { toSnapshot } from './snapshot.ts';
import { refundsOf, toTransaction } from './transaction.ts';

export type WholeNews = OrderNews & { snapshot: Snapshot; transactions: Transaction[] };

/** What a whole order says: of its payments, those that its refunds list. `read`: when its API said it. */
export function orderNews(order: ShopifyOrder, read: Pick<Snapshot, 'readAt'> = {}): WholeNews {
  const customer = toCustomer(order);
  const refunds = refundsOf(order);
  return {
    orderId: order.id,
    snapshot: toSnapshot({ ...order, refunds }, customer, read),
    ...(customer === undefined ? {} : { customer }),
    refunds: refunds.map(toRefund),
    transactions: refunds.flatMap(({ transactions }) => transactions.map(toTransaction)),
  };
}
