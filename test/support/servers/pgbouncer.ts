import { execFile, spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { until } from '../worlds/settled.ts';
import { onPath, unpackPackages } from './debian-packages.ts';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';
import { scratchDir } from './scratch-dir.ts';

const run = promisify(execFile);
export const NO_PGBOUNCER = 'no PgBouncer 1.21 or newer: neither PGBOUNCER nor PATH names one, and Debian’s package can’t be had';
const OPS = join(import.meta.dirname, '../../../ops');
/** The first that manages prepared statements. */
const OLDEST = [1, 21] as const;
const RELEASE = 'trixie';
/** Of that release, which brings its own loader of programs. */
const PACKAGES = [
  ...['pgbouncer', 'libc6', 'libcares2', 'libevent-2.1-7t64', 'libpam0g', 'libaudit1', 'libcap-ng0', 'libcap2', 'libssl3t64'],
  ...['libsystemd0', 'libzstd1', 'zlib1g'],
];

type Command = [program: string, ...args: string[]];

/** A PgBouncer that is new enough: that of the variable PGBOUNCER or on PATH, else one that Debian has; null: there is none. */
export async function pgBouncer(): Promise<Command | null> {
  const installed = process.env['PGBOUNCER'] ?? (await onPath('pgbouncer'));
  if (installed !== undefined && (await isNewEnough([installed]))) return [installed];
  const cache = join(import.meta.dirname, '../../.cache/pgbouncer');
  await unpackPackages(cache, { packages: PACKAGES, release: RELEASE }).catch(() => undefined);
  const [loader] = globSync(join(cache, 'usr/lib/*-linux-gnu/ld-linux-*.so.*'));
  if (loader === undefined) return null;
  const unpacked: Command = [loader, '--library-path', join(loader, '..'), join(cache, 'usr/sbin/pgbouncer')];
  return (await isNewEnough(unpacked)) ? unpacked : null;
}

async function isNewEnough([program, ...args]: Command): Promise<boolean> {
  const { stdout } = await run(program, [...args, '--version']).catch(() => ({ stdout: '' }));
  const [major = 0, minor = 0] = /PgBouncer (\d+)\.(\d+)/.exec(stdout)?.slice(1).map(Number) ?? [];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

export type TestPgBouncer = {
  url: string;
  /** Changes a setting of its file, and reads it anew. */
  set(name: string, value: string): Promise<void>;
  /** As kill -9 does it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** What its console says: rows of SHOW, and nothing of a command. */
  console(statement: string): Promise<Record<string, unknown>[]>;
} & AsyncDisposable;

/** PgBouncer by the file in `ops`, in front of the database and role of `databaseUrl`, with so many connections to it; null: there is none new enough. */
export async function startPgBouncer(databaseUrl: string, poolSize = 6): Promise<TestPgBouncer | null> {
  const command = await pgBouncer();
  if (command === null) return null;
  await using setup = new AsyncDisposableStack();
  const folder = setup.use(await scratchDir(0o755));
  const port = await freePort();
  const [config, users] = [join(folder.path, 'pgbouncer.ini'), join(folder.path, 'userlist.txt')];
  const { hostname, port: behind, pathname, username, password } = new URL(databaseUrl);
  await writeFile(users, `"${username}" "${password}"\n"admin" "admin"\n`);
  const changes = [
    ['host=127.0.0.1 port=5432 dbname=orderbridge', `host=${hostname} port=${behind} dbname=${pathname.slice(1)}`],
    ['listen_port = 6432', `listen_port = ${port}`],
    ['/etc/pgbouncer/userlist.txt', users],
    ['default_pool_size = 40', `default_pool_size = ${poolSize}`],
  ] as const;
  const recipe = changes.reduce((text, [from, to]) => text.replace(from, to), await readFile(join(OPS, 'pgbouncer.ini'), 'utf8'));
  // It refuses to run as root.
  const account = userInfo().uid === 0 ? 'user = nobody\n' : '';
  await writeFile(config, `${recipe}unix_socket_dir =\nadmin_users = admin\n${account}`);
  for (const path of [config, users]) await chmod(path, 0o644);
  const [program, ...args] = command;
  const launch = () => spawn(program, [...args, '--quiet', config], { stdio: 'ignore' });
  let child = launch();
  setup.defer(() => endProcess(child, 'SIGKILL'));
  const console = (statement: string) => askConsole(port, statement);
  const ready = () => until(() => console('show version'), { what: 'PgBouncer to answer' });
  await ready();
  const owned = setup.move();
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${port}/orderbridge`,
    async set(name, value) {
      await writeFile(config, (await readFile(config, 'utf8')).replace(new RegExp(`^${name} = .*$`, 'm'), `${name} = ${value}`));
      await console('reload');
    },
    kill: () => endProcess(child, 'SIGKILL'),
    async start() {
      child = launch();
      await ready();
    },
    console,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function askConsole(port: number, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: `postgres://admin:admin@127.0.0.1:${port}/pgbouncer` });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
