import { z } from 'zod';
import { refuse } from '../http/operation.ts';
import { parseBody, readJson } from '../http/read-request.ts';
import { deliverOrder, type OrdersDeps } from '../orders/orders.ts';
import { forgetBuyer } from '../privacy/forget-buyer.ts';
import { ordersQuery } from '../reading/listing.ts';
import { listOrders, readOrder } from '../reading/read-orders.ts';
import { addGet, found, mustOwn, ok, own, query, type RouteDeps, saidOf } from './routes.ts';

const nothing = z.strictObject({});

/** /orders */
export function addOrderRoutes(deps: RouteDeps & { orders: OrdersDeps }): void {
  const { router, operation, pool, orders } = deps;
  addGet(deps, '/orders', async ({ req, caller }) => {
    const filter = query(ordersQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listOrders(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  addGet(deps, '/orders/:id', async (call) => ok(found(await readOrder(pool, { ...own(call, 'order'), dialect: call.caller.dialect }), 'order')));
  router
    .route('/orders/:id/delivered')
    .put(
      operation('read', async (call) => {
        const { keyId, id } = own(call, 'order');
        const month = await deliverOrder(orders, { caller: call.caller, id, body: readJson(call.req, call.body) });
        const order = found(await readOrder(pool, { keyId, id, dialect: call.caller.dialect }), 'order');
        return ok({ ...order, inMonthOfDelivery: order.month === month });
      }),
    )
    .all(refuse(['PUT']));
  router
    .route('/orders/:id/forget-buyer')
    .post(
      operation('read', async (call) => {
        if (call.body.byteLength > 0) parseBody(nothing, readJson(call.req, call.body));
        return ok(found(await forgetBuyer(pool, { ...own(call, 'order'), ...saidOf(call) }), 'order'));
      }),
    )
    .all(refuse(['POST']));
}
