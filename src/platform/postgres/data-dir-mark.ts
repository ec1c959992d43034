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

/**
 * A change of the file that is known only to its file system is kept by no copy, and by the file itself wherever nobody changes it, also on file systems that make
 * up the rest anew when they are mounted. Where somebody did, as by `chown -R`, when it was made decides, or its number where that is not known.
 */
async function isThere(dataDir: string, mark: string): Promise<boolean> {
  const [now, then] = [await markOf(dataDir, fileOf(mark)), mark].map((one) => one?.split('@'));
  if (now?.[1] === undefined || then?.[1] === undefined) return false;
  const decides = [now[1], then[1]].includes('0') ? 2 : 1;
  return now[3] === then[3] || now[decides] === then[decides];
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

/** `NAME@made@number@changed`: when the file was made (0: its file system does not know), its inode, and when that was changed. Null: there is none. */
async function markOf(dataDir: string, name: string): Promise<string | null> {
  try {
    const { birthtimeNs, ino, ctimeNs } = await stat(join(dataDir, name), { bigint: true });
    return [name, birthtimeNs, ino, ctimeNs].join('@');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}
