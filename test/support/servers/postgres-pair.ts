import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../worlds/settled.ts';
import { askPostgres, baseBackup, changeSetting, type PostgresIn, postgresIn, writeClusterFile } from './copied-postgres.ts';
import { type MovingProxy, movingProxy } from './moving-proxy.ts';
import { scratchDir } from './scratch-dir.ts';

/** A primary, a replica that follows it, and the one address of both. */
export type PostgresPair = {
  primary: PostgresIn;
  replica: PostgresIn;
  proxy: MovingProxy;
  /** As a failover manager does it, which sees after so long that the primary is out of reach: the replica is promoted, and the address leads there. */
  failOver(afterMs: number): Promise<void>;
} & AsyncDisposable;

export async function startPostgresPair(isSynchronous: boolean): Promise<PostgresPair> {
  await using setup = new AsyncDisposableStack();
  const folder = setup.use(await scratchDir());
  const [atPrimary, atReplica] = [join(folder.path, 'primary'), join(folder.path, 'replica')];
  const primary = setup.use(await postgresIn(atPrimary));
  const replica = setup.use(await follow(primary, { atPrimary, atReplica }));
  const replication = () => askPostgres(primary.url, 'select state, sync_state as sync from pg_stat_replication');
  await until(async () => (await replication())[0]?.['state'] === 'streaming', { what: 'the replica to follow' });
  if (isSynchronous) {
    await changeSetting(primary, "synchronous_standby_names = '*'");
    await until(async () => (await replication())[0]?.['sync'] === 'sync', { what: 'the replica to be synchronous' });
  }
  const proxy = setup.use(await movingProxy(primary.url));
  const failOver = async (afterMs: number): Promise<void> => {
    proxy.cut();
    await sleep(afterMs);
    await askPostgres(replica.url, 'select pg_promote()');
    proxy.moveTo(replica.url);
  };
  const owned = setup.move();
  return { primary, replica, proxy, failOver, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function follow(primary: PostgresIn, { atPrimary, atReplica }: { atPrimary: string; atReplica: string }): Promise<PostgresIn> {
  await baseBackup(primary.url, atPrimary, atReplica);
  await writeClusterFile(atReplica, 'standby.signal', '');
  const { port, username, password } = new URL(primary.url);
  return postgresIn(atReplica, { primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${decodeURIComponent(password)}` });
}
