import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { started } from '../bridge/bridge-events.ts';
import type { Storefronts } from '../bridge/storefronts/contract.ts';
import { storefronts as registered } from '../bridge/storefronts/registry.ts';
import type { Config, Role } from '../config/config.ts';
import { quoted } from '../contract/messages.ts';
import type { HealthDeps } from '../operations/health/round.ts';
import { Refusal } from '../operations/refusal.ts';
import type { Log } from '../platform/log.ts';
import { renewMark } from '../platform/postgres/data-dir-mark.ts';
import { refuseCluster } from '../platform/queue/redis-settings.ts';
import { Together } from '../platform/together.ts';
import type { ComplianceService } from '../service/compliance-service.ts';
import { hasService } from '../service/database/service-tables.ts';
import { type Core, type CoreOptions, listenToChanges, openCore } from './core.ts';
import { watchDatabase } from './database-watch.ts';
import { givenSettings } from './given-settings.ts';
import { type HealthReader, openHealthReader } from './health-reader.ts';
import { httpApps, type Parts } from './http-routes.ts';
import { type HttpListenOptions, type Listening, listen } from './listen.ts';
import { type GaugePace, USUAL_PACE } from './ops/gauges.ts';
import { createMetrics } from './ops/metrics.ts';
import { openQueues } from './queues.ts';
import { gatherTraffic } from './receiver.ts';
import { announceServer } from './running-server.ts';
import { everyQueue, watchedQueues } from './watched-queues.ts';

/** `opsUrl`: where metrics and dashboard are; the same as `url` unless OPS_PORT is set. `consoleUrl`: where the console is; null: it is not served. */
export type App = AsyncDisposable & {
  port: number;
  url: string;
  opsUrl: string;
  consoleUrl: string | null;
  core: Core;
  healthReader: HealthReader;
  /**
   * Says at `/readyz` that no more is to be sent here, and takes it for STOP_DELAY_SECONDS, until balancers have seen that. One that is outdated works no
   * more meanwhile.
   */
  drain(): Promise<void>;
};

export type AppOptions = CoreOptions & {
  config: Config;
  role: Role;
  log: Log;
  /** Of this process; null or absent: not known. */
  pid?: number | null | undefined;
  /** How often gauges are read; every 15 s if absent. */
  gaugePace?: GaugePace;
  /** Those whose stores are read as a second source; the registry's if absent. */
  storefronts?: Storefronts;
  /** The room on the disk of DATA_DIR; that disk's if absent. */
  disk?: HealthDeps['disk'];
  /** The clock of our own compliance service; the system's if absent. The demo has it live through the months before. */
  serviceNow?: (() => Date) | undefined;
  /** The e-mail address of who is signed in by a press or the address, on this machine alone; nobody if absent. */
  demoOwner?: string | undefined;
};

const REQUESTS_SHARE = { mostMs: 5_000, keepMs: 4_500 };

/** Starts a role. Disposing drains the workers, then closes the servers, which take webhooks until then, then the queue, then the database. */
export async function startApp(options: AppOptions): Promise<App> {
  const { config, role, log, gaugePace = USUAL_PACE, storefronts = registered, disk, serviceNow, demoOwner } = options;
  const resources = new AsyncDisposableStack();
  try {
    const core = resources.use(await openCore(config, log, options));
    resources.use(listenToChanges(core));
    if (core.keys.problem !== null) throw new Refusal('misconfigured', quoted(core.keys.problem));
    await core.keys.announce(role, options.pid);
    core.outdated.throwIfAborted();
    const metrics = createMetrics();
    const queues = resources.use(openQueues(core));
    await refuseCluster(queues.system.redis);
    if (config.database.kind === 'embedded') await renewMark(core.pool, config.dataDir);
    const service = await ownService(core, { role, now: serviceNow }, resources);
    await renewDestinations(core);
    const state = { stopping: false };
    const serves = service !== null && (role === 'all' || role === 'compliance');
    const compliance = serves ? { service } : null;
    const traffic = resources.use(gatherTraffic(core));
    const healthReader = openHealthReader({ core, queues: watchedQueues(core, queues), freshMs: gaugePace.everyMs, disk });
    const isStopping = () => state.stopping;
    const pages = hasConsole(config, role)
      ? await (await import('./console.ts')).openConsole({ core, queues, every: everyQueue(queues), healthReader, service, isStopping, demoOwner }, resources)
      : null;
    const parts: Parts = { core, metrics, queues, traffic, compliance, role, gaugePace, healthReader, isStopping, console: pages };
    if (role !== 'receiver' && role !== 'console') resources.use(await watchDatabase(core, queues));
    // Jobs that finish during a stop may need the embedded service: it is served until they end. A platform may never repeat a webhook that is refused.
    const { main, ops, console: pagesAt } = await openServers(parts, resources);
    const { host, port, url } = main;
    const bridge = role === 'all' || role === 'worker' ? await import('./bridge-work.ts') : null;
    const submitter = bridge?.openSubmitter(parts, resources, url);
    const work = resources.use(new Together());
    const before = submitter && bridge?.startBridge(parts, work, { submitter, storefronts, url });
    if (compliance !== null) {
      const { startComplianceWork } = await import('./compliance-work.ts');
      work.use(startComplianceWork({ core, beforeFile: before, ...compliance }));
    }
    const consoleUrl = pages && pagesAt.url;
    resources.use(await announceServer(config.dataDir, { url, role, consoleUrl, publicUrl: config.publicUrl, settings: givenSettings(core) }));
    resources.defer(() => {
      state.stopping = true;
    });
    const kinds = { database: config.database.kind, queue: config.queue.kind, compliance: config.compliance.kind };
    started(log, { role, host, port, opsPort: ops === main ? null : ops.port, ...kinds });
    return {
      port,
      url,
      opsUrl: ops.url,
      consoleUrl,
      core,
      healthReader,
      drain: async () => {
        state.stopping = true;
        await Promise.all([setTimeout(config.stopDelaySeconds * 1_000), core.outdated.aborted ? work[Symbol.asyncDispose]() : null]);
      },
      [Symbol.asyncDispose]: () => stopAll(core, resources),
    };
  } catch (thrown) {
    await resources.disposeAsync();
    throw thrown;
  }
}

