import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Role } from '../config/config.ts';
import { openDataDir } from '../platform/data-dir.ts';

/** A server that runs on this DATA_DIR, as commands beside it find it. */
export type RunningServer = { id: string; url: string; role: Role };

const FILE = 'server.json';
const shape = z.object({ id: z.uuid(), url: z.url(), role: z.enum(['all', 'receiver', 'worker', 'compliance']) });

/** Publishes the address of this server to commands on the same DATA_DIR, until disposed. */
export async function announceServer(dataDir: string, { url, role }: { url: string; role: Role }): Promise<AsyncDisposable> {
  const path = join(await openDataDir(dataDir), FILE);
  const id = randomUUID();
  const draft = `${path}.${id}`;
  await writeFile(draft, JSON.stringify({ id, url, role } satisfies RunningServer), { mode: 0o600 });
  await rename(draft, path);
  return {
    async [Symbol.asyncDispose]() {
      const current = await readServer(path);
      if (current?.id === id) await rm(path, { force: true });
    },
  };
}

/** The server that runs on this DATA_DIR; null if none does. */
export async function findServer(dataDir: string): Promise<RunningServer | null> {
  const server = await readServer(join(dataDir, FILE));
  if (server === null) return null;
  try {
    const { status } = await fetch(`${server.url}/healthz`, { signal: AbortSignal.timeout(1_000) });
    return status === 200 ? server : null;
  } catch {
    // Left behind by a process that was killed.
    return null;
  }
}

async function readServer(path: string): Promise<RunningServer | null> {
  try {
    const parsed = shape.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
