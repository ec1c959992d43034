import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createLog } from '../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts';
import { createPool, type Pool } from '../src/platform/postgres/postgres.ts';
import { startRedis, type TestRedis } from '../test/support/servers/redis.ts';
import { scratchDir } from '../test/support/servers/scratch-dir.ts';
import { superuserUrl } from '../test/support/servers/superuser.ts';
import { until } from '../test/support/worlds/settled.ts';
import { type Child, startChild } from './child.ts';
import { createDatabase, type Home, type HomeOptions, makeHome, makeStore } from './home.ts';
import { QUIET_SECONDS } from './names.ts';
import type { Options } from './options.ts';
import { family } from './usage.ts';

/** The base of all contestants: one Redis, one PostgreSQL, one stub of the compliance service. */
export type Stage = AsyncDisposable & {
  options: Options;
  directory: string;
  redis: TestRedis;
  redisClient: Redis;
  /** Of the whole server. */
  pool: Pool;
  secret: string;
  shopId: string;
  /** Of the measured checkout, or of the other one; each quiet time has a separate database. */
  home(root: string, quietSeconds: number): Home;
  /** Of the plain service that keeps its orders. */
  plainDatabaseUrl: string;
  /** Before each measurement: nothing is left of the one before, in its log neither. */
  emptyRedis(): Promise<void>;
  stub: Child;
  startStub(): Promise<Child>;
  logFile(name: string): string;
  postgresPids(): number[];
  /** Each order of the whole run has a different number. */
  takeNumbers(count: number): number;
};

/** After a checkpoint whole pages are logged, which doubles the WAL of the run that happens to meet it, and the CPU of PostgreSQL. */
export async function checkpointLater(pool: Pool): Promise<void> {
  await pool.query(`alter system set checkpoint_timeout = '1d'`);
  await pool.query(`alter system set max_wal_size = '64GB'`);
  await pool.query('select pg_reload_conf()');
}

/** Starts the servers, PostgreSQL forcing every commit to disk, and connects the store that all webhooks come from. */
export async function openStage(options: Options): Promise<Stage> {
  await using setup = new AsyncDisposableStack();
  const { path: directory } = setup.use(await scratchDir());
  const logs = join(directory, 'logs');
  mkdirSync(logs);
  const logFile = (name: string) => join(logs, `${name}.log`);
  const { redis, redisClient } = setup.use(await openRedis(options));
  const dataDir = join(directory, 'data');
  const { url } = setup.use(await joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'bench' }) }));
  const databaseUrl = await superuserUrl(dataDir, url);
  const pool = createPool({ url: databaseUrl, schema: 'public', max: 4, onError: (error) => console.error(error.message) });
  setup.defer(() => pool.end());
  await checkpointLater(pool);
  let stub = await startChild('stub', { logFile: logFile('stub') });
  setup.defer(() => stub[Symbol.asyncDispose]());
  const { port } = stub;
  const plainDatabaseUrl = await createDatabase({ url: databaseUrl, database: 'bench_plain' });
  const store = makeStore();
  const home = await homesOf(options, { databaseUrl, directory, complianceUrl: `http://127.0.0.1:${port}`, store });
  const postgresPids = await postgresOf(databaseUrl);
  const owned = setup.move();
  let taken = 1;
  return {
    options,
    directory,
    redis,
    redisClient,
    emptyRedis: () => emptied(redisClient),
    pool,
    ...store,
    home,
    plainDatabaseUrl,
    logFile,
    get stub() {
      return stub;
    },
    async startStub() {
      stub = await startChild('stub', { env: { STUB_PORT: String(port) }, logFile: logFile('stub') });
      return stub;
    },
    postgresPids,
    takeNumbers: (count) => {
      taken += count;
      return taken - count;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Ground = Omit<HomeOptions, 'root' | 'server' | 'quietSeconds'> & { databaseUrl: string };

async function homesOf({ root, against, settle, parts }: Options, { databaseUrl, ...ground }: Ground): Promise<Stage['home']> {
  const homes = new Map<string, Home>();
  const quietTimes = settle === '0' || !parts.includes('e2e') ? [0] : [0, QUIET_SECONDS];
  for (const checkout of new Set([root, against ?? root])) {
    for (const quietSeconds of quietTimes) {
      const server = { url: databaseUrl, database: `bench_${homes.size + 1}` };
      homes.set(`${checkout} ${quietSeconds}`, await makeHome({ ...ground, root: checkout, server, quietSeconds }));
    }
  }
  return (wanted, quietSeconds) => {
    const home = homes.get(`${wanted} ${quietSeconds}`);
    if (home === undefined) throw new Error(`nothing was prepared for ${wanted} with a quiet time of ${quietSeconds} s`);
    return home;
  };
}

async function openRedis({ appendFsync }: Options): Promise<Pick<Stage, 'redis' | 'redisClient'> & AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const redis = setup.use(await startRedis({ appendFsync }));
  const redisClient = new Redis(redis.url);
  setup.defer(() => redisClient.disconnect());
  // No rewrite of the log but in `emptyRedis`: it would clean up the writes of one contestant at the cost of another.
  await redisClient.config('SET', 'auto-aof-rewrite-percentage', 0);
  const owned = setup.move();
  return { redis, redisClient, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function emptied(redis: Redis): Promise<void> {
  await redis.flushall();
  await redis.bgrewriteaof();
  await until(async () => /aof_rewrite_in_progress:0\b/.test(await redis.info('persistence')), { what: 'the log of Redis to be rewritten', everyMs: 10 });
}

/** All processes of the server, whenever it is asked. */
async function postgresOf(url: string): Promise<() => number[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`);
  await client.end();
  const postmaster = rows[0]?.pid ?? 0;
  return () => family(postmaster);
}
