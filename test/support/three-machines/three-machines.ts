import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Role } from '../../../src/config/config.ts';
import { SHOP_FLAGS } from '../samples/shop-flags.ts';
import { nginx, startBalancer } from '../servers/balancer.ts';
import { BUILT } from '../servers/built-program.ts';
import { askPostgres } from '../servers/copied-postgres.ts';
import { freePort } from '../servers/free-port.ts';
import { type KillableProgram, startKillable } from '../servers/killable-program.ts';
import { NO_PGBOUNCER, startPgBouncer, type TestPgBouncer } from '../servers/pgbouncer.ts';
import { type PostgresPair, startPostgresPair } from '../servers/postgres-pair.ts';
import { Program } from '../servers/program.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { scratchDir } from '../servers/scratch-dir.ts';
import { type Sentinels, startSentinels } from '../servers/sentinels.ts';
import { giveTwoRoles, POOLER, runSql, type TwoRoles } from '../servers/two-roles.ts';
import { ENCRYPTION_KEYS } from '../worlds/bridge.ts';
import { until } from '../worlds/settled.ts';
import { asked, knowEachOther, withRights } from './sentinel-trio.ts';

/** What each machine runs of orderbridge, beside a Redis with its Sentinel; two of them have PostgreSQL, and one has nginx and PgBouncer. */
const MACHINES: readonly (readonly Role[])[] = [
  ['receiver', 'worker', 'console'],
  ['receiver', 'worker'],
  ['worker', 'compliance'],
];
/** A failover manager of PostgreSQL waits about so long until it believes that the primary is gone. */
const BELIEVED_MS = 5_000;
/** Shorter than the defaults, so that what a process leaves behind is taken over within seconds. */
const ENV = { QUIET_SECONDS: '1', STOP_DELAY_SECONDS: '3', SWEEP_SECONDS: '1', LEASE_SECONDS: '10', STALLED_SECONDS: '10' };

type Database = { pair: PostgresPair; roles: TwoRoles; pooler: TestPgBouncer };
type Queue = { all: readonly TestRedis[]; sentinels: Sentinels; url: string };
type Process = { role: Role; port: number; running: KillableProgram };

/** Where webhooks go, and what they are signed with. */
export type Shop = { url: string; secret: string };

/** Two receivers behind nginx, three workers, a console and our compliance service, by the files in `ops`, on the loopback of this machine. */
export type ThreeMachines = {
  shop: Shop;
  /** Machine by machine, as by hand: it is ready before the next one stops. */
  roll(main: string): Promise<void>;
  /** As the owner of the tables, past the pooler, while everything runs. */
  migrate(main: string): Promise<void>;
  /** The master dies, and follows when it comes back. */
  failOverRedis(): Promise<void>;
  /** The primary dies, its standby is promoted, and the address moved. Returns how many bytes of WAL the standby had not confirmed. */
  failOverPostgres(): Promise<number>;
  restartPooler(): Promise<void>;
  ask(statement: string): Promise<Record<string, unknown>[]>;
} & AsyncDisposable;

