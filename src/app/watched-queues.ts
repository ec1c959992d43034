import { DELIVERIES, MAINTENANCE, SUBMISSIONS } from '../bridge/delivery/jobs.ts';
import type { WatchedQueues } from '../operations/health/round.ts';
import { queueInPostgres, queuesAreMade } from '../platform/queue/queues-in-postgres.ts';
import type { Core } from './core.ts';

/** Every queue, for a command that only looks at them. In PostgreSQL that takes no BullMQ, unless it still has to make its tables. */
export async function watchQueues(core: Core): Promise<WatchedQueues & AsyncDisposable> {
  const { config, pool } = core;
  if (config.queue.kind === 'redis' || !(await queuesAreMade(pool))) {
    const { everyQueue, openQueues } = await import('./queues.ts');
    const queues = openQueues(core);
    return { ...queues, every: everyQueue(queues) };
  }
  const deliveries = queueInPostgres(pool, DELIVERIES);
  return {
    deliveries,
    every: [deliveries, queueInPostgres(pool, SUBMISSIONS), queueInPostgres(pool, MAINTENANCE)],
    system: { redis: null, confirmed: (write) => write(), ping: async () => undefined },
    [Symbol.asyncDispose]: async () => undefined,
  };
}
