import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { type AttackedProgram, startAttacked } from '../hostile/attacked-program.ts';
import type { Backend } from '../hostile/hostile-stage.ts';
import { SHOP_FLAGS } from '../samples/shop-flags.ts';
import { freePort } from '../servers/free-port.ts';
import { openPool } from '../servers/open-pool.ts';
import { Program } from '../servers/program.ts';
import { startRedis } from '../servers/redis.ts';
import { ApiFront, type Faults } from './api-front.ts';
import type { LivingShop, OffPolicy } from './living-shop.ts';

/** The slots of a store stay taken for so long by a process that died. */
const SLOT_LEASE_MS = 15_000;

export type StageOptions = {
  backend: Backend;
  shop: LivingShop;
  seed: number;
  policy: OffPolicy;
  periodSeconds: number;
  faults: Faults;
  /** True: everything is forced to disk, as in production. */
  durable: boolean;
  /** Where the program's log is left; null: it is deleted with everything else. */
  logFile: string | null;
};

/** The program with its compliance service, its databases, and one store connected to it. */
export type MissedStage = {
  program: AttackedProgram;
  /** kill -9, and nothing runs for so long; then it is started again. Resolves when it is ready. */
  killFor(ms: number): Promise<void>;
  /** When nothing ran, or a store's slot was still lent to a process that was killed, ms. */
  downs: { from: number; to: number }[];
  cli: Program;
  front: ApiFront;
  pool: pg.Pool;
  shopId: string;
  connectionId: string;
  log(): Promise<string>;
} & AsyncDisposable;

const ROOT = join(import.meta.dirname, '../../..');

export async function openMissedStage({ backend, shop, seed, policy, periodSeconds, faults, durable, logFile: wanted }: StageOptions): Promise<MissedStage> {
  await using setup = new AsyncDisposableStack();
  const redis = backend === 'redis' ? setup.use(await startRedis({ appendFsync: durable ? 'always' : 'none' })) : null;
  const front = setup.use(await ApiFront.start({ seed, faults }));
  front.target = shop.apiUrl;
  // Webhooks find it again after a restart.
  const env = { ...environment(await freePort(), periodSeconds), ...(redis === null ? {} : { REDIS_URL: redis.url }) };
  const cli = setup.use(await Program.prepare(env));
  const database = setup.use(await joinEmbeddedPostgres({ dataDir: cli.dataDir, log: createLog({ level: 'silent', name: 'missed' }), durable }));
  const sql = openPool(database.url, { max: 2 });
  setup.defer(() => sql.end());
  const logFile = wanted ?? join(cli.dataDir, 'program.log');
  await rm(logFile, { force: true });
  const start = () => startAttacked({ root: ROOT, dataDir: cli.dataDir, env, logFile });
  let program = await start();
  setup.defer(() => program[Symbol.asyncDispose]());
  const connected = await connect(cli, { shop, policy, flags: shop.openAt(front.url) });
  const owned = setup.move();
  const downs: { from: number; to: number }[] = [];
  return {
    get program() {
      return program;
    },
    killFor: async (ms) => {
      const from = Date.now();
      await program.kill();
      await new Promise((resolve) => setTimeout(resolve, ms));
      program = await start();
      downs.push({ from, to: Date.now() + SLOT_LEASE_MS });
    },
    ...{ downs, cli, front, pool: sql.pool, ...connected },
    log: () => readFile(logFile, 'utf8'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function environment(port: number, periodSeconds: number): Record<string, string> {
  return {
    ...{ PORT: String(port), BNB_RATES_URL: 'off', QUIET_SECONDS: '0', STOP_DELAY_SECONDS: '0', SWEEP_SECONDS: '1', LEASE_SECONDS: '6', STALLED_SECONDS: '3' },
    ...{ ALLOW_PRIVATE_ADDRESSES: 'true', RECONCILE_SECONDS: String(periodSeconds) },
  };
}

type Connecting = { shop: LivingShop; policy: OffPolicy; flags: readonly string[] };

async function connect(cli: Program, { shop, policy, flags }: Connecting): Promise<{ shopId: string; connectionId: string }> {
  await cli.writeJson('settings.json', {
    ...{ recordFrom: '2020-01-01T00:00:00Z', transactionWaitSeconds: 0, removeWithoutRefund: policy },
    vatGroups: { '0': 'GROUP_A', '9': 'GROUP_D', '20': 'GROUP_B' },
    payments: {
      stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' },
      cod: { paymentType: 'POSTAL_PAYMENT' },
      bacs: { paymentType: 'BANK_TRANSFER' },
    },
  });
  const shopId = (await cli.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  const args = ['connect', '--platform', shop.platform, '--name', 'Corner', '--secret', '-', '--compliance-shop', shopId, '--settings', 'settings.json'];
  const out = await cli.ok([...args, ...flags, '--json'], { stdin: shop.secret });
  const { connectionId, webhookUrl } = JSON.parse(out) as { connectionId: string; webhookUrl: string };
  shop.subscribe(webhookUrl);
  return { shopId, connectionId };
}
