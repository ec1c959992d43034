import type { Core } from '../app/core.ts';
import type { Queues } from '../app/queues.ts';
import { findServer } from '../app/running-server.ts';

/** Runs `work` while somebody works on the queues: a running server, or, if there can be none, this process. */
export async function withWorkers<T>(core: Core, queues: Queues, work: () => Promise<T>): Promise<T> {
  await using _workers = (await hasNoWorkers(core)) ? await open(core, queues) : null;
  return await work();
}

/** Only an embedded database is surely without other workers: an external one may have them on any machine. */
async function hasNoWorkers({ config: { database, dataDir } }: Core): Promise<boolean> {
  return database.kind === 'embedded' && (await findServer(dataDir, ['all', 'worker'])) === null;
}

async function open(core: Core, queues: Queues): Promise<AsyncDisposable> {
  const { openWorkers } = await import('../app/open-workers.ts');
  return openWorkers(core, queues);
}
