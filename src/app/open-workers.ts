import { whole } from '../platform/jobs/job-kind.ts';
import type { Core } from './core.ts';
import { openService, serveLocally } from './embedded-service.ts';
import { createMetrics } from './ops/metrics.ts';
import type { Queues } from './queues.ts';
import { runKinds } from './run-kinds.ts';
import { createSubmitter } from './submitter.ts';
import { sweep } from './sweeper.ts';
import { startWorkers } from './workers.ts';

/** Recorder, submitter and sweeper for a process that is no server: it serves the embedded compliance service on a local port. */
export async function openWorkers(core: Core, queues: Queues): Promise<AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const metrics = createMetrics();
  const embeddedUrl = core.config.compliance.kind === 'embedded' ? await serveEmbedded(core, setup) : notConfigured;
  const submitter = setup.use(createSubmitter({ core, queues, metrics, embeddedUrl }));
  const { takenOver, record } = setup.use(startWorkers({ core, queues, metrics, submitter }));
  setup.use(runKinds(core, { sweep: whole((signal) => sweep({ core, queues, metrics, takenOver, record }, signal)) }));
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
