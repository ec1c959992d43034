import { closeSync, openSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { codeOf } from '../../error-words.ts';
import { readRows, rowsOf } from '../read-rows.ts';
import { type Cluster, PROGRAM } from './postgres-cluster.ts';

const SQLITE_BUSY = 5;
const RETRY_MS = 15;
const OWNER_ALONE = 0o600;

/**
 * A lock on a file that the operating system drops when its process dies, however it dies: a crash leaves nothing to clean up, and reused
 * process ids can't confuse it. Node has no flock; SQLite's locks are the same thing.
 */
export type FileLock = Disposable;

/** Shared: many processes may have it at once; throws if one has it exclusively. */
export function lockShared(path: string): FileLock {
  const lock = tryLock(path, 'BEGIN; SELECT 1 FROM sqlite_schema');
  if (lock === undefined) throw new Error(`${path} is locked by another process`);
  return lock;
}

/** Exclusive: one process alone has it; undefined if another shares it. */
export function tryLockExclusive(path: string): FileLock | undefined {
  return tryLock(path, 'BEGIN EXCLUSIVE');
}

/** Waits for its turn; throws after `timeoutMs` with words for the user. */
export async function lockExclusive(path: string, timeoutMs: number): Promise<FileLock> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const lock = tryLockExclusive(path);
    if (lock !== undefined) return lock;
    if (performance.now() > deadline) throw new Error(`another process has locked ${path} for ${timeoutMs / 1000} s; end it and retry`);
    await sleep(RETRY_MS);
  }
}

function tryLock(path: string, sql: string): FileLock | undefined {
  makeForOwner(path);
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec(sql);
  } catch (thrown) {
    file.close();
    if (isBusy(thrown)) return undefined;
    throw new Error(`${path} can't be locked`, { cause: thrown });
  }
  return { [Symbol.dispose]: () => file.isOpen && file.close() };
}

/**
 * Anyone who may read the file may hold a lock on it. A file that is there is left to SQLite: the system drops a process's locks with the first of its
 * handles that is closed.
 */
function makeForOwner(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ALONE));
  } catch {
    // It is there; what is really wrong, the lock says.
  }
}

function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && 'errcode' in thrown && thrown.errcode === SQLITE_BUSY;
}

/**
 * What answers on a port. ours: the server of this cluster. foreign: that of another. refused: nothing listens. locked: it does not take our
 * password. unclear: anything else, such as a server that starts, stops or hangs.
 */
type Probe = 'ours' | 'foreign' | 'refused' | 'locked' | 'unclear';

const CONNECT_MS = 5_000;
const answers: Readonly<Record<string, Probe>> = {
  '53300': 'ours',
  '28P01': 'locked',
  '28000': 'locked',
  ECONNREFUSED: 'refused',
};

/** The address of orderbridge's database on a port of this machine. */
export function databaseUrl({ password }: Pick<Cluster, 'password'>, port: number): string {
  return `postgres://${PROGRAM}:${password}@127.0.0.1:${port}/${PROGRAM}`;
}

/** Checks whether the server on a port serves this cluster: a copied DATA_DIR names the server of its original. */
export async function probeServer(cluster: Cluster, port: number): Promise<Probe> {
  if (port === 0) return 'refused';
  try {
    const rows = await query(databaseUrl(cluster, port), 'show data_directory');
    const [row] = rows;
    const serves = row?.['data_directory'];
    return typeof serves === 'string' && (await realpath(serves)) === (await realpath(cluster.directory)) ? 'ours' : 'foreign';
  } catch (thrown) {
    return answers[codeOf(thrown)] ?? 'unclear';
  }
}

const anyRow = rowsOf('pg_catalog', z.record(z.string(), z.unknown()));

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, query_timeout: 30_000 });
  // A server that is stopping also emits an error event; the query rejects anyway.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await readRows(client, anyRow, { text: sql });
  } finally {
    await client.end();
  }
}
