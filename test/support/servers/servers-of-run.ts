import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGone } from '../../../src/platform/postgres/cluster/postgres-cluster.ts';
import { until } from '../worlds/settled.ts';
import { scratchDir } from './scratch-dir.ts';

/** Names the folder in which each worker keeps the server that its files share. */
export const SERVERS_FOLDER = 'ORDERBRIDGE_TEST_SERVERS';

/** Vitest's global set-up: a folder for the workers' servers, and for what Node compiles; at the end they are stopped, and it is deleted. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[SERVERS_FOLDER] !== undefined) return undefined;
  const folder = await scratchDir();
  process.env[SERVERS_FOLDER] = folder.path;
  process.env['NODE_COMPILE_CACHE'] ??= join(folder.path, 'compiled');
  return async () => {
    for (const worker of await readdir(folder.path)) await stopServer(join(folder.path, worker));
    await folder[Symbol.asyncDispose]();
  };
}

/** Its data is thrown away, so it stops at once. */
async function stopServer(dataDir: string): Promise<void> {
  const pidFile = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => null);
  if (pidFile === null) return;
  const pid = Number(pidFile.split('\n')[0]);
  process.kill(pid, 'SIGQUIT');
  // Not reported: it is gone, or the system has no /proc.
  await until(async () => (await isGone({ directory: join(dataDir, 'postgres') }, { pid, port: 0 })) ?? true, { what: `the PostgreSQL of ${dataDir} to stop` });
}
