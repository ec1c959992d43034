import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './error-words.ts';

// Others may pass through but not look: PostgreSQL, which refuses to run as root, must reach its own folder in it.
const DATA_DIR_MODE = 0o711;
const SECRET_MODE = 0o600;

/** Makes DATA_DIR if it is absent and gives its real absolute path; throws with words for the user if it can't be made. */
export async function openDataDir(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: DATA_DIR_MODE });
    return await realpath(path);
  } catch (thrown) {
    throw new Error(`DATA_DIR ${path} can't be made; set DATA_DIR to a folder that this user may write`, { cause: thrown });
  }
}

/** The text of a file that is made once and kept for good, readable by its owner alone. If several processes start at once, one of them makes it. */
export async function keepSecretFile(path: string, make: () => string): Promise<string> {
  const kept = await readIfThere(path);
  if (kept !== undefined) return kept;
  await createOnce(path, make());
  return readFile(path, 'utf8');
}

/** The text of a file; undefined if there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

/** Makes changes to the entries of a folder survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

// A link appears whole or not at all, and never replaces the file of another process.
async function createOnce(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', SECRET_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
    await link(draft, path);
    await syncDirectory(dirname(path));
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
