import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeMonthFiled } from '../bridge/ledger/events/event-store.ts';
import { embeddedDialect } from '../contract/dialect.ts';
import { createHttpApp } from '../platform/http/http-app.ts';
import { type ComplianceService, createComplianceService } from '../service/compliance-service.ts';
import type { Core } from './core.ts';

const POOL_SHARE = { mostMs: 2_000, keepMs: 3_000 };

/** Opens our own compliance service on the core's database, with its own tables and connections. `now`: its clock, the system's if absent. */
export async function openService(core: Core, now?: () => Date): Promise<ComplianceService & AsyncDisposable> {
  const { config, log, sealer } = core;
  const pool = core.openPool();
  const service = createComplianceService({
    pool,
    sealing: sealer,
    dialectDefaults: embeddedDialect,
    accountingCurrency: config.accountingCurrency,
    replacementWaitMs: config.replacementWaitMinutes * 60_000,
    publicUrl: config.servicePublicUrl ?? null,
    monthMail: { replyTo: config.mail.replyTo ?? null },
    log,
    onFiled: writeMonthFiled,
    ...(now === undefined ? {} : { now }),
  });
  await service.migrate();
  return { ...service, [Symbol.asyncDispose]: () => core.stop.wait('connections of the compliance service', pool.end(), POOL_SHARE) };
}

/** The destination that connections use when no other compliance API is configured; its key is made once. */
export function embeddedDestination(core: Core, service: Pick<ComplianceService, 'keys'>): Promise<string> {
  return core.destinations.ensureEmbedded(() => service.keys.create({ multiShop: true, label: 'orderbridge itself' }));
}

/** Serves the service on a free local port, for a process that needs it and finds none running. */
export async function serveLocally({
  router,
  extensionRouter,
}: Pick<ComplianceService, 'router' | 'extensionRouter'>): Promise<{ url: string } & AsyncDisposable> {
  const routes = [
    { path: '/public-api/v1', router },
    { path: '/service/v1', router: extensionRouter },
  ];
  const app = createHttpApp({ routes, isStopping: () => false, onError: () => undefined });
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
