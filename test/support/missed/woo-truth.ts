import type { WooOrderBody } from '../servers/woo/woo-bodies.ts';
import type { ExpectedOrder, OffPolicy } from './living-shop.ts';

/** What the life of an order left in memory, beside the order itself. `gone`: as it last was, before it was deleted for good. */
export type WooMemory = { paidAt: number | null; gone: WooOrderBody | null; isSilent: boolean; wasRefunded: boolean; refundedByAmount: Set<number> };

const UNPAID = ['pending', 'on-hold', 'failed'];
const ASKED_OF_RATES = ['refund.unattributed', 'vat.unclear', 'vat.unmapped'];

/** What must be recorded of an order, by what its shop shows of it alone. */
export function expectedOfWoo(order: WooOrderBody, memory: WooMemory, policy: OffPolicy): ExpectedOrder {
  const isGone = memory.gone !== null;
  const isUnsure = isGone && policy === 'review' && memory.wasRefunded;
  const { kept, mayAsk } = keptOf(order, { isGone, policy });
  const unnamed = order.refunds.some(({ id }) => memory.refundedByAmount.has(id)) && kept !== 0 && ratesOf(order) > 1;
  const asks = unnamed ? [...mayAsk, ...ASKED_OF_RATES] : mayAsk;
  return { orderId: String(order.id), kept, mayAsk: asks, paidAt: memory.paidAt, isSilent: memory.isSilent, isGone, isUnsure };
}

function keptOf(order: WooOrderBody, { isGone, policy }: { isGone: boolean; policy: OffPolicy }): { kept: number | null; mayAsk: string[] } {
  const { status, date_paid_gmt } = order;
  const total = centsIn(order.total);
  const back = -order.refunds.reduce((sum, refund) => sum + centsIn(refund.total), 0);
  if (date_paid_gmt === null || back >= total) return { kept: 0, mayAsk: [] };
  const saysRefunded = status === 'refunded';
  const isOff = isGone || saysRefunded || status === 'trash' || status === 'cancelled';
  if (!isOff && UNPAID.includes(status)) return { kept: null, mayAsk: ['payment.outstanding'] };
  if (!isOff) return { kept: total - back, mayAsk: [] };
  if (policy === 'remove') return { kept: 0, mayAsk: [] };
  // The part that went back is proven; of the rest nobody knows.
  return back > 0 && !saysRefunded ? { kept: total - back, mayAsk: ['removal.unproven'] } : { kept: null, mayAsk: ['removal.unproven'] };
}

function ratesOf({ line_items, shipping_lines }: WooOrderBody): number {
  return new Set([...line_items, ...shipping_lines].flatMap(({ taxes }) => taxes.map(({ id }) => id))).size;
}

/** "-12.30" → -1230 */
export function centsIn(amount: string): number {
  return Math.round(Number(amount) * 100);
}
