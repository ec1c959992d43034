import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { until } from '../worlds/settled.ts';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';
import type { OwnAuthority } from './own-authority.ts';
import { redisProgram } from './redis-program.ts';
import { scratchDir } from './scratch-dir.ts';

export type Sentinels = { ports: number[]; pids: number[] } & AsyncDisposable;

/** Three Sentinels that watch a Redis as `main`. */
export async function startSentinels(masterPort: number, authority: OwnAuthority | null): Promise<Sentinels> {
  await using setup = new AsyncDisposableStack();
  const { path, env } = await redisProgram();
  const ports: number[] = [];
  const pids: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const folder = setup.use(await scratchDir());
    const port = await freePort();
    const file = join(folder.path, 'sentinel.conf');
    const watch = [`monitor main 127.0.0.1 ${masterPort} 2`, 'down-after-milliseconds main 1000', 'failover-timeout main 5000'];
    const lines = (authority?.settings ?? []).map(([name, value]) => `${name} ${value}`);
    const at = authority === null ? [`port ${port}`] : ['port 0', `tls-port ${port}`, ...lines];
    await writeFile(file, [...at, 'bind 127.0.0.1', `dir ${folder.path}`, ...watch.map((line) => `sentinel ${line}`)].join('\n'));
    const child = spawn(path, [file, '--sentinel'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    setup.defer(() => endProcess(child, 'SIGKILL'));
    ports.push(port);
    pids.push(child.pid ?? 0);
  }
  const owned = setup.move();
  return { ports, pids, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Asks a Redis or a Sentinel at a port. */
export async function asked<T>(port: number, ask: (client: Redis) => Promise<T>, ca: string | null = null): Promise<T> {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: null, maxRetriesPerRequest: 0, ...(ca === null ? {} : { tls: { ca } }) });
  client.on('error', () => undefined);
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}

/** Until each Sentinel knows the others, and so many replicas. */
export async function knowEachOther(
  { ports }: Pick<Sentinels, 'ports'>,
  { ca = null, replicas = 1 }: { ca?: string | null; replicas?: number },
): Promise<void> {
  for (const port of ports) {
    const knows = async () => {
      const [watched] = (await asked(port, (client) => client.call('SENTINEL', 'masters'), ca)) as string[][];
      const field = (name: string) => watched?.[watched.indexOf(name) + 1];
      return field('num-slaves') === String(replicas) && field('num-other-sentinels') === '2';
    };
    await until(() => knows().catch(() => false), { what: 'the Sentinels to know each other', timeoutMs: 40_000 });
  }
}

/** Arguments of a Redis that knows the user of ops/redis.acl, whose password is `right`. */
export async function withRights(folder: string, name: string): Promise<string[]> {
  const rights = await readFile(join(import.meta.dirname, '../../../ops/redis.acl'), 'utf8');
  const file = join(folder, `${name}.acl`);
  await writeFile(file, rights.replace('>PASSWORD', '>right'));
  return ['--aclfile', file];
}
