import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import type pg from 'pg';
import { type Dialect, embeddedDialect } from '../../../src/contract/dialect.ts';
import { sealer } from '../../../src/platform/seal.ts';
import type { MonthMailDeps } from '../../../src/service/audit/month/month-mail.ts';
import { type ComplianceService, createComplianceService } from '../../../src/service/compliance-service.ts';
import type { ServiceLog } from '../../../src/service/service-log.ts';
import { openPool } from './open-pool.ts';
import { recordsOfShop, type ShopRecord } from './records-of-shop.ts';

export type ServerOptions = {
  databaseUrl: string;
  now?: () => Date;
  log?: ServiceLog;
  sealing?: ReturnType<typeof sealer>;
  dialectDefaults?: Dialect;
  migrated?: boolean;
  withPages?: boolean;
  monthMail?: Pick<MonthMailDeps, 'replyTo' | 'sizes'>;
};

/** Our compliance service on 127.0.0.1, over real HTTP and a real PostgreSQL. */
export type ComplianceServer = {
  /** Without a trailing slash and without /public-api/v1. */
  baseUrl: string;
  service: ComplianceService & { records(what: { shopId: string }): Promise<ShopRecord[]> };
  pool: pg.Pool;
  /** For a second server on the same database. */
  sealing: ReturnType<typeof sealer>;
} & AsyncDisposable;

/** What its secrets are sealed with, for commands on the same database. */
export const SEALING_KEY = randomBytes(32);

export async function startComplianceServer({
  databaseUrl,
  sealing = sealer(SEALING_KEY),
  dialectDefaults = embeddedDialect,
  migrated = false,
  withPages = false,
  ...rest
}: ServerOptions) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  const baseUrl = `http://127.0.0.1:${address.port}`;
  const { pool, end } = openPool(databaseUrl, { options: '-c search_path=compliance,jobs' });
  const own = createComplianceService({ pool, sealing, dialectDefaults, ...rest, publicUrl: withPages ? baseUrl : null });
  const service = { ...own, records: ({ shopId }: { shopId: string }) => recordsOfShop(pool, shopId) };
  if (!migrated) await service.migrate();
  const app = express()
    .use('/public-api/v1', service.router)
    .use('/faults', service.faultRouter)
    .use('/service/v1', service.extensionRouter)
    .use(service.openApiRouter);
  if (service.portalRouter !== null) app.use('/months', service.portalRouter);
  server.on('request', app);
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await end();
  };
  return { baseUrl, service, pool, sealing, [Symbol.asyncDispose]: stop } satisfies ComplianceServer;
}
