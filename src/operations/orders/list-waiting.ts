import { deliveriesInReview, type KeptDelivery } from '../../bridge/ledger/delivery-store.ts';
import { type HeldHost, heldHosts } from '../../bridge/ledger/held-deliveries.ts';
import { keptOrders } from '../../bridge/ledger/kept-order.ts';
import { failures } from '../../bridge/order/failure.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { deliveryTodo } from './kept-webhook.ts';
import { type OrderBrief, orderBrief } from './order-brief.ts';
import { todoOf } from './order-report.ts';

const MOST = 10_000;

export type WaitingOrder = OrderBrief & { todo: string | null };
export type WaitingDelivery = KeptDelivery & { todo: string };
/** A host that webhooks of a connection name, and that is not known as its store's; `deliveries` counts those that are held. */
export type WaitingStore = HeldHost & { code: 'store.other'; todo: string };

/** `cutAt`: only so many of a kind are listed, the newest; null: all are. `unreadable`: rows that can't be read, by table, id and field. */
export type Waiting = {
  orders: WaitingOrder[];
  deliveries: WaitingDelivery[];
  stores: WaitingStore[];
  unreadable: readonly Error[];
  cutAt: number | null;
};

/** Everything that waits for a person, with what to do: unconfirmed orders, ones in review, webhooks that can't be read, and hosts of which nobody said whose they are. */
export async function listWaiting({ pool }: { pool: Pool }, most = MOST): Promise<Waiting> {
  const [review, lost, deliveries, hosts] = await Promise.all([
    keptOrders(pool, { state: 'review', limit: most }),
    keptOrders(pool, { state: 'unconfirmed', limit: most }),
    deliveriesInReview(pool),
    heldHosts(pool),
  ]);
  return {
    orders: [...lost.orders, ...review.orders].map((view) => ({ ...orderBrief(view), todo: todoOf(view) })),
    deliveries: deliveries.map(waitingDelivery),
    stores: hosts.map(waitingStore),
    unreadable: [...lost.unreadable, ...review.unreadable],
    cutAt: [review, lost].some(({ orders, unreadable }) => orders.length + unreadable.length === most) ? most : null,
  };
}

export function waitingDelivery(delivery: KeptDelivery): WaitingDelivery {
  return { ...delivery, todo: deliveryTodo(delivery) };
}

export function waitingStore(held: HeldHost): WaitingStore {
  return { ...held, code: 'store.other', todo: hostWords(held) };
}

function hostWords({ connectionId, host }: HeldHost): string {
  return failures['store.other'].todo.replaceAll('CONNECTION', connectionId).replaceAll('HOST', host);
}
