import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setInterval as every, setTimeout as sleep } from 'node:timers/promises';
import pRetry, { AbortError } from 'p-retry';
import { openDataDir, readIfThere } from '../data-dir.ts';
import type { Log } from '../log.ts';
import {
  type Cluster,
  disownPidFile,
  failed,
  isAlive,
  isGone,
  lastPort,
  openCluster,
  type PidFile,
  readPidFile,
  startServer,
  stopServer,
} from './cluster/postgres-cluster.ts';
import { databaseUrl, type FileLock, lockExclusive, lockShared, probeServer, tryLockExclusive } from './cluster/postgres-probe.ts';

type JoinOptions = Partial<Pick<Cluster, 'onProgram'>> & {
  dataDir: string;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  /** False for throw-away data: no fsync. */
  durable?: boolean;
};

export type EmbeddedPostgres = { url: string } & AsyncDisposable;

const TURN_MS = 120_000;
const UNCLEAR_MS = 60_000;
// A server opens its port in the moment after it writes its pid file; that moment is only visible if its starter was killed.
const REFUSED_MS = 1_500;
const POLL_MS = 25;
const WATCH_MS = 1_000;
/** A server that dies is started again so often within so long, and the log says that a person must see why it dies. */
const RESTARTS = { most: 5, withinMs: 10 * 60_000 };
const KEPT_RESTARTS = 20;

const settings = [
  ['listen_addresses', '127.0.0.1'],
  ['unix_socket_directories', ''],
  ['max_connections', '200'],
  ['shared_buffers', '128MB'],
  ['timezone', 'UTC'],
  ['log_timezone', 'UTC'],
  // The log gets neither statements nor the values in them.
  ['log_statement', 'none'],
  ['log_min_error_statement', 'panic'],
  ['log_error_verbosity', 'terse'],
  ['log_checkpoints', 'off'],
] as const;
const throwAway = [
  ['fsync', 'off'],
  ['synchronous_commit', 'off'],
  ['full_page_writes', 'off'],
] as const;

/**
 * Joins the private PostgreSQL in DATA_DIR/postgres, starting it if no process did. All processes on one DATA_DIR share it; the last one to be
 * disposed stops it, and each starts it again if it dies. One that was left behind by killed processes is taken over. Throws an error in words for
 * the user.
 */
export async function joinEmbeddedPostgres(options: JoinOptions): Promise<EmbeddedPostgres> {
  const dataDir = await openDataDir(options.dataDir);
  // Joining and leaving exclude each other; the second lock counts the users of the server.
  const turn = join(dataDir, 'postgres.turn.lock');
  const users = join(dataDir, 'postgres.users.lock');
  using _ = await lockExclusive(turn, TURN_MS);
  const cluster = await openCluster(dataDir, options.onProgram);
  const port = await ensureRunning(cluster, options);
  const membership = lockShared(users);
  const watching = new AbortController();
  const watched = keepRunning({ cluster, turn, port, options, signal: watching.signal });
  let left: Promise<void> | undefined;
  const leave = async (): Promise<void> => {
    watching.abort();
    await watched;
    using _turn = await lockExclusive(turn, TURN_MS);
    await stopIfLast(cluster, membership, users);
  };
  return { url: databaseUrl(cluster, port), [Symbol.asyncDispose]: () => (left ??= leave()) };
}

async function stopIfLast(cluster: Cluster, membership: FileLock, users: string): Promise<void> {
  membership[Symbol.dispose]();
  using alone = tryLockExclusive(users);
  if (alone !== undefined) await stopServer(cluster);
}

type Watch = { cluster: Cluster; turn: string; port: number; options: JoinOptions; signal: AbortSignal };

/** Until `signal` aborts. Every process that uses the server watches it; the first to see that it died starts it again. */
async function keepRunning({ cluster, turn, port, options, signal }: Watch): Promise<void> {
  const { log } = options;
  let times: number[] = [];
  let isReported = false;
  try {
    for await (const _ of every(WATCH_MS, undefined, { signal, ref: false })) {
      // What can't be seen now is looked at again with the next turn.
      if (!(await hasDied(cluster).catch(() => false))) continue;
      const now = Date.now();
      times = times.filter((time) => now - time < RESTARTS.withinMs);
      if (times.length >= RESTARTS.most) {
        const words = 'embedded PostgreSQL keeps dying and is started again within ten minutes; see postgres.log in DATA_DIR';
        if (!isReported) log.error({ directory: cluster.directory, times: times.length }, words);
        isReported = true;
        continue;
      }
      isReported = false;
      times.push(now);
      await restart({ cluster, turn, port, options }).catch((err: unknown) => log.error({ err }, 'embedded PostgreSQL died and could not be started again'));
    }
  } catch (thrown) {
    if (!signal.aborted) throw thrown;
  }
}

async function hasDied(cluster: Cluster): Promise<boolean> {
  const pidFile = await readPidFile(cluster);
  return pidFile === undefined || ((await isGone(cluster, pidFile)) ?? !(await isAlive(cluster)));
}

