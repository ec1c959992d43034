import type { Request, Router } from 'express';
import express from 'express';
import { z } from 'zod';
import { outstandingDto } from '../../contract/outstanding-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import type { MonthActs } from '../audit/month/month-acts.ts';
import { keepOutstanding } from '../audit/month/outstanding.ts';
import type { FaultInjection } from '../fault-injection.ts';
import { invalidBody, notFound } from '../http/http-problem.ts';
import { type Call, type Handle, operations, readablePath, refuse } from '../http/operation.ts';
import { parseBody, readId, readJson } from '../http/read-request.ts';
import type { Answer } from '../http/send.ts';
import type { CallerLookup } from '../keys/api-keys.ts';
import { deliverOrder, type OrdersDeps } from '../orders/orders.ts';
import { forgetBuyer } from '../privacy/forget-buyer.ts';
import { ofShopAndMonthQuery, ordersQuery, shopsQuery } from '../reading/listing.ts';
import { listOrders, readOrder } from '../reading/read-orders.ts';
import { listShops, readShop } from '../reading/read-shops.ts';
import { listReceipts, type ReceiptDto, readReceipt } from '../receipts/read-receipts.ts';
import { resendReceipt } from '../receipts/resend-receipt.ts';
import type { ServiceLog } from '../service-log.ts';
import { changeOptions } from '../shops/shops.ts';
import { addAuditFileRoutes, addMonthRoutes } from './month-routes.ts';
import { addGet, bodyOf, found, mustOwn, ok, own, query, type RouteDeps, saidOf } from './routes.ts';

type Deps = {
  pool: Pool;
  orders: OrdersDeps;
  keys: CallerLookup;
  faultInjection: FaultInjection;
  log: ServiceLog;
  now: () => Date;
  audit: AuditDeps;
  months: MonthActs;
};

/** Our extension of the interface, a file for each resource. Mount it at /service/v1 before any middleware that reads bodies. */
export function extensionRouter({ pool, now, orders, audit, months, ...rest }: Deps): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(readablePath);
  const deps = { router, operation: operations(rest), pool, now };
  addShopRoutes(deps);
  addOrderRoutes({ ...deps, orders });
  addReceiptRoutes(deps);
  addAuditFileRoutes(deps);
  addMonthRoutes(deps, { audit, months });
  router.use(refuse([]));
  return router;
}

const nothing = z.strictObject({});

/** /orders */
function addOrderRoutes(deps: RouteDeps & { orders: OrdersDeps }): void {
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

/** /shops */
function addShopRoutes(deps: RouteDeps): void {
  const { router, operation, pool, now } = deps;
  addGet(deps, '/shops', async ({ req, caller }) => ok(await listShops(pool, { ...query(shopsQuery, req.query), keyId: caller.keyId })));
  router
    .route('/shops/:id')
    .get(operation('read', async (call) => ok(found(await readShop(pool, own(call, 'shop')), 'shop'))))
    .patch(operation('read', async (call) => ok(await changeOptions(pool, { ...own(call, 'shop'), ...saidOf(call), body: bodyOf(call), now: now() }))))
    .all(refuse(['GET', 'HEAD', 'PATCH']));
  router
    .route('/shops/:id/outstanding')
    .put(operation('read', outstandingHandle({ pool, now })))
    .all(refuse(['PUT']));
}

/** A clock that is further ahead would have its list kept for longer than it is true. */
const MOST_AHEAD_MS = 10 * 60_000;

/** Keeps the paid orders of a shop that are not recorded; answers with the newest list. */
function outstandingHandle({ pool, now }: { pool: Pool; now: () => Date }): Handle {
  return async ({ req, caller, body }) => {
    const list = parseBody(outstandingDto, readJson(req, body));
    if (Date.parse(list.at) > now().getTime() + MOST_AHEAD_MS)
      throw invalidBody([{ path: 'at', message: 'must not be in the future; check the clock of the sender' }]);
    const shopId = readId(req);
    const kept = shopId === undefined ? null : await keepOutstanding(pool, { keyId: caller.keyId, shopId, list });
    if (kept === null) throw notFound('shop');
    return { status: 200, body: kept };
  };
}

/** /receipts */
function addReceiptRoutes(deps: RouteDeps): void {
  const { router, operation, pool } = deps;
  addGet(deps, '/receipts', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listReceipts(pool, { ...filter, keyId: caller.keyId, dialect: caller.dialect }));
  });
  addGet(deps, '/receipts/:id', async (call) => {
    const { dto, html } = found(await readReceipt(pool, { ...own(call, 'receipt'), dialect: call.caller.dialect }), 'receipt');
    return prefersHtml(call.req) ? page(html) : ok(dto);
  });
  router
    .route('/receipts/:id/resend')
    .post(operation('read', async (call) => ok(await resend(deps, call))))
    .all(refuse(['POST']));
}

function resend({ pool, now }: RouteDeps, call: Call): Promise<ReceiptDto> {
  if (call.body.byteLength > 0) parseBody(nothing, bodyOf(call));
  const { keyId, id } = own(call, 'receipt');
  return resendReceipt(pool, { caller: { keyId, dialect: call.caller.dialect }, id, now: now(), ...saidOf(call) });
}

function prefersHtml(req: Request): boolean {
  return req.accepts(['application/json', 'text/html']) === 'text/html';
}

// The receipt has its style inline and runs no script.
const RECEIPT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

function page(html: string): Answer {
  return { status: 200, content: html, type: 'text/html; charset=utf-8', headers: { 'content-security-policy': RECEIPT_POLICY, vary: 'Accept' } };
}
