import type { Snapshot } from '../../order/facts.ts';
import { toLines } from './lines.ts';
import { listedRefund } from './listed-refund.ts';
import { microText } from './micro-money.ts';
import { paymentOf } from './order-status.ts';
import type { ShopifyOrder } from './payload.ts';
import { asLeft, reconcile } from './reconcile.ts';

type Money = Pick<Snapshot, 'lines' | 'total' | 'refunds' | 'kept' | 'otherwise'>;

/**
 * What the order says of its money. `current_total_price` less what is outstanding is what was paid and kept; `total_price` may be frozen, so it is
 * only read where there is nothing else.
 */
export function moneyOf(order: ShopifyOrder): Money {
  const listed = order.refunds.map((raw) => listedRefund(raw, order));
  const current = order.current_total_price_set ?? order.current_total_price ?? null;
  if (current === null) return asPlaced(order, listed);
  if (paymentOf(order) !== 'paid') return asLeft(order, listed, current);
  const outstanding = order.total_outstanding ?? 0n;
  const { reading, otherwise, kept } = reconcile(order, listed, { kept: current - outstanding, owed: -outstanding });
  return {
    ...reading,
    kept: microText(kept),
    ...(otherwise.length > 0 ? { otherwise } : {}),
  };
}

function asPlaced(order: ShopifyOrder, listed: ReturnType<typeof listedRefund>[]): Money {
  const total = microText(order.total_price_set ?? order.total_price);
  return { lines: toLines(order), total, refunds: listed.map(({ id, back }) => ({ id, amount: microText(back) })) };
}
