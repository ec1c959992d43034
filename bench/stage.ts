import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { connectionSettings } from '../src/bridge/connections/connection-settings.ts';
import { createConnectionStore } from '../src/bridge/ledger/connection-store.ts';
import { createDestinationStore } from '../src/bridge/ledger/destination-store.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../src/bridge/ledger/migrate-ledger.ts';
import { createLog } from '../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts';
import { createPool, type Pool } from '../src/platform/postgres/postgres.ts';
import { sealer } from '../src/platform/seal.ts';
import { startRedis, type TestRedis } from '../test/support/servers/redis.ts';
import { scratchDir } from '../test/support/servers/scratch-dir.ts';
import { type Child, startChild } from './child.ts';
import type { Options } from './options.ts';
import { family } from './usage.ts';

/** The base of all contestants: one Redis, one PostgreSQL, one stub of the compliance service. */
export type Stage = AsyncDisposable & {
  options: Options;
  directory: string;
  redis: TestRedis;
  redisClient: Redis;
  pool: Pool;
  databaseUrl: string;
  encryptionKey: string;
  secret: string;
  shopId: string;
  connectionId: string;
  stub: Child;
  startStub(): Promise<Child>;
  logFile(name: string): string;
  postgresPids(): number[];
  /** Each order of the whole run has a different number. */
  takeNumbers(count: number): number;
};

export const API = { key: 'bench-key', secret: 'bench-secret' };

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
  const pool = createPool({ url: databaseUrl, schema: LEDGER_SCHEMA, max: 4, onError: (error) => console.error(error.message) });
  setup.defer(() => pool.end());
  let stub = await startChild('stub', {}, logFile('stub'));
  setup.defer(() => stub[Symbol.asyncDispose]());
  const port = stub.port;
  const connected = await connectStore(pool, `http://127.0.0.1:${port}`);
  const postmaster = await postmasterPid(databaseUrl);
  const owned = setup.move();
  let taken = 1;
  return {
    options,
    directory,
    redis,
    redisClient,
    pool,
    databaseUrl,
    ...connected,
    logFile,
    get stub() {
      return stub;
    },
    async startStub() {
      stub = await startChild('stub', { STUB_PORT: String(port) }, logFile('stub'));
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

async function connectStore(pool: Pool, baseUrl: string) {
  await migrateLedger(pool);
  const key = randomBytes(32);
  const seal = sealer(key);
  const secret = `shpss_${randomBytes(16).toString('hex')}`;
  const shopId = randomUUID();
  const destinationId = await createDestinationStore(pool, seal).ensure(baseUrl, { apiKey: API.key, apiSecret: API.secret });
  const settings = { recordFrom: '2020-01-01T00:00:00Z', transactionWaitSeconds: 0, settleSeconds: 0, vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' } };
  const made = await createConnectionStore(pool, seal).create({
    platform: 'shopify',
    name: 'bench',
    secret,
    shopId,
    destinationId,
    settings: connectionSettings.parse(settings),
    access: null,
    store: null,
    ...{ ownShop: false, hosts: [], identity: null, claim: null, recordFrom: null },
  });
  if (!('connection' in made)) throw new Error('the bench’s shop is taken');
  return { secret, shopId, connectionId: made.connection.id, encryptionKey: key.toString('hex') };
}

async function postmasterPid(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(`select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid`);
  await client.end();
  return rows[0]?.pid ?? 0;
}
