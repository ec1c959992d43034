import { afterAll, beforeAll } from 'vitest';
import type { Role } from '../../../src/config/config.ts';
import { openPool } from '../servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import { Bridge } from './bridge.ts';
import type { World } from './world.ts';

type ClearedOptions = {
  /** True: our own compliance service, in the same process. */
  embeddedService?: boolean;
  role?: Role;
};
type Running = Pick<World, 'bridge' | 'databaseUrl'> & AsyncDisposable;

/**
 * As `useWorlds`, but the tests of a file share one bridge for each of the options that they name: each finds its tables empty, and a scripted service
 * of its own. For tests that neither stop anything nor read what a bridge keeps in memory.
 */
export function useClearedWorlds(): (options?: ClearedOptions) => Promise<World> {
  let postgres: TestPostgres;
  let redis: TestRedis;
  const running = new Map<string, Running>();
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres('bridge'), startRedis()]);
  });
  afterAll(async () => {
    await Promise.all([...running.values()].map((one) => one[Symbol.asyncDispose]()));
    await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
  });

  return async ({ embeddedService = false, role = 'all' } = {}) => {
    const service = await ScriptedCompliance.start();
    const key = `${embeddedService} ${role}`;
    const redisUrl = `${redis.url}/${embeddedService ? 1 : 0}`;
    const known = running.get(key);
    const { bridge, databaseUrl } = known ?? (await startBridge({ postgres, redisUrl, service, embeddedService, role }));
    if (known === undefined) running.set(key, { bridge, databaseUrl, [Symbol.asyncDispose]: () => bridge[Symbol.asyncDispose]() });
    else await clear(databaseUrl);
    // Stores are connected to the service that is configured then.
    const { compliance } = bridge.app.core.config;
    if (compliance.kind === 'remote') Object.assign(compliance, { baseUrl: service.url });
    return { bridge, service, redis, redisUrl, databaseUrl, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
  };
}

type Parts = { postgres: TestPostgres; redisUrl: string; service: ScriptedCompliance } & Required<ClearedOptions>;

async function startBridge({ postgres, redisUrl, service, embeddedService, role }: Parts): Promise<Omit<Running, keyof AsyncDisposable>> {
  const databaseUrl = embeddedService || role !== 'all' ? await postgres.createDatabase(embeddedService ? 'whole' : 'bridge') : postgres.url;
  const where = { redisUrl, ...(embeddedService ? {} : { complianceUrl: service.url }) };
  return { bridge: await Bridge.start({ databaseUrl, role, ...where }), databaseUrl };
}

/** All that a test left, but for the embedded service and its key. Rows of tables that refer to each other go in any order. */
async function clear(databaseUrl: string): Promise<void> {
  const { pool, end } = openPool(databaseUrl, { max: 1 });
  const { rows } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname in ('bridge', 'compliance', 'jobs') and tablename not in ('destinations', 'api_keys', 'data_keys', 'processes', 'order_search_watch', 'migrations', 'functions', 'database', 'beats')`,
  );
  const deletes = rows.map(({ name }) => `delete from ${name};`).join('\n');
  await pool.query(
    `begin; set local session_replication_role = replica; ${deletes} delete from bridge.destinations where base_url is not null; update jobs.database set id = gen_random_uuid(); commit`,
  );
  await end();
}
