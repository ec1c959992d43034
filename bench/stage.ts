import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createLog } from '../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts';
import { createPool, type Pool } from '../src/platform/postgres/postgres.ts';
import { startRedis, type TestRedis } from '../test/support/servers/redis.ts';
import { scratchDir } from '../test/support/servers/scratch-dir.ts';
import { type Child, startChild } from './child.ts';
import { type Home, type HomeOptions, makeHome, makeStore } from './home.ts';
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
  /** Of the measured checkout, or of the other one. */
  home(root: string): Home;
  stub: Child;
  startStub(): Promise<Child>;
  logFile(name: string): string;
  postgresPids(): number[];
  /** Each order of the whole run has a different number. */
  takeNumbers(count: number): number;
};

/** Starts the servers, durable as in production, and connects the store that all webhooks come from. */
export async function openStage(options: Options): Promise<Stage> {
  await using setup = new AsyncDisposableStack();
  const { path: directory } = setup.use(await scratchDir());
  const logs = join(directory, 'logs');
  mkdirSync(logs);
  const logFile = (name: string) => join(logs, `${name}.log`);
  const redis = setup.use(await startRedis({ appendFsync: options.appendFsync }));
  const redisClient = new Redis(redis.url);
  setup.defer(() => redisClient.disconnect());
  // No rewrite of the log: it would clean up the writes of one contestant at the cost of another.
  await redisClient.config('SET', 'auto-aof-rewrite-percentage', 0);
  const { url: databaseUrl } = setup.use(await joinEmbeddedPostgres({ dataDir: join(directory, 'data'), log: createLog({ level: 'silent', name: 'bench' }) }));
  const pool = createPool({ url: databaseUrl, schema: 'public', max: 4, onError: (error) => console.error(error.message) });
  setup.defer(() => pool.end());
  let stub = await startChild('stub', { logFile: logFile('stub') });
  setup.defer(() => stub[Symbol.asyncDispose]());
  const port = stub.port;
  const store = makeStore();
  const home = await homesOf(options, { databaseUrl, directory, complianceUrl: `http://127.0.0.1:${port}`, store });
  const postmaster = await postmasterPid(databaseUrl);
  const owned = setup.move();
  let taken = 1;
  return {
    options,
    directory,
    redis,
    redisClient,
    pool,
    ...store,
    home,
    logFile,
    get stub() {
      return stub;
    },
    async startStub() {
      stub = await startChild('stub', { env: { STUB_PORT: String(port) }, logFile: logFile('stub') });
      return stub;
    },
    postgresPids: () => family(postmaster),
    takeNumbers: (count) => {
      taken += count;
      return taken - count;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Ground = Omit<HomeOptions, 'root' | 'server'> & { databaseUrl: string };

async function homesOf({ root, against }: Options, { databaseUrl, ...ground }: Ground): Promise<Stage['home']> {
  const homes = new Map<string, Home>();
  for (const each of new Set([root, against ?? root])) {
    homes.set(each, await makeHome({ ...ground, root: each, server: { url: databaseUrl, database: `bench_${homes.size + 1}` } }));
  }
  return (wanted) => {
    const home = homes.get(wanted);
    if (home === undefined) throw new Error(`nothing was prepared for ${wanted}`);
    return home;
  };
}

async function postmasterPid(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`);
  await client.end();
  return rows[0]?.pid ?? 0;
}
