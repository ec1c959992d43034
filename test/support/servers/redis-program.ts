import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { arch } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = ['redis-server', 'redis-tools', 'liblzf1', 'libjemalloc2'];

/** A redis-server that can be started, and the environment that it needs. */
export type RedisProgram = { path: string; env: Record<string, string> };

/**
 * The redis-server on PATH, else Debian's package unpacked into .cache/redis without root. Throws, in words that say what to do, if there is
 * neither: a test that needs Redis is never skipped.
 */
export async function redisProgram(): Promise<RedisProgram> {
  const installed = await onPath('redis-server');
  if (installed !== undefined) return { path: installed, env: {} };
  const cache = join(import.meta.dirname, '../../.cache/redis');
  if (!(await isProgram(programIn(cache)))) await unpack(cache);
  return { path: programIn(cache), env: { LD_LIBRARY_PATH: join(cache, 'usr/lib', `${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`) } };
}

async function onPath(name: string): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (directory !== '' && (await isProgram(path))) return path;
  }
  return undefined;
}

async function unpack(cache: string): Promise<void> {
  const draft = `${cache}.${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    await download(draft);
    for (const file of await readdir(draft)) if (file.endsWith('.deb')) await run('dpkg', ['-x', join(draft, file), draft]);
    // Another test process may have put it there meanwhile: then its copy is used.
    await rename(draft, cache).catch(() => rm(draft, { recursive: true }));
  } catch (thrown) {
    await rm(draft, { recursive: true, force: true });
    throw new Error('these tests need redis-server: install it (apt-get install redis-server, brew install redis)', { cause: thrown });
  }
}

// With separate package lists where the system has none, or this user may not read them.
async function download(directory: string): Promise<void> {
  const fetched = await run('apt-get', ['download', ...PACKAGES], { cwd: directory }).catch(() => undefined);
  if (fetched !== undefined) return;
  const lists = join(directory, 'lists');
  const archives = join(directory, 'archives');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(archives, 'partial'), { recursive: true });
  const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${archives}`, '-o', 'Debug::NoLocking=1'];
  await run('apt-get', [...own, 'update'], { cwd: directory });
  await run('apt-get', [...own, 'download', ...PACKAGES], { cwd: directory });
}

function programIn(cache: string): string {
  return join(cache, 'usr/bin/redis-server');
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
