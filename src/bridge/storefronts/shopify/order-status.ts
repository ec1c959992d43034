import { ownValue } from '../../../contract/own-value.ts';
import type { PaymentState } from '../../order/facts/facts.ts';
import type { ShopifyOrder } from './payload.ts';

type Meaning = { place: number; payment: PaymentState };

/**
 * Every financial_status there is, in the order of an order's life. A partially paid order is `outstanding`: one payload can't tell a deposit
 * from a paid order that an edit made dearer, and taking the second for unpaid would remove a correctly recorded sale.
 */
const meanings = {
  expired: { place: 1, payment: 'unpaid' },
  voided: { place: 2, payment: 'unpaid' },
  pending: { place: 3, payment: 'unpaid' },
  authorized: { place: 4, payment: 'unpaid' },
  partially_paid: { place: 5, payment: 'outstanding' },
  paid: { place: 6, payment: 'paid' },
  partially_refunded: { place: 7, payment: 'paid' },
  refunded: { place: 8, payment: 'paid' },
} as const satisfies Record<string, Meaning>;

// For an unknown status a person is asked (`orderProblems` names it); every known one outranks it.
const unknownStatus: Meaning = { place: 0, payment: 'outstanding' };

type Status = Pick<ShopifyOrder, 'financial_status' | 'cancelled_at' | 'total_outstanding'>;

/** Place in the life of an order; cancelled ranks just above the same status without it. */
export function rankOf(order: Status): number {
  return meaningOf(order).place * 2 + (isCancelled(order) ? 1 : 0);
}

export function paymentOf(order: Status): PaymentState {
  const isShort = order.financial_status === 'paid' && (order.total_outstanding ?? 0n) > 0n;
  return isShort ? 'outstanding' : meaningOf(order).payment;
}

export function statusText(order: Status): string {
  return `${statusOf(order)}${isCancelled(order) ? ', cancelled' : ''}`;
}

export function isCancelled({ cancelled_at }: Status): boolean {
  return typeof cancelled_at === 'string';
}

export function isKnownStatus(order: Status): boolean {
  return meaningOf(order) !== unknownStatus;
}

// No status at all means that no payment was requested yet.
function statusOf({ financial_status }: Status): string {
  return financial_status ?? 'pending';
}

function meaningOf(order: Status): Meaning {
  return ownValue<Meaning>(meanings, statusOf(order)) ?? unknownStatus;
}
