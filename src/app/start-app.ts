import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { started } from '../bridge/bridge-events.ts';
import type { Config, Role } from '../config/config.ts';
import { limitConnections, serverTimeouts } from '../platform/http/server-limits.ts';
import type { Log } from '../platform/log.ts';
import type { StopBudget } from '../platform/stop-budget.ts';
import { Together } from '../platform/together.ts';
import { openComplianceQueues, startComplianceWork } from './compliance-work.ts';
import { type Core, openCore } from './core.ts';
import { embeddedDestination, openService } from './embedded-service.ts';
import { httpApp, type Parts } from './http-routes.ts';
import { createMetrics } from './ops/metrics.ts';
import { openQueues } from './queues.ts';
import { countThrottled } from './receiver.ts';
import { announceServer } from './running-server.ts';
import { createSubmitter, type Submitter } from './submitter.ts';
import { startWorkers } from './workers.ts';

export type App = AsyncDisposable & { port: number; url: string; core: Core };

export type AppOptions = { config: Config; role: Role; log: Log };

const REQUESTS_SHARE = { mostMs: 5_000, keepMs: 4_500 };
const SUBMITTER_SHARE = { mostMs: 2_000, keepMs: 4_000 };

/** Starts a role. Disposing stops intake first, then drains the workers, then closes the queue, then the database. */
export async function startApp({ config, role, log }: AppOptions): Promise<App> {
  const resources = new AsyncDisposableStack();
  try {
    const core = resources.use(await openCore(config, log));
    const metrics = createMetrics();
    const queues = resources.use(openQueues(core));
    const isEmbedded = config.compliance.kind === 'embedded';
    // Records in the embedded service can still be deleted there after another service was configured.
    const needsService = role === 'compliance' || isEmbedded || (role === 'all' && (await core.destinations.hasEmbedded()));
    const service = needsService ? resources.use(await openService(core)) : null;
    if (service !== null && isEmbedded && role !== 'compliance') await embeddedDestination(core, service);
    await renewDestinations(core);
    const state = { stopping: false };
    const serves = service !== null && (role === 'all' || role === 'compliance');
    const compliance = serves ? { service, queues: openComplianceQueues(queues.system) } : null;
    const throttled = resources.use(countThrottled(core));
    const parts: Parts = { core, metrics, queues, throttled, compliance, role, isStopping: () => state.stopping };
    const server = createServer(serverTimeouts, httpApp(parts));
    limitConnections(server);
    const port = await listen(server, config.port);
    const url = `http://127.0.0.1:${port}`;
    // Jobs that finish during a stop may need the embedded service: it is served until they end, webhooks are refused at once.
    resources.defer(() => stopListening(server, core.stop));
    const submitter = role === 'all' || role === 'worker' ? openSubmitter(parts, resources, url) : null;
    const work = resources.use(new Together());
    if (submitter !== null) work.use(startWorkers({ core, queues, metrics, submitter }));
    if (compliance !== null) work.use(startComplianceWork({ core, system: queues.system, ...compliance }));
    resources.use(await announceServer(config.dataDir, { url, role }));
    resources.defer(() => {
      state.stopping = true;
    });
    started(log, { role, port, database: config.database.kind, queue: config.queue.kind, compliance: config.compliance.kind });
    return { port, url, core, [Symbol.asyncDispose]: () => stopAll(core, resources) };
  } catch (thrown) {
    await resources.disposeAsync();
    throw thrown;
  }
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

function openSubmitter({ core, metrics, role, queues, compliance }: Parts, resources: AsyncDisposableStack, url: string): Submitter {
  const embeddedUrl = async (): Promise<string> => {
    if (role === 'all' && compliance !== null) return url;
    throw new Error('this connection belongs to the embedded compliance service, which only role all can reach');
  };
  const submitter = createSubmitter({ core, queues, metrics, embeddedUrl });
  resources.defer(() => core.stop.wait('submitter', submitter[Symbol.asyncDispose](), SUBMITTER_SHARE));
  return submitter;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new Error(`port ${port} is taken; set PORT to a free one`, { cause: error }) : error);
    });
    server.listen(port, () => resolve((server.address() as AddressInfo).port));
  });
}

async function stopListening(server: Server, stop: StopBudget): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await stop.wait('requests', closed, REQUESTS_SHARE);
  server.closeAllConnections();
}
