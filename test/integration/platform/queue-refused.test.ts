import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { type QueueBackend, QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { redisSettings } from '../../../src/platform/queue/redis-settings.ts';
import { longTest } from '../../support/long-test.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { startRedis } from '../../support/servers/redis.ts';
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

/** Workers that spin keep timers from running, and their errors count by the thousand. */
async function stayIdle(watched: readonly Watched[]): Promise<void> {
  const [began, cpu, before] = [performance.now(), process.cpuUsage(), watched.map(({ errors }) => errors.length)];
  await new Promise((resolve) => setTimeout(resolve, REFUSED_MS));
  const { user, system } = process.cpuUsage(cpu);
  const tookMs = performance.now() - began;

  expect(watched.map(({ errors }, at) => errors.length - (before[at] ?? 0)).filter((count) => count >= 100)).toEqual([]);
  expect((user + system) / 1000).toBeLessThan(tookMs / 2);
}

async function worksAgain(watched: Watched, after = 'the start'): Promise<void> {
  await until(() => watched.add('late'), { what: `a job to be added after ${after}` });
  await until(() => watched.done.includes('late'), { what: `the job to be done after ${after}` });
}

test('a PostgreSQL that refuses a queue keeps nothing else from being done, and once it is there the queue works', async () => {
  await using server = await startPostgres();
  const name = 'not_there_yet';
  const url = new URL(await server.createDatabase());
  const sql = openPool(url.href);
  url.pathname = name;
  try {
    await using watched = watch({ kind: 'postgres', url: url.href });
    await stayIdle([watched]);
    expect(watched.errors.length).toBeGreaterThan(0);

    await sql.pool.query(`create database ${name}`);
    await worksAgain(watched);
    await watched.finish();
  } finally {
    await sql.pool.query(`drop database if exists ${name} with (force)`);
    await sql.end();
  }
});

const [, rules = ''] = /^user orderbridge on >PASSWORD (.+)$/m.exec(readFileSync(join(import.meta.dirname, '../../../ops/redis.acl'), 'utf8')) ?? [];
const rights = rules.split(' ');
/** Scripts of flows, schedulers and relays, and of what nobody asks a queue for. */
const UNUSED = /scheduler|dependenc|child|parent|relay|paginate|obliterate|clean|orphaned|index/i;

const USER = ['on', '>right', '~orderbridge:*', '&*', '+@all'];

/** A Redis of its own, and the user of it that the queue is. */
type Refusing = { url: string; admin: Redis; user(...rules: string[]): Promise<unknown> } & AsyncDisposable;

async function refusing(): Promise<Refusing> {
  await using setup = new AsyncDisposableStack();
  const redis = setup.use(await startRedis());
  const admin = setup.adopt(new Redis(redis.url), (client) => client.disconnect());
  const user = (...rules: string[]) => admin.acl('SETUSER', 'bridge', 'reset', ...USER, ...rules);
  await user();
  const owned = setup.move();
  return { url: redis.url.replace('redis://', 'redis://bridge:right@'), admin, user, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('a Redis that refuses', () => {
  type Refusal = { begin(redis: Refusing): Promise<unknown>; end(redis: Refusing): Promise<unknown> };
  const refuse = (...rules: string[]): Refusal => ({ begin: ({ user }) => user(...rules), end: ({ user }) => user() });
  const cases = {
    INFO: refuse('-info'),
    'what is dangerous': refuse('-@dangerous', '-@admin'),
    scripts: refuse('-eval', '-evalsha'),
    'a command of its scripts': refuse('-hset', '-zadd', '-rpoplpush', '-lmove'),
    BZPOPMIN: refuse('-bzpopmin'),
    'every command': refuse('-@all', '+auth', '+hello', '+info'),
    'its password': refuse('resetpass', '>other'),
    'what takes memory': {
      begin: ({ admin }: Refusing) => admin.config('SET', 'maxmemory', '1000'),
      end: ({ admin }: Refusing) => admin.config('SET', 'maxmemory', '0'),
    },
  } satisfies Record<string, Refusal>;
  type Case = keyof typeof cases;
  const all = Object.keys(cases) as Case[];

  /** What BullMQ works without, and what an idle worker needs only when a job comes. */
  const unnoticed: readonly Case[] = ['INFO', 'what is dangerous'];

  /** Each of these on a Redis of its own; `before`: the queue works before it is refused. */
  async function refusals(
    which: readonly Case[],
    { before }: { before: boolean },
    work: (of: { what: Case; redis: Refusing; watched: Watched }[]) => Promise<void>,
  ) {
    await using owned = new AsyncDisposableStack();
    const of = await Promise.all(
      which.map(async (what) => {
        const redis = owned.use(await refusing());
        if (!before) await cases[what].begin(redis);
        const watched = owned.use(watch({ kind: 'redis', url: redis.url }));
        if (before) {
          await worksAgain(watched);
          watched.done.length = 0;
          await cases[what].begin(redis);
          await redis.admin.call('CLIENT', 'KILL', 'USER', 'bridge');
        }
        return { what, redis, watched };
      }),
    );
    await work(of);
  }

  async function refusedAndAllowed(of: { what: Case; redis: Refusing; watched: Watched }[]): Promise<void> {
    await stayIdle(of.map(({ watched }) => watched));
    const isReady = ({ watched }: { watched: Watched }) =>
      watched.system.ping(1_000).then(
        () => true,
        () => false,
      );
    for (const one of of)
      if (unnoticed.includes(one.what)) await until(() => isReady(one), { what: `it to be ready without ${one.what}` });
      else expect(await isReady(one), one.what).toBe(false);
    await Promise.all(
      of.map(async ({ what, redis, watched }) => {
        await cases[what].end(redis);
        await worksAgain(watched, what);
      }),
    );
  }

  test('as it starts: nothing else waits, and once it allows it the queue works', () => refusals(all, { before: false }, refusedAndAllowed));

  longTest('later: the same, and then it is ready', () =>
    refusals(['scripts', 'every command', 'what takes memory'], { before: true }, async (of) => {
      await refusedAndAllowed(of);
      await Promise.all(of.map(({ what, watched }) => until(() => watched.system.ping(1_000).then(() => true), { what: `it to be ready after ${what}` })));
    }),
  );

  test('nothing, under the rights of ops/redis.acl, which allow no more than queues and workers do', async () => {
    await using redis = await refusing();
    await redis.admin.acl('SETUSER', 'bridge', 'reset', 'on', '>right', ...rights);
    const errors: Error[] = [];
    await using system = new QueueSystem({ backend: { kind: 'redis', url: redis.url }, stalledMs: 500, onError: (error) => errors.push(error) });
    const client = system.redis as Redis;
    const queue = system.queue<object>('work');
    const done: string[] = [];
    const work = async ({ name, attemptsMade }: { name: string; attemptsMade: number }) => {
      if (name === 'failing' && attemptsMade === 0) throw new Error('it fails once');
      done.push(name);
    };
    const worker = system.worker<object>('work', work, { concurrency: 1 });
    await queue.pause();
    await queue.add('usual', {});
    await queue.add('prioritized', {}, { priority: 3 });
    await queue.add('failing', {});
    await queue.getJobs(['waiting', 'prioritized', 'active', 'delayed', 'failed']);
    await queue.getJobCounts('waiting', 'prioritized', 'active', 'delayed', 'failed');
    await queue.isPaused();
    await queue.resume();
    await until(() => done.length === 3, { what: 'the jobs to be done' });
    await system.ping(10_000);
    expect((await redisSettings(client)).version).toMatch(/^\d/);
    await system.finish(worker as Worker, 500);

    expect(errors).toEqual([]);
    const log = (await redis.admin.call('ACL', 'LOG')) as unknown[][];
    // It is known, and said, that CONFIG is refused.
    expect(log.map((entry) => entry[entry.indexOf('object') + 1])).toEqual(['config|get']);
    for (const [command = '', ...args] of [
      ['FLUSHALL'],
      ['KEYS', '*'],
      ['SCRIPT', 'FLUSH'],
      ['PUBLISH', 'a', 'b'],
      ['GET', 'other'],
      ['XREAD', 'STREAMS', 'orderbridge:a', '0'],
    ])
      await expect(client.call(command, ...args), command).rejects.toThrow('NOPERM');
  });

  test('no command of the scripts by which BullMQ works is missing there', () => {
    const folder = join(dirname(createRequire(import.meta.url).resolve('bullmq')), '../esm/scripts');
    const scripts = readdirSync(folder).filter((name) => name.endsWith('.js') && !UNUSED.test(name));
    const called = scripts.flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:rcall|redis\.call)\(\s*\\?["']([A-Z]+)/gi)]);
    const commands = new Set(called.map(([, command = '']) => command.toLowerCase()));

    expect(commands.size).toBeGreaterThan(40);
    expect([...commands].filter((command) => !rights.includes(`+${command}`))).toEqual([]);
  });

  test('INFO: that its settings can’t be read is a problem, in words', async () => {
    await using redis = await refusing();
    await redis.user('-info');
    await using watched = watch({ kind: 'redis', url: redis.url });

    expect((await redisSettings(watched.system.redis as Redis)).problems).toEqual([expect.stringContaining('allow INFO')]);
  });

  test('a stop while it lasts ends within its time', () =>
    refusals(all, { before: false }, async (of) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      const ended = await Promise.all(
        of.map(async ({ what, watched }) => {
          const began = performance.now();
          await watched.finish();
          await watched[Symbol.asyncDispose]();
          return { what, ms: performance.now() - began };
        }),
      );

      // A process that is stopped has so long.
      expect(ended.filter(({ ms }) => ms > 27_000)).toEqual([]);
    }));
});
