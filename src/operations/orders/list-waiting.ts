import { type KeptDelivery, parkedDeliveries } from '../../bridge/ledger/delivery-store.ts';
import { keptOrders } from '../../bridge/ledger/kept-order.ts';
import { failures } from '../../bridge/order/failure.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';
import { todoOf } from './order-report.ts';

const MOST = 10_000;

export type WaitingOrder = OrderBrief & { todo: string | null };
export type WaitingDelivery = KeptDelivery & { todo: string };

/** `cutAt`: only so many of a kind are listed, the newest; null: all are. `unreadable`: rows that can't be read, by table, id and field. */
export type Waiting = { orders: WaitingOrder[]; deliveries: WaitingDelivery[]; unreadable: readonly Error[]; cutAt: number | null };

/** Everything that waits for a person, with what to do: unconfirmed orders, parked ones, and webhooks that are signed but can't be read. */
export async function listWaiting({ pool }: { pool: Pool }, most = MOST): Promise<Waiting> {
  const [parked, lost, deliveries] = await Promise.all([
    keptOrders(pool, { state: 'parked', limit: most }),
    keptOrders(pool, { state: 'unconfirmed', limit: most }),
    parkedDeliveries(pool),
  ]);
  return {
    orders: [...lost.orders, ...parked.orders].map((view) => ({ ...orderBrief(view), todo: todoOf(view) })),
    deliveries: deliveries.map((delivery) => ({ ...delivery, todo: replayWords(delivery) })),
    unreadable: [...lost.unreadable, ...parked.unreadable],
    cutAt: [parked, lost].some(({ orders, unreadable }) => orders.length + unreadable.length === most) ? most : null,
  };
}

function replayWords({ kept }: KeptDelivery): string {
  if (!kept) return 'Its body is gone, so it can’t be replayed: save the order in the store, which sends it again.';
  return failures['payload.unreadable'].todo;
}
