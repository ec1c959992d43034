import express, { type Router } from 'express';
import type { Pool } from '../platform/postgres/postgres.ts';
import type { FaultInjection } from './fault-injection.ts';
import { notFound } from './http/http-problem.ts';
import { type Call, operations, readablePath, refuse } from './http/operation.ts';
import { readId, readIdempotencyKey, readJson } from './http/read-request.ts';
import type { Answer } from './http/send.ts';
import type { CallerLookup } from './keys/api-keys.ts';
import type { Orders } from './orders/orders.ts';
import { receiptHandle } from './receipts/issue-receipt.ts';
import type { ServiceLog } from './service-log.ts';
import { createShopOnce, deleteShop, updateShop } from './shops/shops.ts';

type Deps = { pool: Pool; orders: Orders; keys: CallerLookup; faultInjection: FaultInjection; log: ServiceLog; now: () => Date };

/**
 * The documented addresses, and the one for receipts, which public documentation of such a service has. Mount it at /public-api/v1 before any
 * middleware that reads bodies.
 */
export function publicRouter({ pool, orders, now, ...rest }: Deps): Router {
  const operation = operations(rest);
  const router = express.Router({ caseSensitive: true, strict: true });
  router.use(readablePath);

  const shop = operation('shop', async (call) => {
    const { shop: created, replayed } = await createShopOnce(pool, { ...input(call), now: now(), idempotencyKey: readIdempotencyKey(call.req) });
    return answered(created, replayed);
  });
  router
    .route('/shop')
    .post(shop)
    .all(refuse(['POST']));
  const update = operation('shop', async (call) => ok(await updateShop(pool, { ...input(call), id: ownId(call, 'shop'), now: now() })));
  const removal = operation('shop', async (call) => ok(await deleteShop(pool, { ...input(call), id: ownId(call, 'shop'), now: now() })));
  router
    .route('/shop/:id')
    .put(update)
    .delete(removal)
    .all(refuse(['PUT', 'DELETE']));

  const create = operation('create', async (call) => {
    const { order, replayed } = await orders.create({ ...input(call), idempotencyKey: readIdempotencyKey(call.req) });
    return answered(order, replayed);
  });
  router
    .route('/order')
    .post(create)
    .all(refuse(['POST']));
  const deletion = operation('delete', async (call) => ok(await orders.delete({ caller: call.caller, id: ownId(call, 'order') })));
  router
    .route('/order/:id')
    .delete(deletion)
    .all(refuse(['DELETE']));
  router
    .route('/order/:id/receipt')
    .post(operation('receipt', receiptHandle({ pool, now })))
    .all(refuse(['POST']));

  router.use(refuse([]));
  return router;
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** `replayed`: it is the answer to an earlier request with the same Idempotency-Key. */
function answered(body: unknown, replayed: boolean): Answer {
  return { ...ok(body), ...(replayed && { headers: { 'idempotency-replayed': 'true' } }) };
}

function input({ req, caller, body }: Call) {
  return { caller, body: readJson(req, body) };
}

function ownId({ req }: Call, what: 'shop' | 'order'): string {
  const id = readId(req);
  if (id === undefined) throw notFound(what);
  return id;
}