async function restart({ cluster, turn, port, options }: Omit<Watch, 'signal'>): Promise<void> {
  using _ = await lockExclusive(turn, TURN_MS);
  if (!(await hasDied(cluster))) return;
  options.log.warn({ directory: cluster.directory }, 'embedded PostgreSQL died; it is started again');
  await noteRestart(cluster).catch((err: unknown) => options.log.warn({ err }, 'that embedded PostgreSQL died could not be noted'));
  const now = await ensureRunning(cluster, options);
  if (now === port) return;
  // Nobody who runs would find it there. Stopped, it is retried.
  await stopServer(cluster);
  throw new Error(`port ${port} was taken by another program; end that program, or restart orderbridge`);
}

async function noteRestart(cluster: Cluster): Promise<void> {
  const times = [...(await embeddedRestarts(cluster.dataDir)), new Date().toISOString()];
  await writeFile(restartsFile(cluster), times.slice(-KEPT_RESTARTS).join('\n'), { mode: 0o600 });
}

/** When the embedded PostgreSQL of a DATA_DIR died and was started again, as ISO instants, the last ones alone. */
export async function embeddedRestarts(dataDir: string): Promise<string[]> {
  return (await readIfThere(restartsFile({ dataDir })))?.split('\n') ?? [];
}

function restartsFile({ dataDir }: Pick<Cluster, 'dataDir'>): string {
  return join(dataDir, 'postgres.restarts');
}

async function ensureRunning(cluster: Cluster, { log, durable = true }: JoinOptions): Promise<number> {
  const running = await runningPort(cluster, log);
  if (running !== undefined) return running;
  const port = await start(cluster, durable);
  log.info({ port, directory: cluster.directory }, 'embedded PostgreSQL started');
  return port;
}

/** Waits until it is clear whether the cluster's server runs: its port, or undefined if it must be started. */
async function runningPort(cluster: Cluster, log: JoinOptions['log']): Promise<number | undefined> {
  const began = performance.now();
  for (;;) {
    const pidFile = await readPidFile(cluster);
    if (pidFile === undefined) return undefined;
    const waited = performance.now() - began;
    const state = await judge(cluster, pidFile, waited);
    if (state === 'running') return pidFile.port;
    if (state === 'stopped') return undefined;
    if (state === 'stale') {
      log.warn({ directory: cluster.directory }, 'the postmaster.pid of a killed PostgreSQL was set aside: its process is gone');
      await disownPidFile(cluster);
      return undefined;
    }
    if (waited > UNCLEAR_MS) throw unclear(cluster, pidFile);
    await sleep(POLL_MS);
  }
}

async function judge(cluster: Cluster, pidFile: PidFile, waited: number): Promise<'running' | 'stopped' | 'stale' | 'unclear'> {
  const probe = await probeServer(cluster, pidFile.port);
  if (probe === 'ours') return 'running';
  if (!(await isAlive(cluster))) return 'stopped';
  if (probe === 'locked') throw lockedOut(cluster);
  if (probe === 'refused') return ((await isGone(cluster, pidFile)) ?? waited > REFUSED_MS) ? 'stale' : 'unclear';
  // The pid file of a server that runs stays, else that server stops.
  return probe === 'foreign' || (await isGone(cluster, pidFile)) === true ? 'stale' : 'unclear';
}

function unclear({ dataDir, directory }: Cluster, { pid }: PidFile): Error {
  const seen = `the PostgreSQL of ${directory} (process ${pid}) runs, and has not answered for ${UNCLEAR_MS / 1_000} s`;
  return new Error(`${seen}: see ${join(dataDir, 'postgres.log')}; wait until the machine has disk and memory to spare, or end that process, then repeat this`);
}

function lockedOut({ dataDir }: Cluster): Error {
  return new Error(`the PostgreSQL of ${dataDir} does not take the password in ${join(dataDir, 'postgres.password')}; put the file back that was there before`);
}

/** The last port is tried first, so that processes which outlive a crash of the server find it again. */
async function start(cluster: Cluster, durable: boolean): Promise<number> {
  let port = (await lastPort(cluster)) ?? (await freePort());
  const attempt = async (): Promise<number> => {
    const started = await startServer(cluster, [`-p ${port}`, ...[...settings, ...(durable ? [] : throwAway)].map(([name, value]) => `-c ${name}=${value}`)]);
    const probe = started.code === 0 ? await probeServer(cluster, port) : undefined;
    if (probe === 'ours') return port;
    if (probe === 'locked') throw new AbortError(lockedOut(cluster));
    const failure = failed(cluster, 'PostgreSQL does not start', started);
    // In use: the port, taken by another program meanwhile, or the shared memory of a killed server whose children still run.
    if (!started.output.includes('in use')) throw new AbortError(failure);
    if (started.output.includes('already in use')) port = await freePort();
    throw failure;
  };
  return pRetry(attempt, { retries: Number.POSITIVE_INFINITY, minTimeout: POLL_MS, factor: 1, maxRetryTime: UNCLEAR_MS });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('127.0.0.1 gives no free port; end programs that hold ports, or set DATABASE_URL');
  return address.port;
}
