import { deliveriesOfOrder } from '../../bridge/ledger/delivery-store.ts';
import { findOrder, type KeptOrder, stepsOfOrder } from '../../bridge/ledger/kept-order.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { heldOrders } from './held-orders.ts';
import { namedOrder } from './named-order.ts';
import { type OrderReport, orderReport } from './order-report.ts';
import { seeBuyer } from './see-buyer.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** By the name that a person gives; or, always unique, by the store's own id within a connection. */
export type OrderName = { named: string } | { connectionId: string; orderId: string };

/** Everything about one order. */
export async function showOrder(deps: Deps, name: OrderName): Promise<OrderReport> {
  const { pool, connections } = deps;
  const view = 'named' in name ? await namedOrder(deps, name.named) : await orderOfStore(deps, name);
  const [deliveries, steps, connection] = await Promise.all([
    deliveriesOfOrder(pool, view.id),
    stepsOfOrder(pool, view.id),
    knownConnection(connections, view.connectionId),
  ]);
  const holds = await heldOrders(pool, [view], [connection]);
  return orderReport({ view, connection, deliveries, steps, held: holds.get(view.id) ?? null });
}

/** The same for somebody who is shown the buyer, too: that he looked is written before. */
export async function showOrderWithBuyer(deps: Deps, name: OrderName, { by }: { by: Actor }): Promise<OrderReport> {
  const report = await showOrder(deps, name);
  if (hasBuyer(report)) await seeBuyer(deps, { id: report.id, by });
  return report;
}

function hasBuyer({ record, unconfirmed, desired }: OrderReport): boolean {
  const wanted = desired.kind === 'record' ? desired.record : null;
  return [record, unconfirmed, wanted].some((one) => one?.customer !== undefined);
}

async function orderOfStore({ pool, connections }: Deps, { connectionId: named, orderId }: { connectionId: string; orderId: string }): Promise<KeptOrder> {
  const { id: connectionId } = await knownConnection(connections, named);
  const view = await findOrder(pool, connectionId, orderId);
  if (view !== null) return view;
  throw new Refusal(
    'missing',
    { en: `the connection ${connectionId} has no order ${orderId}`, bg: `през връзката ${connectionId} не е дошла поръчка ${orderId}` },
    {
      advice: {
        en: "give the platform's own order id, which `orderbridge orders --number NUMBER` finds",
        bg: 'дайте идентификатора на поръчката в магазина; намира го `orderbridge orders --number NUMBER`',
      },
    },
  );
}
