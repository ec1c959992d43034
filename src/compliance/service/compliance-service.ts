import type { Router } from 'express';
import type pg from 'pg';
import type { TiedCurrency } from '../../domain/money.ts';
import type { Dialect } from '../wire/dialect.ts';
import { migrate } from './database/migrate.ts';
import { publicRouter } from './http/public-router.ts';
import { createRehearsal, type Rehearsal } from './http/rehearsal.ts';
import { rehearsalRouter } from './http/rehearsal-router.ts';
import { type ApiKeys, createApiKeys, type Sealing } from './keys/api-keys.ts';
import { createAccountant } from './orders/create-accountant.ts';
import { inspectShop, type StandingOrder } from './orders/inspect.ts';
import { createOrders } from './orders/orders.ts';
import { type ServiceLog, silentLog } from './service-log.ts';

type Options = {
  /** Its database may hold other things: everything here lives in the schema `compliance`. */
  pool: pg.Pool;
  /** Encrypts API secrets at rest. */
  sealing: Sealing;
  /** How API keys speak that were created without a word about it. */
  dialectDefaults: Dialect;
  /** Currency of all audit files; null or absent: BGN until 2025, EUR since 2026. */
  accountingCurrency?: TiedCurrency | null;
  log?: ServiceLog;
  now?: () => Date;
};

export type ComplianceService = {
  /** Brings the database up to date; before the first request. */
  migrate(): Promise<void>;
  /** For /public-api/v1. It must see the raw body: mount it before any JSON middleware. */
  router: Router;
  keys: ApiKeys;
  rehearsal: Rehearsal;
  /** For /rehearsal, without authentication: mount it only where somebody wants to rehearse failures. */
  rehearsalRouter: Router;
  /** The orders that stand in a shop, with their totals. */
  inspect(what: { shopId: string }): Promise<StandingOrder[]>;
};

/** The compliance service: shops, orders and API keys over the documented interface. It keeps no state of its own but the rehearsal. */
export function createComplianceService({
  pool,
  sealing,
  dialectDefaults,
  accountingCurrency = null,
  log = silentLog,
  now = () => new Date(),
}: Options): ComplianceService {
  const keys = createApiKeys({ pool, sealing, dialectDefaults, now });
  const rehearsal = createRehearsal();
  const orders = createOrders({ pool, now, currency: accountingCurrency, accounting: createAccountant({ currency: accountingCurrency, rates: async () => null }) });
  return {
    migrate: () => migrate(pool),
    router: publicRouter({ pool, orders, keys, rehearsal, log, now }),
    keys,
    rehearsal,
    rehearsalRouter: rehearsalRouter(rehearsal),
    inspect: ({ shopId }) => inspectShop(pool, shopId),
  };
}
