import type { Redis } from 'ioredis';
import { inspectDatabase } from '../../bridge/ledger/inspect-database.ts';
import type { Config } from '../../config/config.ts';
import { isTooShort, SHORTEST_ADMIN_TOKEN } from '../../config/usable-admin-token.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { redisSettings } from '../../platform/queue/redis-settings.ts';
import { within } from '../../platform/within.ts';
import type { CheckFinding } from './check-finding.ts';
import type { PausableQueue } from './queue-states.ts';

/** One of the queues, and the Redis that it is on; null: it is in PostgreSQL. */
export type QueueToCheck = {
  deliveries: { getJobCounts(state: 'waiting'): Promise<unknown> };
  system: { redis: Redis | null };
  every: readonly PausableQueue[];
};

const QUEUE_MS = 5_000;

/** An invalid configuration never gets here. */
export function checkConfiguration({ database, queue, compliance, dataDir }: Config): CheckFinding {
  return {
    what: 'configuration',
    verdict: 'ok',
    words: `valid; database ${database.kind}, queue on ${queue.kind}, compliance API ${compliance.kind}, DATA_DIR ${dataDir}`,
  };
}

export async function checkDatabase({ pool, config }: { pool: Pool; config: Config }): Promise<CheckFinding> {
  const { version, fsync, synchronousCommit } = await inspectDatabase(pool);
  const what = 'database';
  if (fsync !== 'on') return { what, verdict: 'wrong', words: `PostgreSQL ${version} with fsync ${fsync}: a power cut destroys the ledger; set fsync on` };
  if (synchronousCommit === 'off') {
    return { what, verdict: 'wrong', words: `PostgreSQL ${version} with synchronous_commit off: a crash loses what was recorded; set it on` };
  }
  return { what, verdict: 'ok', words: `PostgreSQL ${version}${config.database.kind === 'embedded' ? ', embedded in DATA_DIR' : ''}, tables up to date` };
}

/** No finding: the dashboard is off, or its password long enough. */
export function checkDashboard(config: Config): CheckFinding[] {
  const words = `off: ADMIN_TOKEN has fewer than ${SHORTEST_ADMIN_TOKEN} characters, and could be guessed; \`openssl rand -hex 16\` makes one`;
  return isTooShort(config) ? [{ what: 'dashboard', verdict: 'wrong', words }] : [];
}

/** A queue that somebody paused looks healthy, and takes work that is never done. */
export async function checkPaused({ every }: QueueToCheck): Promise<CheckFinding[]> {
  const paused = await within(QUEUE_MS, Promise.all(every.map(async (queue) => ((await queue.isPaused()) ? [queue.name] : [])))).catch(() => []);
  return paused.flat().map((name) => ({
    what: 'queue',
    verdict: 'wrong',
    words: `${name} is paused: nothing is taken from it; \`orderbridge queues --resume ${name}\``,
  }));
}

export async function checkQueue({ deliveries, system: { redis } }: QueueToCheck): Promise<CheckFinding> {
  const what = 'queue';
  try {
    await within(QUEUE_MS, deliveries.getJobCounts('waiting'));
    if (redis === null) return { what, verdict: 'ok', words: 'BullMQ runs on PostgreSQL, because REDIS_URL is unset; for production set it' };
    const { version, problems, remarks } = await within(QUEUE_MS, redisSettings(redis));
    if (problems.length > 0) return { what, verdict: 'wrong', words: `Redis ${version}: ${problems.join('; ')}` };
    if (remarks.length > 0) return { what, verdict: 'remark', words: `Redis ${version}: ${remarks.join('; ')}` };
    return { what, verdict: 'ok', words: `Redis ${version}, appendonly yes, appendfsync always, noeviction` };
  } catch (thrown) {
    return { what, verdict: 'wrong', words: `no answer (${errorWords(thrown)}); check REDIS_URL, and that Redis runs` };
  }
}
