import type { TestPostgres } from '../servers/postgres.ts';
import { Program } from '../servers/program.ts';
import type { TestRedis } from '../servers/redis.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import type { Upgraded } from './carried-over.ts';
import { loadDatabase, loadDataDir, loadRedis, type OldRelease, oldRelease } from './old-release.ts';

/** Where an old release kept its data. */
export type Home = { kind: 'database'; postgres: TestPostgres; redis?: TestRedis } | { kind: 'data-dir' };

/** All but the server: the data of an old release, loaded, and the program of today beside it. */
export type Left = Omit<Upgraded, 'server'> & { databaseUrl: string } & AsyncDisposable;

export async function leftBehind(commit: string, home: Home): Promise<Left> {
  await using setup = new AsyncDisposableStack();
  const old = oldRelease(commit, home.kind === 'database' && home.redis !== undefined ? 'redis' : 'postgres');
  const remote = setup.use(await ScriptedCompliance.start());
  remote.adopt(old.says.orders.flatMap(({ complianceId }) => complianceId ?? []));
  const databaseUrl = home.kind === 'database' ? await loaded(home, old, remote.url) : '';
  const env = {
    ...{ COMPLIANCE_API_URL: remote.url, COMPLIANCE_API_KEY: 'key', COMPLIANCE_API_SECRET: 'secret', COMPLIANCE_AMOUNTS: 'decimal' },
    ...(home.kind === 'database' ? { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: old.encryptionKey } : {}),
    ...(home.kind === 'database' && home.redis !== undefined ? { REDIS_URL: home.redis.url } : {}),
  };
  const program = setup.use(await Program.prepare(env));
  if (home.kind === 'data-dir') await loadDataDir(program.dataDir, old, remote.url);
  const owned = setup.move();
  return { old, remote, program, databaseUrl, env: { ...env, DATA_DIR: program.dataDir }, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function loaded({ postgres, redis }: Extract<Home, { kind: 'database' }>, old: OldRelease, remoteUrl: string): Promise<string> {
  const url = await postgres.createDatabase();
  await loadDatabase(url, old, remoteUrl);
  if (redis !== undefined) await loadRedis(redis.url, old);
  return url;
}
