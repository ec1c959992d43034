import { refuse } from '../http/operation.ts';
import { shopsQuery } from '../reading/queries.ts';
import { listShops, readShop } from '../reading/read-shops.ts';
import { outstandingHandle } from './outstanding-handle.ts';
import { addGet, found, ok, own, query, type RouteDeps } from './routes.ts';

/** /shops */
export function addShopRoutes(deps: RouteDeps): void {
  const { router, operation, pool, now } = deps;
  addGet(deps, '/shops', async ({ req, caller }) => ok(await listShops(pool, { ...query(shopsQuery, req.query), keyId: caller.keyId })));
  addGet(deps, '/shops/:id', async (call) => ok(found(await readShop(pool, own(call, 'shop')), 'shop')));
  router
    .route('/shops/:id/outstanding')
    .put(operation('read', outstandingHandle({ pool, now })))
    .all(refuse(['PUT']));
}
