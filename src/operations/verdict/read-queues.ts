import { errorWords } from '../../platform/error-words.ts';
import { redisSettings } from '../../platform/queue/redis-settings.ts';
import type { Look, Reader, WatchedQueue } from './look.ts';
import { LATE_MS } from './read-backlog.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

const PING_MS = 1_500;

/** Whether the queue answers, keeps what it was given, and is worked on. */
export const queueReader: Reader = {
  codes: ['queue.down', 'queue.unsafe', 'queue.paused', 'backlog.old'],
  async read(look) {
    const { queues } = look;
    try {
      const [unsafe, paused, stuck] = await Promise.all([
        unsafeRedis(look),
        Promise.all(queues.every.map(pausedQueue)),
        stuckDeliveries(look),
        queues.system.ping(PING_MS),
      ]);
      return [...paused.flat(), ...unsafe, ...stuck];
    } catch (thrown) {
      return [reasonOf('queue.down', { words: queueDownWords(look, thrown) })];
    }
  },
};

export function queueDownWords({ queues: { system } }: Pick<Look, 'queues'>, thrown: unknown): string {
  const refusal = thrown instanceof Error ? /^(OOM|NOPERM) /.exec(thrown.message)?.[1] : undefined;
  if (refusal === 'OOM') return `Redis is full (${errorWords(thrown)}); give it more memory (maxmemory)`;
  if (refusal === 'NOPERM') return `Redis refuses a command (${errorWords(thrown)}); give the user of REDIS_URL the rights that docs/operations.md names`;
  return `no answer (${errorWords(thrown)}); check ${system.redis === null ? 'DATABASE_URL, where the queue is' : 'REDIS_URL, and that Redis runs'}`;
}

async function unsafeRedis({ queues: { system } }: Look): Promise<Reason[]> {
  if (system.redis === null) return [];
  const { version, problems } = await redisSettings(system.redis);
  return problems.length === 0 ? [] : [reasonOf('queue.unsafe', { words: `Redis ${version}: ${problems.join('; ')}` })];
}

async function pausedQueue(queue: WatchedQueue): Promise<Reason[]> {
  if (!(await queue.isPaused())) return [];
  return [reasonOf('queue.paused', { subject: queue.name, words: `${queue.name} is paused: nothing is taken from it`, verb: `queues --resume ${queue.name}` })];
}

/** Without a worker, accepted webhooks wait here, and no order is known that could be behind. */
async function stuckDeliveries({ queues: { deliveries }, now }: Look): Promise<Reason[]> {
  const [oldest] = await deliveries.getJobs(['waiting'], 0, 0, true);
  if (oldest === undefined || now - oldest.timestamp < LATE_MS) return [];
  const since = new Date(oldest.timestamp).toISOString();
  const { waiting = 0 } = await deliveries.getJobCounts('waiting');
  const words = `webhooks have been waiting on the queue since ${since}: is a worker running?`;
  return [reasonOf('backlog.old', { subject: 'deliveries', count: waiting, since, words, verb: 'queues' })];
}
