import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../data-dir.ts';
import { codeOf } from '../error-words.ts';
import { lockPlace, readPlace, setMark, stopRecording } from './database-place.ts';
import { inTransaction, type Pool } from './postgres.ts';

/**
 * An embedded database goes back with the DATA_DIR that it is in, and all that could know better. But what is restored or copied are files made anew, and the
 * database knows when one of them was made. If they don't agree, nothing is recorded.
 */
export async function checkMark(pool: Pool, dataDir: string): Promise<void> {
  const { mark } = await readPlace(pool);
  if (mark === null) return renewMark(pool, dataDir);
  if (await isThere(dataDir, mark)) return;
  await inTransaction(pool, async (tx) => {
    // Another process may have renewed it meanwhile.
    const { mark: now } = await lockPlace(tx);
    if (now === null || !(await isThere(dataDir, now))) await stopRecording(tx, 'copied');
  });
}

async function isThere(dataDir: string, mark: string): Promise<boolean> {
  return (await markOf(dataDir, fileOf(mark))) === mark;
}

function fileOf(mark: string): string {
  return mark.split('@')[0] ?? '';
}

/** A file of another name with each start: one that a restore finds unchanged would stay. The file of before goes once the database knows the new one. */
export async function renewMark(pool: Pool, dataDir: string): Promise<void> {
  const name = `mark-${randomUUID()}`;
  await (await open(join(dataDir, name), 'wx', 0o600)).close();
  await syncDirectory(dataDir);
  const before = await inTransaction(pool, async (tx) => {
    const { mark } = await lockPlace(tx);
    await setMark(tx, (await markOf(dataDir, name)) ?? '');
    return mark;
  });
  if (before !== null) await rm(join(dataDir, fileOf(before)), { force: true });
}

/** When the file was made, which no copy can keep; on file systems that don't know it, its number. Null: there is none. */
async function markOf(dataDir: string, name: string): Promise<string | null> {
  try {
    const { birthtimeNs, ino } = await stat(join(dataDir, name), { bigint: true });
    return `${name}@${birthtimeNs > 0n ? birthtimeNs : ino}`;
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}
