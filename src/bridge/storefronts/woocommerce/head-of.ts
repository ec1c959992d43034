import { absolute, addUp, asMoney, subtract } from '../amounts.ts';
import type { OrderHead } from '../store-reader.ts';
import type { WooHead, WooPlaced } from './payload.ts';
import { changedAt, utc } from './snapshot.ts';
import { lifecycleOf, paymentOf } from './status.ts';

/** An order as a list shows it: each field as its snapshot would have it. */
export function headOf(order: WooHead): OrderHead {
  const { id, number, status, currency, date_created_gmt, date_paid_gmt, total, refunds } = order;
  const payment = paymentOf(order);
  const money = (amount: string) => asMoney(amount, currency) ?? amount;
  return {
    ...{ orderId: id, number: number || id, updatedAt: changedAt(order), status, lifecycle: lifecycleOf(order), payment, test: false, currency },
    total: money(total),
    soldAt: utc(date_paid_gmt ?? date_created_gmt),
    createdAt: utc(date_created_gmt),
    kept: payment === 'paid' && refunds ? money(subtract(total, addUp(refunds.map((refund) => absolute(refund.total))))) : null,
    refundIds: refunds?.map((refund) => refund.id) ?? null,
  };
}

/** An order of which a list says what can't be read: reading it whole shows what is wrong with it. */
export function unreadableHead(order: WooPlaced): OrderHead {
  return {
    ...{ orderId: order.id, number: order.id, updatedAt: changedAt(order), status: '', lifecycle: 'live', payment: 'unpaid', test: false, currency: '' },
    ...{ total: '0', soldAt: utc(order.date_created_gmt), kept: null, refundIds: null },
  };
}