/** `ops` is `main` unless OPS_PORT is set, `console` unless CONSOLE_PORT is. */
async function openServers(parts: Parts, resources: AsyncDisposableStack): Promise<Record<'main' | 'ops' | 'console', Listening>> {
  const { stop, config } = parts.core;
  const { host, port, opsPort, consolePort = null } = config;
  const apps = httpApps(parts);
  const servers: Listening[] = [];
  resources.defer(async () => {
    await stop.wait('requests', Promise.all(servers.map((server) => server.close())), REQUESTS_SHARE);
    for (const server of servers) server.cut();
  });
  const open = async (app: RequestListener, at: Pick<HttpListenOptions, 'port' | 'variable'>): Promise<Listening> => {
    const server = await listen(app, { host, ...at });
    servers.push(server);
    return server;
  };
  const main = await open(apps.main, { port, variable: 'PORT' });
  const ops = apps.ops === null || opsPort === null ? main : await open(apps.ops, { port: opsPort, variable: 'OPS_PORT' });
  const pages = apps.console === null || consolePort === null ? main : await open(apps.console, { port: consolePort, variable: 'CONSOLE_PORT' });
  return { main, ops, console: pages };
}

/** Since stores were connected, the address may have become https, and the configured key's secret may have been changed. */
async function renewDestinations({ config: { compliance }, destinations }: Core): Promise<void> {
  if (compliance.kind === 'embedded') return;
  await destinations.callEncrypted(compliance.baseUrl);
  if (compliance.apiKey === null || compliance.apiSecret === null) return;
  await destinations.ensure(compliance.baseUrl, { apiKey: compliance.apiKey, apiSecret: compliance.apiSecret.reveal() });
}

function stopAll({ stop }: Core, resources: AsyncDisposableStack): Promise<void> {
  stop.begin();
  return resources.disposeAsync();
}

/** Our own service, where this role needs it; null: it does not. */
async function ownService(
  core: Core,
  { role, now }: { role: Role; now: (() => Date) | undefined },
  resources: AsyncDisposableStack,
): Promise<ComplianceService | null> {
  const isEmbedded = core.config.compliance.kind === 'embedded';
  // Records in the embedded service can still be deleted there after another service was configured.
  const mayNeed = role === 'all' || role === 'console';
  const needsService =
    role === 'compliance' || isEmbedded || (mayNeed && (await core.destinations.hasEmbedded())) || (role === 'console' && (await hasShops(core)));
  if (!needsService) return null;
  const { embeddedDestination, openService } = await import('./embedded-service.ts');
  const service = resources.use(await openService(core, now));
  if (isEmbedded && role !== 'compliance') await embeddedDestination(core, service);
  return service;
}

/** Our own service is a process of its own, on this database: it is called by its address, and its months, rates and records are read here. */
async function hasShops({ pool }: Core): Promise<boolean> {
  const { listShops } = await import('../service/reading/read-shops.ts');
  return (await hasService(pool)) && (await listShops(pool, { limit: 1 })).items.length > 0;
}

function hasConsole({ console: isOn = true }: Config, role: Role): boolean {
  return isOn && (role === 'all' || role === 'console');
}