export async function openThreeMachines(): Promise<ThreeMachines> {
  await using setup = new AsyncDisposableStack();
  const [database, queue] = [await startDatabase(setup), await startQueue(setup)];
  const port = await freePort();
  const commands = { DATABASE_URL: database.roles.program, REDIS_URL: queue.url, ENCRYPTION_KEYS };
  await using service = await Program.prepare(commands);
  const key = await service.json<{ apiKey: string; apiSecret: string }>(['service', 'keys', 'create', '--multi-shop']);
  const api = { COMPLIANCE_API_URL: `http://127.0.0.1:${port}`, COMPLIANCE_API_KEY: key.apiKey, COMPLIANCE_API_SECRET: key.apiSecret };
  const env = { ...ENV, ...api, DATABASE_DIRECT_URL: database.roles.program };
  const start = (role: Role, at: number, main: string) => {
    const given = { databaseUrl: database.pooler.url, redisUrl: queue.url, complianceUrl: api.COMPLIANCE_API_URL, idempotencyKey: 'supported' } as const;
    return startKillable({ ...given, role, main, env: { ...env, PORT: String(at) } });
  };
  const machines: Process[][] = [];
  setup.defer(async () => void (await Promise.all(machines.flat().map(({ running }) => running[Symbol.asyncDispose]()))));
  for (const roles of MACHINES) {
    const ports = await Promise.all(roles.map((role) => (role === 'compliance' ? port : freePort())));
    machines.push(await Promise.all(roles.map(async (role, n) => ({ role, port: ports[n] ?? 0, running: await start(role, ports[n] ?? 0, BUILT) }))));
  }
  const receivers = machines.flat().flatMap((one) => (one.role === 'receiver' ? [one.port] : []));
  const balancer = setup.use(await startBalancer(nginx, receivers));
  await using cli = await Program.prepare({ ...commands, ...api, COMPLIANCE_AMOUNTS: 'decimal', COMPLIANCE_IDEMPOTENCY_KEY: 'supported' });
  const shop = await connectShop(cli, balancer.url);
  const owned = setup.move();
  return {
    shop,
    async roll(main) {
      for (const machine of machines) await Promise.all(machine.map((one) => replace(one, () => start(one.role, one.port, main))));
    },
    migrate: (main) => migrate(database.roles.owner, main),
    failOverRedis: () => failOverRedis(queue),
    failOverPostgres: () => failOverPostgres(database),
    restartPooler: () => database.pooler.kill().then(() => database.pooler.start()),
    ask: (statement) => askPostgres(database.roles.superuser, statement),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startDatabase(setup: AsyncDisposableStack): Promise<Database> {
  const pair = setup.use(await startPostgresPair(true));
  const roles = await giveTwoRoles(pair.proxy.url);
  await using owner = await Program.prepare({ DATABASE_URL: roles.owner, ENCRYPTION_KEYS });
  await owner.ok(['migrate', '--service']);
  await runSql(roles.superuser, await readFile(POOLER, 'utf8'));
  const pooler = await startPgBouncer(roles.program, 40);
  if (pooler === null) throw new Error(NO_PGBOUNCER);
  return { pair, roles, pooler: setup.use(pooler) };
}

async function startQueue(setup: AsyncDisposableStack): Promise<Queue> {
  const folder = setup.use(await scratchDir());
  const all: TestRedis[] = [];
  for (const name of ['first', 'second', 'third']) {
    const follows = all[0] === undefined ? [] : ['--replicaof', '127.0.0.1', String(portOf(all[0]))];
    all.push(setup.use(await startRedis({ appendFsync: 'always', args: [...(await withRights(folder.path, name)), ...follows] })));
  }
  const [master] = all;
  if (master === undefined) throw new Error('there is no Redis');
  const sentinels = setup.use(await startSentinels(portOf(master), { count: 3 }));
  await knowEachOther(sentinels, 2);
  return { all, sentinels, url: `redis+sentinel://orderbridge:right@${sentinels.ports.map((port) => `127.0.0.1:${port}`).join()}/main` };
}

async function connectShop(cli: Program, balancer: string): Promise<Shop> {
  const id = (await cli.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await cli.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z' });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const connect = ['connect', '--platform', 'standard', '--name', 'corner', '--secret', secret, '--compliance-shop', id, '--settings', 'settings.json'];
  const { webhookUrl } = await cli.json<{ webhookUrl: string }>(connect);
  return { url: balancer + new URL(webhookUrl).pathname, secret };
}

async function replace(one: Process, start: () => Promise<KillableProgram>): Promise<void> {
  const { code, ms } = await one.running.stop();
  if (code !== 0) throw new Error(`the ${one.role} ended with ${code} after ${Math.round(ms)} ms`);
  one.running = await start();
  await until(async () => (await fetch(`${one.running.url}/readyz`)).ok, { what: `the ${one.role} to be ready` });
}

async function migrate(databaseUrl: string, main: string): Promise<void> {
  await using owner = await Program.prepare({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS }, main);
  const { code, err } = await owner.spawn(['migrate']);
  if (code !== 0) throw new Error(`migrate ended with ${code}: ${err}`);
}

async function failOverRedis({ all, sentinels }: Queue): Promise<void> {
  const [master, ...replicas] = all;
  await master?.kill();
  await until(async () => (await Promise.all(replicas.map(roleOf))).includes('master'), { what: 'Sentinel to name another master' });
  await master?.start();
  await until(async () => master !== undefined && (await roleOf(master)) === 'slave', { what: 'the old master to follow' });
  await knowEachOther(sentinels, replicas.length);
}

async function failOverPostgres({ pair }: Database): Promise<number> {
  const text = 'select pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn)::int as bytes from pg_stat_replication';
  const [behind] = await askPostgres(pair.primary.url, text);
  await pair.primary.kill();
  await pair.failOver(BELIEVED_MS);
  return Number(behind?.['bytes']);
}

const portOf = ({ url }: { url: string }): number => Number(new URL(url).port);

const roleOf = (redis: TestRedis): Promise<unknown> => asked(portOf(redis), async (client) => ((await client.call('ROLE')) as unknown[])[0]);
