import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { type QueueBackend, QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { type KeyProcess, openKeyProcess } from '../keys/key-process.ts';
import { openPool } from '../servers/open-pool.ts';
import { Program } from '../servers/program.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import { type AttackedProgram, startAttacked } from './attacked-program.ts';
import { connectMerchants } from './connect-merchants.ts';
import { type HangingStore, startHangingStore } from './hanging-store.ts';
import type { Merchants } from './merchant.ts';

export type Backend = 'redis' | 'postgres';

export type StageOptions = {
  backend: Backend;
  /** Another checkout whose program is attacked; null: this one. */
  root: string | null;
  /** True: everything is forced to disk, as in production. */
  durable: boolean;
  /** Where the program's log is left; null: it is deleted with everything else. */
  logFile: string | null;
};

/** The program with everything around it: its databases, the compliance service, a store that hangs, and merchants. */
export type HostileStage = {
  program: AttackedProgram;
  /** After the program has ended. */
  restart(): Promise<void>;
  merchants: Merchants;
  compliance: ScriptedCompliance;
  store: HangingStore;
  pool: pg.Pool;
  redis: TestRedis | null;
  adminToken: string;
  /** What is sealed in its database is opened by these. */
  openKeys(): Promise<KeyProcess>;
  /** None of these may be in the log. */
  secrets: readonly string[];
  log(): Promise<string>;
  /** Jobs of deliveries that are not done, by the queue itself: the gauges of the program can be 15 s old, and older on a busy machine. */
  waitingDeliveries(): Promise<number>;
} & AsyncDisposable;

const OWN_ROOT = join(import.meta.dirname, '../../..');

export async function openHostileStage({ backend, root, durable, logFile: wanted }: StageOptions): Promise<HostileStage> {
  await using setup = new AsyncDisposableStack();
  const redis = backend === 'redis' ? setup.use(await startRedis({ appendFsync: durable ? 'always' : 'none' })) : null;
  const compliance = setup.use(await ScriptedCompliance.start({ honoursIdempotency: true }));
  const store = setup.use(await startHangingStore());
  const own = { adminToken: secret(), appSecret: secret(), apiSecret: secret(), encryptionKeys: randomBytes(32).toString('hex') };
  const env = { ...environment(own, compliance.url), ...(redis === null ? {} : { REDIS_URL: redis.url }) };
  const checkout = root ?? OWN_ROOT;
  const cli = setup.use(await Program.prepare(env, join(checkout, 'bin/orderbridge.mjs')));
  const log = createLog({ level: 'silent', name: 'hostile' });
  const database = setup.use(await joinEmbeddedPostgres({ dataDir: cli.dataDir, log, durable }));
  const sql = openPool(database.url, { max: 2 });
  setup.defer(() => sql.end());
  const logFile = wanted ?? join(cli.dataDir, 'program.log');
  await rm(logFile, { force: true });
  const start = () => startAttacked({ root: checkout, dataDir: cli.dataDir, env, logFile });
  let program = await start();
  setup.defer(() => program[Symbol.asyncDispose]());
  const merchants = await connectMerchants(cli, { spawned: root !== null, appSecret: own.appSecret, storeUrl: store.url });
  const queue: QueueBackend = redis === null ? { kind: 'postgres', url: database.url } : { kind: 'redis', url: redis.url };
  const queues = setup.use(new QueueSystem({ backend: queue, stalledMs: 30_000, onError: () => undefined }));
  const deliveries = queues.queue('deliveries');
  const owned = setup.move();
  return {
    get program() {
      return program;
    },
    restart: async () => {
      await program.stop();
      program = await start();
    },
    ...{ merchants, compliance, store, pool: sql.pool, redis, adminToken: own.adminToken },
    openKeys: () => openKeyProcess(database.url, own.encryptionKeys),
    secrets: [...Object.values(own), ...Object.values(merchants).map((merchant) => merchant.secret), new URL(database.url).password],
    log: () => readFile(logFile, 'utf8'),
    waitingDeliveries: () => deliveries.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Own = { adminToken: string; appSecret: string; apiSecret: string; encryptionKeys: string };

function environment({ adminToken, appSecret, apiSecret, encryptionKeys }: Own, complianceUrl: string): Record<string, string> {
  return {
    ...{
      PORT: '0',
      BNB_RATES_URL: 'off',
      QUIET_SECONDS: '0',
      STOP_DELAY_SECONDS: '0',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      COMPLIANCE_IDEMPOTENCY_KEY: 'supported',
    },
    ...{ COMPLIANCE_AMOUNTS: 'decimal', COMPLIANCE_API_URL: complianceUrl, COMPLIANCE_API_KEY: randomUUID(), COMPLIANCE_API_SECRET: apiSecret },
    ...{ ADMIN_TOKEN: adminToken, SHOPIFY_APP_SECRET: appSecret, ENCRYPTION_KEYS: encryptionKeys },
  };
}

function secret(): string {
  return randomBytes(24).toString('hex');
}
