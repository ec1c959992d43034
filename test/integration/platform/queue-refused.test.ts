import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QueueBackend, QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { redisSettings } from '../../../src/platform/queue/redis-settings.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { until } from '../../support/worlds/settled.ts';

type Watched = { system: QueueSystem; errors: Error[]; done: string[]; add(name: string): Promise<boolean>; finish(): Promise<void> } & AsyncDisposable;

const REFUSED_MS = 1_500;

function watch(backend: QueueBackend): Watched {
  const errors: Error[] = [];
  const system = new QueueSystem({ backend, stalledMs: 2_000, onError: (error) => errors.push(error) });
  const done: string[] = [];
  const worker = system.worker<object>('work', async (job) => void done.push(job.name), { concurrency: 4 });
  const queue = system.queue<object>('work');
  return {
    system,
    errors,
    done,
    add: async (name) =>
      Promise.race([
        queue.add(name, {}).then(
          () => true,
          () => false,
        ),
        new Promise<false>((resolve) => setTimeout(() => resolve(false), 500)),
      ]),
    finish: () => system.finish(worker as Worker, 500),
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

/** A worker that spins keeps timers from running, and its errors count by the thousand. */
async function staysIdle({ errors }: Watched): Promise<void> {
  const [began, cpu, before] = [performance.now(), process.cpuUsage(), errors.length];
  await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
  const { user, system } = process.cpuUsage(cpu);

  expect(performance.now() - began).toBeLessThan(2 * REFUSED_MS);
  expect(errors.length - before).toBeLessThan(100);
  expect((user + system) / 1000).toBeLessThan(REFUSED_MS / 2);
}

async function worksAgain(watched: Watched): Promise<void> {
  await until(() => watched.add('late'), { what: 'a job to be added', timeoutMs: 20_000 });
  await until(() => watched.done.includes('late'), { what: 'the job to be done', timeoutMs: 20_000 });
}

test('a PostgreSQL that refuses a queue keeps nothing else from being done, and once it is there the queue works', { timeout: 60_000 }, async () => {
  await using server = await startPostgres();
  const name = 'not_there_yet';
  const url = new URL(await server.createDatabase());
  const sql = openPool(url.href);
  url.pathname = name;
  try {
    await using watched = watch({ kind: 'postgres', url: url.href });
    await staysIdle(watched);
    expect(watched.errors.length).toBeGreaterThan(0);

    await sql.pool.query(`create database ${name}`);
    await worksAgain(watched);
    await watched.finish();
  } finally {
    await sql.pool.query(`drop database if exists ${name} with (force)`);
    await sql.end();
  }
});

describe('a Redis that refuses', { timeout: 60_000 }, () => {
  const USER = ['on', '>right', '~orderbridge:*', '&*', '+@all'];
  let redis: TestRedis;
  let admin: Redis;
  let url: string;
  const user = (...rules: string[]) => admin.acl('SETUSER', 'bridge', 'reset', ...USER, ...rules);
  beforeAll(async () => {
    redis = await startRedis();
    admin = new Redis(redis.url);
    url = redis.url.replace('redis://', 'redis://bridge:right@');
  });
  afterAll(async () => {
    admin.disconnect();
    await redis[Symbol.asyncDispose]();
  });

  const refuse = (...rules: string[]) => [() => user(...rules), () => user()] as const;
  const cases = {
    INFO: refuse('-info'),
    'what is dangerous': refuse('-@dangerous', '-@admin'),
    scripts: refuse('-eval', '-evalsha'),
    'a command of its scripts': refuse('-hset', '-zadd', '-rpoplpush', '-lmove'),
    BZPOPMIN: refuse('-bzpopmin'),
    'every command': refuse('-@all', '+auth', '+hello', '+info'),
    'its password': [() => user('resetpass', '>other'), () => user()] as const,
    'what takes memory': [() => admin.config('SET', 'maxmemory', '1000'), () => admin.config('SET', 'maxmemory', '0')] as const,
  };

  /** What BullMQ works without, and what an idle worker needs only when a job comes. */
  const unnoticed: readonly string[] = ['INFO', 'what is dangerous'];

  async function refusedAndAllowed(watched: Watched, what: keyof typeof cases): Promise<void> {
    try {
      await staysIdle(watched);
      const isReady = await watched.system.ping(1_000).then(
        () => true,
        () => false,
      );
      expect(isReady).toBe(unnoticed.includes(what));
    } finally {
      await cases[what][1]();
    }
    await worksAgain(watched);
  }

  test.each(Object.keys(cases) as (keyof typeof cases)[])('%s, as it starts: nothing else waits, and once it allows it the queue works', async (what) => {
    await user();
    await admin.flushall();
    await cases[what][0]();
    await using watched = watch({ kind: 'redis', url });

    await refusedAndAllowed(watched, what);
  });

  test.each(['scripts', 'every command', 'what takes memory'] as const)('%s, later: the same, and then it is ready', async (what) => {
    await user();
    await admin.flushall();
    await using watched = watch({ kind: 'redis', url });
    await worksAgain(watched);
    watched.done.length = 0;
    await cases[what][0]();
    await admin.call('CLIENT', 'KILL', 'USER', 'bridge');

    await refusedAndAllowed(watched, what);
    await until(() => watched.system.ping(1_000).then(() => true), { what: 'it to be ready', timeoutMs: 20_000 });
  });

  test('nothing, under the rights that docs/operations.md names: the queue works, and its settings are read', async () => {
    const docs = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
    const rules = /ACL SETUSER orderbridge on >PASSWORD (.+)/.exec(docs)?.[1]?.split(' ') ?? [];
    await admin.acl('SETUSER', 'bridge', 'reset', 'on', '>right', ...rules);

    await using watched = watch({ kind: 'redis', url });
    await worksAgain(watched);
    await watched.system.ping(1_000);

    expect(watched.errors).toEqual([]);
    expect((await redisSettings(watched.system.redis as Redis)).version).toMatch(/^\d/);
  });

  test('INFO: that its settings can’t be read is a problem, in words', async () => {
    await user('-info');
    await using watched = watch({ kind: 'redis', url });

    expect((await redisSettings(watched.system.redis as Redis)).problems).toEqual([expect.stringContaining('allow INFO')]);
  });

  test.each(Object.entries(cases))('%s: a stop while it lasts ends within its time', async (_what, [begin, end]) => {
    await user();
    await begin();
    try {
      await using watched = watch({ kind: 'redis', url });
      await new Promise((resolve) => setTimeout(resolve, 300));
      const began = performance.now();
      await watched.finish();
      await watched[Symbol.asyncDispose]();

      expect(performance.now() - began).toBeLessThan(6_000);
    } finally {
      await end();
    }
  });
});
