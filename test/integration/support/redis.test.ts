import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { startRedis } from '../../support/servers/redis.ts';

async function command<T>(url: string, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

test('with appendFsync always a write survives kill -9', async () => {
  await using redis = await startRedis({ appendFsync: 'always' });
  await command(redis.url, (client) => client.set('kept', 'yes'));

  await redis.kill();
  await redis.start();

  expect(await command(redis.url, (client) => client.get('kept'))).toBe('yes');
});

test('without it a stopped server comes back empty on the same address', async () => {
  await using redis = await startRedis();
  await command(redis.url, (client) => client.set('kept', 'yes'));

  await redis.stop();
  await redis.start();

  expect(await command(redis.url, (client) => client.get('kept'))).toBeNull();
});

test('flush deletes everything', async () => {
  await using redis = await startRedis();
  await command(redis.url, (client) => client.set('kept', 'yes'));

  await redis.flush();

  expect(await command(redis.url, (client) => client.dbsize())).toBe(0);
});
