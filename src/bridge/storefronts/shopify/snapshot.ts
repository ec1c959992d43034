import type { Customer } from '../../../contract/record.ts';
import type { Snapshot } from '../../order/facts.ts';
import { digestOf } from '../digest.ts';
import { microText } from './micro-money.ts';
import { moneyOf } from './order-money.ts';
import { orderProblems } from './order-problems.ts';
import { isCancelled, paymentOf, rankOf, statusText } from './order-status.ts';
import type { ShopifyOrder } from './payload.ts';
import { utc } from './utc.ts';

/** The order as Shopify reported it at `updated_at`. Shopify says neither when it was paid nor by which transaction: other webhooks do. */
export function toSnapshot(order: ShopifyOrder, customer: Customer | undefined, read: Pick<Snapshot, 'readAt'> = {}): Snapshot {
  const snapshot = {
    updatedAt: utc(order.updated_at),
    rank: rankOf(order),
    status: statusText(order),
    lifecycle: isCancelled(order) ? 'cancelled' : 'live',
    payment: paymentOf(order),
    test: order.test === true,
    paidAt: null,
    placedAt: utc(order.processed_at ?? order.created_at),
    number: order.name,
    createdAt: order.created_at,
    currency: order.currency,
    gateways: gatewaysOf(order),
    transactionId: null,
    ...moneyOf(order),
    vat: order.current_total_tax ?? order.total_tax ?? null,
    problems: orderProblems(order),
    ...deliveredIn(order),
    ...moneySigns(order),
    ...read,
  } satisfies Omit<Snapshot, 'digest'>;
  return { ...snapshot, digest: digestOf({ snapshot, customer }) };
}

// Shopify's word for all of it is “fulfilled”: when the last parcel was handed over.
function deliveredIn({ fulfillment_status, fulfillments }: ShopifyOrder): Pick<Snapshot, 'deliveredAt'> {
  const last = fulfillments
    .flatMap(({ created_at, status }) => (status === 'success' ? utc(created_at) : []))
    .toSorted()
    .at(-1);
  return fulfillment_status === 'fulfilled' && last !== undefined ? { deliveredAt: last } : {};
}

// Below zero, what is outstanding is the customer's.
function moneySigns({ total_outstanding, payment_gateway_names }: ShopifyOrder): Pick<Snapshot, 'owed' | 'paidByGiftCard'> {
  const outstanding = total_outstanding ?? 0n;
  return {
    ...(outstanding < 0n ? { owed: microText(-outstanding) } : {}),
    ...(payment_gateway_names.includes('gift_card') ? { paidByGiftCard: true } : {}),
  };
}

// A gift card beside another tender is a voucher redeemed: the other one decides.
function gatewaysOf({ payment_gateway_names }: ShopifyOrder): string[] {
  const all = [...new Set(payment_gateway_names)];
  const others = all.filter((gateway) => gateway !== 'gift_card');
  return others.length > 0 ? others : all;
}
