import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';

/** Names a folder that is in memory, if there is one: a database is copied there at a tenth of what it costs on a disk. */
export const MEMORY_FOLDER = 'ORDERBRIDGE_TEST_MEMORY';

const MEMORY = '/dev/shm';
const NAME = 'orderbridge-tests';
/** What the databases of a run need at most, with room to spare. */
const NEEDED_BYTES = 2 * 2 ** 30;
const HOURS_MS = 6 * 3_600_000;

/** Vitest's global set-up: a folder in memory for the data of the workers' servers, where there is room; deleted at the end, after the servers are stopped. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (!(await hasRoom())) return undefined;
  for (const name of await readdir(MEMORY)) if (await isLeft(name)) await rm(join(MEMORY, name), { recursive: true, force: true });
  const folder = await mkdtemp(join(MEMORY, `${NAME}-${pid}-`));
  // PostgreSQL runs as a user of its own.
  await chmod(folder, 0o755);
  process.env[MEMORY_FOLDER] = folder;
  // A server that is killed may write a last file.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function hasRoom(): Promise<boolean> {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  return Math.min(bavail * bsize, freemem()) > NEEDED_BYTES;
}

/** Of a run that was killed, hours ago: processes of other containers are not seen here. */
async function isLeft(name: string): Promise<boolean> {
  const [, owner] = new RegExp(`^${NAME}-(\\d+)-`).exec(name) ?? [];
  if (owner === undefined || existsSync(`/proc/${owner}`)) return false;
  return Date.now() - (await stat(join(MEMORY, name))).mtimeMs > HOURS_MS;
}
