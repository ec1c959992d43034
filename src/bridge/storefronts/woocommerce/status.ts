import type { Lifecycle, PaymentState } from '../../order/facts.ts';
import { absolute, addUp, isNegative, subtract } from '../amounts.ts';
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
// Of the plugins for deposits; their `date_paid` is that of the deposit.
const awaitingTheRest = new Set(['partially-paid', 'partial-payment']);

type Stated = Pick<WooOrder, 'status' | 'refunds' | 'total'>;
type Paid = Stated & Pick<WooOrder, 'date_paid_gmt'>;

export function isDraft({ status }: Pick<WooOrder, 'status'>): boolean {
  return drafts.has(status);
}

/** An order that is marked as refunded while its refunds do not come to its total was taken back, as a cancelled one: no money is seen to have gone. */
export function lifecycleOf(order: Stated): Lifecycle {
  if (isDraft(order)) return 'draft';
  if (order.status === 'trash') return 'trashed';
  return order.status === 'cancelled' || (order.status === 'refunded' && !isRefunded(order)) ? 'cancelled' : 'live';
}

function isRefunded({ refunds, total }: Stated): boolean {
  return !isNegative(subtract(addUp((refunds ?? []).map((refund) => absolute(refund.total))), total));
}

/** `date_paid` outlives cancelling, trashing, refunding and setting back to a draft; a status that awaits money beside it means that the order was opened again. */
export function paymentOf(order: Paid): PaymentState {
  if (awaitingTheRest.has(order.status)) return 'unpaid';
  if (typeof order.date_paid_gmt === 'string') return awaitingMoney.has(order.status) ? 'outstanding' : 'paid';
  if (order.status === 'completed') return 'paid';
  return order.status === 'refunded' && (order.refunds ?? []).length > 0 ? 'paid' : 'unpaid';
}

/** Accepted by the store, and neither paid nor in a status that awaits money first: what is paid on delivery is such an order, whatever its gateway. */
export function isOnItsWay(order: Paid): boolean {
  const awaits = awaitingMoney.has(order.status) || awaitingTheRest.has(order.status) || order.status === 'refunded';
  return !awaits && lifecycleOf(order) === 'live' && paymentOf(order) === 'unpaid';
}

/** Breaks ties of `date_modified_gmt`, which has whole seconds. */
export function rankOf(status: string, payment: PaymentState): number {
  const paid = payment === 'paid';
  const place = Object.hasOwn(places, status) ? places[status] : undefined;
  return (place ?? (paid ? PLUGIN_PAID : PLUGIN_UNPAID)) + (paid ? PAID : 0);
}

/** Is it one of WooCommerce's own, not of a plugin? */
export function isOwnStatus(status: string): boolean {
  return Object.hasOwn(places, status);
}
