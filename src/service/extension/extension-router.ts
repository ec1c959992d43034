import express, { type Router } from 'express';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import type { MonthActs } from '../audit/month/month-acts.ts';
import { operations, readablePath, refuse } from '../http/operation.ts';
import type { CallerLookup } from '../keys/api-keys.ts';
import type { OrdersDeps } from '../orders/orders.ts';
import type { Rehearsal } from '../rehearsal.ts';
import type { ServiceLog } from '../service-log.ts';
import { addAuditFileRoutes, addMonthRoutes } from './month-routes.ts';
import { addOrderRoutes } from './order-routes.ts';
import { addReceiptRoutes } from './receipt-routes.ts';
import { addShopRoutes } from './shop-routes.ts';

type Deps = {
  pool: Pool;
  orders: OrdersDeps;
  keys: CallerLookup;
  rehearsal: Rehearsal;
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
