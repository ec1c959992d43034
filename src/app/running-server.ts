import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { ROLES, type Role } from '../config/config.ts';
import { openDataDir } from '../platform/data-dir.ts';
import { runningProcesses } from '../platform/postgres/processes.ts';
import type { Core } from './core.ts';

/** What a server says of itself to commands on the same DATA_DIR. */
export type Announced = {
  url: string;
  role: Role;
  publicUrl: string | null;
  /** Where it serves the console; null: it does not. */
  consoleUrl: string | null;
  /** By variable: a keyed digest of what was given; those left out are unset. */
  settings: Readonly<Record<string, string>>;
};

/** A server that runs on this DATA_DIR, as commands beside it find it. */
export type RunningServer = z.output<typeof shape>;

type Entry = { path: string; server: RunningServer };

const ANSWER_MS = 1_000;
const FIRST = 'server.json';
const ANY = /^server(-[0-9a-f-]{36})?\.json$/;
const shape = z.object({
  id: z.uuid(),
  url: z.url(),
  role: z.enum(ROLES),
  /** The machine (or container) that it runs on. */
  host: z.string(),
  publicUrl: z.string().nullable(),
  consoleUrl: z.string().nullable(),
  settings: z.record(z.string(), z.string()),
});

/** Publishes this server to commands on the same DATA_DIR, until disposed. The first has `server.json`, others have a file with their id. */
export async function announceServer(dataDir: string, announced: Announced): Promise<AsyncDisposable> {
  const folder = await openDataDir(dataDir);
  const server = { id: randomUUID(), ...announced, host: hostname() } satisfies RunningServer;
  for (const entry of await entriesOf(folder)) {
    // Anyone who announced the address that is ours now is gone.
    if (entry.server.url === server.url || (await stateOf(entry.server)) === 'gone') await removeEntry(entry);
  }
  const draft = join(folder, `server.${server.id}`);
  await writeFile(draft, JSON.stringify(server), { mode: 0o600 });
  const path = await publish(draft, folder, server.id);
  return { [Symbol.asyncDispose]: () => removeEntry({ path, server }) };
}

/** The servers that answer on this DATA_DIR, the first one first. What processes left behind that were killed is removed. */
export async function findServers(dataDir: string): Promise<RunningServer[]> {
  const found = await Promise.all((await entriesOf(dataDir)).map(async (entry) => ({ entry, state: await stateOf(entry.server) })));
  for (const { entry, state } of found) if (state === 'gone') await removeEntry(entry);
  return found.flatMap(({ entry, state }) => (state === 'answers' ? [entry.server] : []));
}

/** Does a server run that takes webhooks? Only with an embedded database it is sure to be on this DATA_DIR: any other one knows its processes. */
export async function isServed({ config: { database, dataDir }, pool }: Pick<Core, 'config' | 'pool'>): Promise<boolean> {
  if (database.kind === 'embedded') return (await findServers(dataDir)).length > 0;
  return (await runningProcesses(pool)).some(({ role }) => role === 'all' || role === 'receiver');
}

/** A server of one of these roles that runs on this DATA_DIR; null if none does. */
export async function findServer(dataDir: string, roles: readonly Role[] = ROLES): Promise<RunningServer | null> {
  return (await findServers(dataDir)).find(({ role }) => roles.includes(role)) ?? null;
}

// A link never replaces the file of another server.
async function publish(draft: string, folder: string, id: string): Promise<string> {
  const first = join(folder, FIRST);
  try {
    await link(draft, first);
    await rm(draft);
    return first;
  } catch {
    // Another server has it; or the file system has no links.
    const own = join(folder, `server-${id}.json`);
    await rename(draft, own);
    return own;
  }
}

/** `server.json` first. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const names = (await namesIn(folder)).filter((name) => ANY.test(name)).sort((a, b) => a.length - b.length);
  const entries = await Promise.all(names.map(async (name) => ({ path: join(folder, name), server: await readEntry(join(folder, name)) })));
  return entries.flatMap(({ path, server }) => (server === null ? [] : [{ path, server }]));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

async function readEntry(path: string): Promise<RunningServer | null> {
  try {
    const parsed = shape.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** gone: nothing listens there, on this very machine. One that is busy, or on another machine, may only be silent. */
async function stateOf({ url, host }: RunningServer): Promise<'answers' | 'silent' | 'gone'> {
  try {
    return (await isHealthy(url)) ? 'answers' : 'silent';
  } catch (thrown) {
    const isRefused = thrown instanceof Error && 'code' in thrown && thrown.code === 'ECONNREFUSED';
    return isRefused && host === hostname() ? 'gone' : 'silent';
  }
}

/** Asked without HTTP client: Node's takes longer to load than a command to do its work. */
async function isHealthy(url: string): Promise<boolean> {
  const { hostname: host, port, host: name } = new URL(url);
  const socket = connect({ host: host.replace(/^\[|\]$/g, ''), port: Number(port || 80), signal: AbortSignal.timeout(ANSWER_MS) });
  socket.end(`GET /healthz HTTP/1.1\r\nhost: ${name}\r\nconnection: close\r\n\r\n`);
  return (await text(socket)).startsWith('HTTP/1.1 200 ');
}

/** Unless another server has taken its place meanwhile. */
async function removeEntry({ path, server }: Entry): Promise<void> {
  if ((await readEntry(path))?.id === server.id) await rm(path, { force: true });
}
