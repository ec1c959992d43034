import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';
import type { OwnAuthority } from './own-authority.ts';
import { redisProgram } from './redis-program.ts';
import { scratchDir } from './scratch-dir.ts';

export type Sentinels = { ports: number[]; pids: number[] } & AsyncDisposable;

const lines = (authority: OwnAuthority | null) => (authority?.settings ?? []).map(([name, value]) => `${name} ${value}`);

/** Sentinels that watch a Redis as `main`; most of them must agree. */
export async function startSentinels(masterPort: number, { count, authority = null }: { count: number; authority?: OwnAuthority | null }): Promise<Sentinels> {
  await using setup = new AsyncDisposableStack();
  const { path, env } = await redisProgram();
  const ports: number[] = [];
  const pids: number[] = [];
  const quorum = Math.floor(count / 2) + 1;
  for (let i = 0; i < count; i += 1) {
    const folder = setup.use(await scratchDir());
    const port = await freePort();
    const file = join(folder.path, 'sentinel.conf');
    const watch = [`monitor main 127.0.0.1 ${masterPort} ${quorum}`, 'down-after-milliseconds main 1000', 'failover-timeout main 5000'];
    const at = authority === null ? [`port ${port}`] : ['port 0', `tls-port ${port}`, ...lines(authority)];
    await writeFile(file, [...at, 'bind 127.0.0.1', `dir ${folder.path}`, ...watch.map((line) => `sentinel ${line}`)].join('\n'));
    const child = spawn(path, [file, '--sentinel'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    setup.defer(() => endProcess(child, 'SIGKILL'));
    ports.push(port);
    pids.push(child.pid ?? 0);
  }
  const owned = setup.move();
  return { ports, pids, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
