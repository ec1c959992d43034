import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { deliveriesOfOrder } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { buyerOfOrder, findOrder, type KeptOrder, stepsOfOrder } from '../../bridge/ledger/orders/read-orders.ts';
import { listExports, type PrivacyExport } from '../../bridge/ledger/privacy/privacy-exports.ts';
import type { CustomerFact } from '../../bridge/order/facts/facts.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { namedOrder } from './named-order.ts';
import { type OrderReport, orderReport } from './order-report.ts';
import { pausedOrders } from './why-not-sent.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** By the name that a person gives; or, always unique, by the store's own id within a connection. */
export type OrderRef = { named: string } | { connectionId: string; orderId: string };

/** Everything about one order. */
export async function showOrder(deps: Deps, name: OrderRef): Promise<OrderReport> {
  const { pool, connections } = deps;
  const view = 'named' in name ? await namedOrder(deps, name.named) : await orderOfStore(deps, name);
  const [deliveries, steps, connection] = await Promise.all([
    deliveriesOfOrder(pool, view.id),
    stepsOfOrder(pool, view.id),
    knownConnection(connections, view.connectionId),
  ]);
  const pauses = await pausedOrders(pool, [view], [connection]);
  return orderReport({ view, connection, deliveries, steps, pause: pauses.get(view.id) ?? null });
}

/** The same for somebody who is shown the buyer, too: that they looked is written before. */
export async function showOrderWithBuyer(deps: Deps, name: OrderRef, { by }: { by: Actor }): Promise<OrderReport> {
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
  throw new Refusal('missing', {
    en: `the connection ${connectionId} has no order ${orderId}`,
    bg: `през връзката ${connectionId} не е дошла поръчка ${orderId}`,
    advice: "give the platform's own order id, which `orderbridge orders --number NUMBER` finds",
  });
}

/** The buyer of an order, if they are kept. The look is written into the audit log, before anything is shown. */
export async function seeBuyer({ pool }: { pool: Pool }, { id, by }: { id: number; by: Actor }): Promise<CustomerFact> {
  const order = await buyerOfOrder(pool, id);
  if (order === null) throw new Refusal('missing', { en: `no order has the id id:${id}`, bg: `няма поръчка с идентификатор id:${id}` });
  await writeBridgeActs(pool, [{ who: by, act: 'buyer.seen', connectionId: order.connectionId, orderRef: id }]);
  return order.customer;
}

/** What customers asked to see, without what is stored about them. */
export async function exportRequests({ pool }: { pool: Pool }): Promise<Omit<PrivacyExport, 'data'>[]> {
  return (await listExports(pool)).map(({ data: _, ...asked }) => asked);
}

/** What customers asked to see, with all that is stored about them; each export is a look. */
export async function seeExports({ pool }: { pool: Pool }, { by }: { by: Actor }): Promise<PrivacyExport[]> {
  const all = await listExports(pool);
  await writeBridgeActs(
    pool,
    all.map(({ connectionId, requestId }) => ({ who: by, act: 'buyer.seen' as const, connectionId, subject: requestId })),
  );
  return all;
}
