import type { Core } from './core.ts';
import { openService, serveLocally } from './embedded-service.ts';
import { createEngine } from './engine.ts';
import { createMetrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { startWorkers } from './workers.ts';

/** Recorder, submitter and sweeper for a process that is no server: the embedded compliance service is served on a port of its own. */
export async function openEngine(core: Core, queues: Queues): Promise<AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const metrics = createMetrics();
  const embeddedUrl = core.config.compliance.kind === 'embedded' ? await serveEmbedded(core, setup) : notConfigured;
  const engine = setup.use(createEngine({ core, queues, metrics, embeddedUrl }));
  setup.use(startWorkers({ core, queues, metrics, engine }));
  return setup.move();
}

async function serveEmbedded(core: Core, resources: AsyncDisposableStack): Promise<() => Promise<string>> {
  const service = resources.use(await openService(core));
  const { url } = resources.use(await serveLocally(service));
  return async () => url;
}

async function notConfigured(): Promise<string> {
  throw new Error('this connection belongs to the embedded compliance service, which is not configured here');
}
