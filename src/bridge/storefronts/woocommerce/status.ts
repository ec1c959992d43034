import type { Lifecycle, PaymentState } from '../../order/facts.ts';
import type { WooOrder } from './payload.ts';

/** Place in the life of an order. Plugins' statuses lie between on-hold and completed; a paid state lies above every unpaid one. */
const places: Record<string, number> = {
  'auto-draft': 0,
  new: 0,
  draft: 1,
  'checkout-draft': 2,
  pending: 10,
  failed: 20,
  'on-hold': 30,
  processing: 50,
  completed: 70,
  cancelled: 80,
  trash: 85,
  refunded: 90,
};
const PLUGIN_UNPAID = 40;
const PLUGIN_PAID = 60;
const PAID = 100;

const drafts = new Set(['auto-draft', 'new', 'draft', 'checkout-draft']);
const awaitingMoney = new Set(['pending', 'on-hold', 'failed']);

export function lifecycleOf(status: string): Lifecycle {
  if (drafts.has(status)) return 'draft';
  if (status === 'trash') return 'trashed';
  return status === 'cancelled' ? 'cancelled' : 'live';
}

/** `date_paid` outlives cancelling, trashing and refunding; a status that awaits money beside it means that the order was opened again. */
export function paymentOf(order: WooOrder): PaymentState {
  const lifecycle = lifecycleOf(order.status);
  if (lifecycle === 'draft') return 'unpaid';
  if (typeof order.date_paid_gmt === 'string') return awaitingMoney.has(order.status) ? 'outstanding' : 'paid';
  if (order.status === 'completed') return 'paid';
  if (order.status === 'refunded') return (order.refunds ?? []).length > 0 ? 'paid' : 'unpaid';
  const onItsWay = lifecycle === 'live' && !awaitingMoney.has(order.status);
  return onItsWay && order.payment_method === 'cod' ? 'on-delivery' : 'unpaid';
}

/** Breaks ties of `date_modified_gmt`, which has whole seconds. */
export function rankOf(status: string, payment: PaymentState): number {
  const paid = payment === 'paid';
  const place = Object.hasOwn(places, status) ? places[status] : undefined;
  return (place ?? (paid ? PLUGIN_PAID : PLUGIN_UNPAID)) + (paid ? PAID : 0);
}
