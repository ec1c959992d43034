import { inspectDatabase } from '../../bridge/ledger/inspect-database.ts';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { redisSettings } from '../../platform/queue/redis-settings.ts';
import type { WatchedQueues } from '../verdict/look.ts';
import type { CheckFinding } from './check-finding.ts';

/** An invalid configuration never gets here. */
export function checkConfiguration({ database, queue, compliance, dataDir }: Config): CheckFinding {
  return {
    what: 'configuration',
    verdict: 'ok',
    words: `valid; database ${database.kind}, queue on ${queue.kind}, compliance API ${compliance.kind}, DATA_DIR ${dataDir}`,
  };
}

/** What is known of a database that is right. */
export async function goodDatabase({ pool, config }: { pool: Pool; config: Config }): Promise<CheckFinding> {
  const { version } = await inspectDatabase(pool);
  return {
    what: 'database',
    verdict: 'ok',
    words: `PostgreSQL ${version}${config.database.kind === 'embedded' ? ', embedded in DATA_DIR' : ''}, tables up to date`,
  };
}

/** What is known of a queue that is right. */
export async function goodQueue({ system: { redis } }: Pick<WatchedQueues, 'system'>): Promise<CheckFinding> {
  const what = 'queue';
  if (redis === null) return { what, verdict: 'ok', words: 'BullMQ runs on PostgreSQL, because REDIS_URL is unset; for production set it' };
  const { version, remarks } = await redisSettings(redis);
  if (remarks.length > 0) return { what, verdict: 'remark', words: `Redis ${version}: ${remarks.join('; ')}` };
  return { what, verdict: 'ok', words: `Redis ${version}, appendonly yes, appendfsync always, noeviction` };
}
