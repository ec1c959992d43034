import { execFile } from 'node:child_process';
import { appendFile, chown, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { superuserUrl } from './superuser.ts';

const run = promisify(execFile);

/** `url`: its superuser's. */
export type PostgresIn = {
  url: string;
  /** As kill -9 does it; who joined it starts it again within seconds. */
  kill(): Promise<void>;
} & AsyncDisposable;

/** The PostgreSQL of a DATA_DIR, durable, with more settings, such as those of a standby. It is made if there is none. */
export async function postgresIn(dataDir: string, settings: Record<string, string> = {}): Promise<PostgresIn> {
  const join_ = () => joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'test' }) });
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  if (lines.length > 0) {
    await appendFile(join(dataDir, 'postgres/postgresql.auto.conf'), lines.join(''));
  }
  const server = await join_();
  const kill = async () => void process.kill(Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL');
  return { url: await superuserUrl(dataDir, server.url), kill, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** All files of a folder, with their owners and times; what is in `to` goes. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await run('cp', ['-a', from, to]);
}

/** A copy of the DATA_DIR of a server that runs, as pg_basebackup makes one: by WAL it becomes any moment since. */
export async function baseBackup(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('test', true)");
    // Files go while they are copied, which WAL makes good.
    await run('cp', ['-a', from, to]).catch(() => undefined);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await writeClusterFile(to, 'backup_label', rows[0]?.labelfile ?? '');
    await rm(join(to, 'postgres/postmaster.pid'), { force: true });
  } finally {
    await client.end();
  }
}

/** A file of the server of a DATA_DIR that does not run, such as `standby.signal`. */
export async function writeClusterFile(dataDir: string, name: string, text: string): Promise<void> {
  const folder = join(dataDir, 'postgres');
  const { uid, gid } = await stat(folder);
  await writeFile(join(folder, name), text, { mode: 0o600 });
  await chown(join(folder, name), uid, gid);
}

/** One statement on a server. */
export async function askPostgres(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

export async function changeSetting({ url }: Pick<PostgresIn, 'url'>, setting: string): Promise<void> {
  await askPostgres(url, `alter system set ${setting}`);
  await askPostgres(url, 'select pg_reload_conf()');
}
