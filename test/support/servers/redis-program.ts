import { arch } from 'node:os';
import { join } from 'node:path';
import { onPath, unpackPackages } from './debian-packages.ts';

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
  await unpackPackages(cache, { packages: PACKAGES }).catch((cause: unknown) => {
    throw new Error('these tests need redis-server: install it (apt-get install redis-server, brew install redis)', { cause });
  });
  const libraries = join(cache, 'usr/lib', `${arch() === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
  return { path: join(cache, 'usr/bin/redis-server'), env: { LD_LIBRARY_PATH: libraries } };
}
