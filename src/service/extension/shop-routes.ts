import { refuse } from '../http/operation.ts';
import { shopsQuery } from '../reading/queries.ts';
import { listShops, readShop } from '../reading/read-shops.ts';
import { changeOptions } from '../shops/change-options.ts';
import { outstandingHandle } from './outstanding-handle.ts';
import { addGet, bodyOf, found, ok, own, query, type RouteDeps, saidOf } from './routes.ts';

/** /shops */
export function addShopRoutes(deps: RouteDeps): void {
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
