import { Redis } from 'ioredis';

/** One key with its content, in a form that any Redis takes: Redis's own dumps depend on its version. */
export type RedisKey = { key: string; expiresInMs: number | null } & (
  | { type: 'string'; value: string }
  | { type: 'list'; value: string[] }
  | { type: 'set'; value: string[] }
  | { type: 'hash'; value: Record<string, string> }
  | { type: 'zset'; value: [member: string, score: string][] }
  | { type: 'stream'; value: [id: string, fields: string[]][] }
);

/** Every key of a Redis, in the order of their names. */
export async function dumpRedis(url: string): Promise<RedisKey[]> {
  const redis = new Redis(url);
  try {
    const keys = (await redis.keys('*')).sort();
    const dumped: RedisKey[] = [];
    for (const key of keys) {
      const left = await redis.pttl(key);
      dumped.push({ key, expiresInMs: left < 0 ? null : left, ...(await contentOf(redis, key)) } as RedisKey);
    }
    return dumped;
  } finally {
    redis.disconnect();
  }
}

async function contentOf(redis: Redis, key: string): Promise<{ type: string; value: unknown }> {
  const type = await redis.type(key);
  switch (type) {
    case 'string':
      return { type, value: await redis.get(key) };
    case 'list':
      return { type, value: await redis.lrange(key, 0, -1) };
    case 'set':
      return { type, value: (await redis.smembers(key)).sort() };
    case 'hash':
      return { type, value: await redis.hgetall(key) };
    case 'zset':
      return { type, value: pairs(await redis.zrange(key, '0', '-1', 'WITHSCORES')) };
    case 'stream':
      return { type, value: await redis.xrange(key, '-', '+') };
    default:
      throw new Error(`${key} is a ${type}, which is not known here`);
  }
}

function pairs(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n] ?? '', flat[2 * n + 1] ?? '']);
}
