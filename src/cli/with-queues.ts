import type { Core } from '../app/core.ts';
import type { Queues } from '../app/queues.ts';
import type { Notify } from '../bridge/delivery/notify.ts';
import { errorWords } from '../platform/error-words.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { withCore } from './with-core.ts';

const QUEUE_MS = 5_000;

/** Runs `work` on the ledger. Nobody processes orders in this process; anyone who does sees what is due in the ledger, within a moment. */
export function withNotify<T>(context: CliContext, work: (core: Core, notify: Notify) => Promise<T>): Promise<T> {
  return withCore(context, async (core) => {
    const { notifyNobody } = await import('../bridge/delivery/notify.ts');
    return work(core, notifyNobody);
  });
}

/** The queues, for a command that always needs them: BullMQ loads slowly, so only such commands load it. */
export async function withQueues<T>(core: Core, work: (queues: Queues) => Promise<T>): Promise<T> {
  const { openQueues } = await import('../app/queues.ts');
  await using queues = openQueues(core);
  await queueAnswers(queues);
  return await work(queues);
}

/** An error in words if the queue is down. */
async function queueAnswers({ system }: Pick<Queues, 'system'>): Promise<void> {
  try {
    await system.ping(QUEUE_MS);
  } catch (thrown) {
    throw new CliError(`the queue does not answer (${errorWords(thrown)}); check REDIS_URL, and that Redis runs`);
  }
}

/** Runs `work` while somebody works on the queues: a running server, or, if there can be none, this process. */
export async function withWorkers<T>(core: Core, queues: Queues, work: () => Promise<T>): Promise<T> {
  await using _workers = (await hasNoWorkers(core)) ? await (await import('../app/open-workers.ts')).openWorkers(core, queues) : null;
  return await work();
}

/** Only an embedded database is surely without other workers: an external one may have them on any machine. */
async function hasNoWorkers({ config: { database, dataDir } }: Core): Promise<boolean> {
  const { findServer } = await import('../app/running-server.ts');
  return database.kind === 'embedded' && (await findServer(dataDir, ['all', 'worker'])) === null;
}
