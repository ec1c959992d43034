import { z } from 'zod';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { limitConcurrency } from '../../../src/platform/limit-concurrency.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { startPostgres } from '../servers/postgres.ts';
import { startRedis } from '../servers/redis.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import { type FleetStore, type Manner, startStoreFleet } from '../servers/store-fleet.ts';
import { Bridge } from '../worlds/bridge.ts';
import { until } from '../worlds/settled.ts';
import { startReader } from './start-reader.ts';

/** Life is as much faster as the period is shorter than a quarter of an hour: so is each store. */
export type FleetForm = { count: number; periodSeconds: number; periods: number; seed: number };

/** `longest`: the longest time of a store between two readings, or until its first, in seconds. */
type FleetRead = {
  longest: Readonly<Record<Manner, number>>;
  /** Healthy and slow stores that were read later than the limit. */
  late: string[];
  requests: number;
  cpuMsPerRun: number;
  transactionsPerRun: number;
  megabytes: number;
  health: HealthStatus;
  healthSeconds: number;
  /** Those that hang or fail. */
  broken: string[];
};

const LIFE = { periodSeconds: 900, healthyMs: 600, slowMs: 10_000, hangMs: 60_000 };

/** Has one worker read a fleet for some periods. `limit`: how much later than its period a store may be read, as a share of it. */
export async function readFleet({ count, periodSeconds, periods, seed }: FleetForm, limit: number): Promise<FleetRead> {
  await using resources = new AsyncDisposableStack();
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  resources.use(postgres);
  resources.use(redis);
  const scale = periodSeconds / LIFE.periodSeconds;
  const paces = { healthyMs: LIFE.healthyMs * scale, slowMs: LIFE.slowMs * scale, hangMs: LIFE.hangMs * scale };
  const { stores } = resources.use(await startStoreFleet(count, { seed, paces }));
  const service = resources.use(await ScriptedCompliance.start({}));
  const where = { databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, complianceUrl: service.url };
  const bridge = resources.use(await Bridge.start({ ...where, role: 'receiver', config: { reconcileSeconds: periodSeconds } }));
  await connectAll(bridge, stores);

  const reader = resources.use(await startReader({ ...where, periodSeconds }));
  const began = { at: performance.now(), cpu: await reader.cpuSeconds(), transactions: await transactionsIn(bridge.pool) };
  const well = stores.filter(({ manner }) => manner === 'healthy' || manner === 'slow');
  await until(() => well.every(({ requests }) => requests.length > periods), {
    what: `${well.length} stores to be read ${periods + 1} times`,
    timeoutMs: (periods + 2) * periodSeconds * 1000 * (1 + limit),
    everyMs: 250,
  });
  const runs = stores.reduce((sum, { requests }) => sum + requests.length, 0);
  const [cpu, transactions, megabytes] = [await reader.cpuSeconds(), await transactionsIn(bridge.pool), await reader.megabytes()];
  let asked = 0;
  const readHealth = async () => {
    asked = performance.now();
    const status = await bridge.app.healthReader.now();
    if (status.failedChecks.some(({ code }) => code === 'check.failed')) throw new Error('something could not be checked');
    return status;
  };
  const health = await until(readHealth, { what: 'a health status of which all is known' });
  const longestOf = (store: FleetStore) => gapOf(store, began.at);
  const manners = ['healthy', 'slow', 'hanging', 'failing'] as const;
  const longest = (manner: Manner) => Math.max(...stores.filter((one) => one.manner === manner).map(longestOf));
  return {
    longest: Object.fromEntries(manners.map((manner) => [manner, longest(manner)])) as Record<Manner, number>,
    late: well.filter((one) => longestOf(one) > periodSeconds * (1 + limit)).map((one) => `${one.name}, ${one.manner}: ${longestOf(one)} s`),
    requests: runs,
    cpuMsPerRun: ((cpu - began.cpu) * 1000) / runs,
    transactionsPerRun: (transactions - began.transactions) / runs,
    megabytes,
    health,
    healthSeconds: (performance.now() - asked) / 1000,
    broken: stores.flatMap(({ name, manner }) => (manner === 'hanging' || manner === 'failing' ? [name] : [])),
  };
}

async function connectAll(bridge: Bridge, stores: readonly FleetStore[]): Promise<void> {
  const inTurn = limitConcurrency({ atOnce: 8, mostWaiting: stores.length });
  await Promise.all(stores.map(({ name, url }) => inTurn(() => bridge.connect({ name, access: { url } }))));
}

function gapOf({ requests }: FleetStore, began: number): number {
  const gaps = requests.map((at, n) => at - (requests[n - 1] ?? began));
  return Math.round(Math.max(0, ...gaps)) / 1000;
}

const transactions = rowsOf('pg_stat_database', z.object({ count: z.int() }));

async function transactionsIn(pool: Pool): Promise<number> {
  const text = 'select (xact_commit + xact_rollback)::int as count from pg_stat_database where datname = current_database()';
  return (await readOne(pool, transactions, { text })).count;
}

/** What was seen, for people. */
export function fleetWords({ longest, requests, cpuMsPerRun, transactionsPerRun, megabytes, healthSeconds }: FleetRead): string {
  const times = Object.entries(longest).map(([manner, seconds]) => `${manner} ${seconds} s`);
  const cost = `${cpuMsPerRun.toFixed(1)} ms of CPU and ${transactionsPerRun.toFixed(1)} transactions a run, ${Math.round(megabytes)} MB`;
  return `longest time between two readings: ${times.join(', ')}; ${requests} runs: ${cost}; the health status in ${healthSeconds.toFixed(1)} s`;
}
