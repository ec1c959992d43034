import { DELIVERIES, MAINTENANCE, SUBMISSIONS } from '../bridge/delivery/jobs.ts';
import type { PausableQueue } from '../operations/destinations/destinations.ts';
import type { WatchedQueues } from '../operations/health/round.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { queueInPostgres } from '../platform/queue/queues-in-postgres.ts';
import type { Core } from './core.ts';
import type { Queues } from './queues.ts';

const NO_REDIS: WatchedQueues['system'] = { redis: null, confirmed: (write) => write(), ping: async () => undefined };

/** Every queue, also those that this process does not work on. */
export function everyQueue({ deliveries, submissions, maintenance }: Queues): PausableQueue[] {
  return [deliveries, submissions, maintenance];
}

/** The queues of a server as checks look at them. */
export function watchedQueues({ config, pool }: Core, queues: Queues): WatchedQueues {
  return config.queue.kind === 'redis' ? { ...queues, every: everyQueue(queues) } : inPostgres(pool);
}

/** The queues as checks look at them, for a command. */
export async function openWatchedQueues(core: Core): Promise<WatchedQueues & AsyncDisposable> {
  if (core.config.queue.kind === 'postgres') return { ...inPostgres(core.pool), [Symbol.asyncDispose]: async () => undefined };
  const { openQueues } = await import('./queues.ts');
  const queues = openQueues(core);
  return { ...watchedQueues(core, queues), [Symbol.asyncDispose]: () => queues[Symbol.asyncDispose]() };
}

function inPostgres(pool: Pool): WatchedQueues {
  const deliveries = queueInPostgres(pool, DELIVERIES);
  return { deliveries, every: [deliveries, queueInPostgres(pool, SUBMISSIONS), queueInPostgres(pool, MAINTENANCE)], system: NO_REDIS };
}
