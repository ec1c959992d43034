import type { Redis } from 'ioredis';
import { withTimeout } from '../with-timeout.ts';

/** How a Redis treats jobs in a crash and when it is full. `problems` lose accepted jobs; `remarks` are worth knowing. */
export type RedisSettings = { version: string; problems: string[]; remarks: string[] };

/** One hash slot would hold all of it, so that a cluster makes nothing larger or safer. */
const NO_CLUSTER = 'it is a Redis Cluster, whose nodes can’t share the queues; use one Redis, with Sentinel if another should take over';

const LOOK_MS = 1_000;

/** Throws in words if the queues can't be there. A Redis that does not answer in time may be right. */
export async function refuseCluster(redis: Redis | null): Promise<void> {
  const text = redis === null ? '' : await withTimeout(LOOK_MS, redis.info('cluster')).catch(() => '');
  if (fieldsOf(text).get('cluster_enabled') === '1') throw new Error(`REDIS_URL can't be used: ${NO_CLUSTER}`);
}

/** Reads the settings from INFO, which hosted services allow too, and appendfsync, which INFO lacks, from CONFIG. */
export async function redisSettings(redis: Redis): Promise<RedisSettings> {
  const text = await redis.info().catch((thrown: unknown) => {
    if (thrown instanceof Error && thrown.message.startsWith('NOPERM')) return null;
    throw thrown;
  });
  if (text === null) return { version: 'unknown', problems: ['its settings can’t be read: allow INFO to the user of REDIS_URL'], remarks: [] };
  const info = fieldsOf(text);
  const problems: string[] = [];
  const remarks: string[] = [];
  const policy = info.get('maxmemory_policy') ?? 'unknown';
  if (info.get('cluster_enabled') === '1') problems.push(NO_CLUSTER);
  if (info.get('aof_enabled') !== '1') problems.push('appendonly is not yes: a crash loses webhooks that were accepted; set appendonly yes');
  if (policy !== 'noeviction') problems.push(`maxmemory-policy is ${policy}: a full Redis drops jobs; set maxmemory-policy noeviction`);
  const fsync = await appendFsync(redis);
  if (fsync === null) remarks.push('appendfsync can’t be read (CONFIG is not allowed)');
  else if (fsync !== 'always') remarks.push(`appendfsync is ${fsync}: a power cut may lose the last moments; always is safest`);
  return { version: info.get('redis_version') ?? 'unknown', problems, remarks };
}

function fieldsOf(info: string): Map<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line) => (/^[a-z_]+:/.test(line) ? [[line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]] : [])),
  );
}

async function appendFsync(redis: Redis): Promise<string | null> {
  const answer: unknown = await redis.config('GET', 'appendfsync').catch(() => null);
  if (Array.isArray(answer)) return typeof answer[1] === 'string' ? answer[1] : null;
  if (answer instanceof Map) return String(answer.get('appendfsync') ?? '') || null;
  return answer !== null && typeof answer === 'object' && 'appendfsync' in answer ? String(answer.appendfsync) : null;
}
