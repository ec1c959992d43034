import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

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
