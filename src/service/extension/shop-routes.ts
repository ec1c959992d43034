import { outstandingDto } from '../../contract/outstanding-dto.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { keepOutstanding } from '../audit/month/outstanding.ts';
import { invalidBody, notFound } from '../http/http-problem.ts';
import { type Handle, refuse } from '../http/operation.ts';
import { parseBody, readId, readJson } from '../http/read-request.ts';
import { shopsQuery } from '../reading/listing.ts';
import { listShops, readShop } from '../reading/read-shops.ts';
import { changeOptions } from '../shops/shops.ts';
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
