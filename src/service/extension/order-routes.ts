import { ordersQuery } from '../reading/queries.ts';
import { listOrders, readOrder } from '../reading/read-orders.ts';
import { addGet, found, mustOwn, ok, own, query, type RouteDeps } from './routes.ts';

/** /orders */
export function addOrderRoutes(deps: RouteDeps): void {
  const { pool } = deps;
  addGet(deps, '/orders', async ({ req, caller }) => {
    const filter = query(ordersQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listOrders(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  addGet(deps, '/orders/:id', async (call) => ok(found(await readOrder(pool, { ...own(call, 'order'), dialect: call.caller.dialect }), 'order')));
}
