import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ComplianceService } from '../compliance/service/compliance-service.ts';
import type { Config, Role } from '../config/config.ts';
import { backlog } from '../ledger/behind-store.ts';
import { inboxSize } from '../ledger/inbox-store.ts';
import { countParked, countStates } from '../ledger/order-view.ts';
import type { Log } from '../platform/log.ts';
import { within } from '../platform/within.ts';
import { createHttpApp } from '../web/http-app.ts';
import { addStandingGauges, createMetrics, type Metrics } from '../web/ops/metrics.ts';
import { opsRouter } from '../web/ops/ops-router.ts';
import { type Core, openCore } from './core.ts';
import { embeddedDestination, openService } from './embedded-service.ts';
import { createEngine } from './engine.ts';
import { openQueues, type Queues } from './queues.ts';
import { createReceiver } from './receiver.ts';
import { announceServer } from './running-server.ts';
import { startWorkers } from './workers.ts';

export type App = AsyncDisposable & { port: number; url: string; core: Core };

export type AppOptions = { config: Config; role: Role; log: Log };

const PING_MS = 1_500;

/** Starts a role. Disposing stops intake first, then drains the workers, then closes the queue, then the database. */
export async function startApp({ config, role, log }: AppOptions): Promise<App> {
  const resources = new AsyncDisposableStack();
  try {
    const core = resources.use(await openCore(config, log));
    const metrics = createMetrics();
    const queues = role === 'compliance' ? null : resources.use(openQueues(core));
    const isEmbedded = config.compliance.kind === 'embedded';
    // Records that the embedded service holds are still deleted there after another service was configured.
    const needsService = role === 'compliance' || isEmbedded || (role === 'all' && (await core.destinations.hasEmbedded()));
    const service = needsService ? resources.use(await openService(core)) : null;
    if (service !== null && isEmbedded && role !== 'compliance') await embeddedDestination(core, service);
    await renewSecret(core);
    const state = { stopping: false };
    const parts: Parts = { core, metrics, queues, service, role, isStopping: () => state.stopping };
    const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }, httpApp(parts));
    const port = await listen(server, config.port);
    const url = `http://127.0.0.1:${port}`;
    // Work that is finished at a stop may need the embedded service: it is served until then, webhooks are refused at once.
    resources.defer(() => stopListening(server));
    if (queues !== null && role !== 'receiver') startWork({ ...parts, queues }, resources, url);
    resources.use(await announceServer(config.dataDir, { url, role }));
    resources.defer(() => {
      state.stopping = true;
    });
    log.info(
      { event: 'started', role, port, database: config.database.kind, queue: config.queue.kind, compliance: config.compliance.kind },
      'orderbridge is ready',
    );
    return { port, url, core, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  } catch (thrown) {
    await resources.disposeAsync();
    throw thrown;
  }
}

/** The configured key's secret may have been changed since stores were connected with that key. */
async function renewSecret({ config: { compliance }, destinations }: Core): Promise<void> {
  if (compliance.kind === 'embedded' || compliance.apiKey === null || compliance.apiSecret === null) return;
  await destinations.ensure(compliance.baseUrl, { apiKey: compliance.apiKey, apiSecret: compliance.apiSecret.reveal() });
}

type Parts = {
  core: Core;
  metrics: Metrics;
  queues: Queues | null;
  service: ComplianceService | null;
  role: Role;
  isStopping(): boolean;
};

function startWork({ core, metrics, role, queues, service }: Parts & { queues: Queues }, resources: AsyncDisposableStack, url: string): void {
  const embeddedUrl = async (): Promise<string> => {
    if (role === 'all' && service !== null) return url;
    throw new Error('this connection belongs to the embedded compliance service, which only role all can reach');
  };
  const engine = resources.use(createEngine({ core, queues, metrics, embeddedUrl }));
  resources.use(startWorkers({ core, queues, metrics, engine }));
}

function httpApp(parts: Parts): RequestListener {
  const { core, metrics, queues, service, role, isStopping } = parts;
  const receives = queues !== null && role !== 'worker';
  const serves = service !== null && (role === 'all' || role === 'compliance');
  const rehearses = serves && core.config.complianceRehearsal === true;
  const refresh = addStandingGauges(metrics.registry, () => within(PING_MS, standing(core, queues)));
  const boards = queues === null ? [] : [queues.deliveries, queues.submissions, queues.maintenance];
  const adminToken = core.config.adminToken?.reveal() ?? null;
  return createHttpApp({
    routes: [
      ...(receives ? [{ path: '/', router: createReceiver({ core, queues, metrics }) }] : []),
      ...(serves ? [{ path: '/public-api/v1', router: service.router }] : []),
      ...(rehearses ? [{ path: '/rehearsal', router: service.rehearsalRouter }] : []),
      { path: '/', router: opsRouter({ registry: metrics.registry, refresh, checks: checks(core, queues), adminToken, queues: boards, isStopping }) },
    ],
    isStopping,
    onError: (err) => core.log.error({ err }, 'a request failed'),
  });
}

function checks({ pool }: Core, queues: Queues | null): Record<string, () => Promise<void>> {
  const database = async () => {
    await within(PING_MS, pool.query('select 1'));
  };
  return queues === null ? { database } : { database, queue: () => queues.system.ping(PING_MS) };
}

async function standing({ pool, destinations }: Core, queues: Queues | null) {
  const [states, parked, pauses, { behind, oldestSeconds }, inbox] = await Promise.all([
    countStates(pool),
    countParked(pool),
    destinations.pauses(),
    backlog(pool),
    inboxSize(pool),
  ]);
  const counted = queues === null ? [] : [queues.deliveries, queues.submissions];
  const jobs = Object.fromEntries(
    await Promise.all(counted.map(async (queue) => [queue.name, await queue.getJobCounts('waiting', 'active', 'delayed', 'failed')] as const)),
  );
  return { states, parked, paused: pauses.length, behind, oldestSeconds, inbox, jobs };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} is taken; set PORT to a free one`, { cause: error }) : error);
    });
    server.listen(port, () => resolve((server.address() as AddressInfo).port));
  });
}

async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), 5_000).unref();
  await closed;
  clearTimeout(timer);
}
