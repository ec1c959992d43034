import { auditFileRoutes, monthRoutes } from './month-routes.ts';
import { publicRoutes } from './public-routes.ts';
import { readingRoutes } from './reading-routes.ts';
import type { Route } from './route.ts';

/** Every operation of the interface: its routers and its OpenAPI document are made from this table. */
export const routes: readonly Route[] = [...publicRoutes, ...monthRoutes, ...readingRoutes, ...auditFileRoutes];
