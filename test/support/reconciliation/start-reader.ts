import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('reading-program.ts', import.meta.url));

export type Reader = AsyncDisposable & {
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
  /** The memory that it has now, in MB. */
  megabytes(): Promise<number>;
  /** The CPU time that it took so far, in seconds. */
  cpuSeconds(): Promise<number>;
};

/** `periodSeconds`: how often it reads a store; default: 1. */
export type ReaderOptions = { databaseUrl: string; redisUrl: string; complianceUrl: string; periodSeconds?: number };

/** Starts a worker that reads stores; resolves when it is ready. */
export async function startReader({ databaseUrl, redisUrl, complianceUrl, periodSeconds = 1 }: ReaderOptions): Promise<Reader> {
  const flags = ['--max-semi-space-size=16', PROGRAM, databaseUrl, redisUrl, complianceUrl, String(periodSeconds)];
  await using setup = new AsyncDisposableStack();
  const child = spawn(process.execPath, flags, { env: { ...process.env, MALLOC_ARENA_MAX: '2' }, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  setup.defer(kill);
  const ready = once(createInterface(child.stdout), 'line');
  await Promise.race([ready, exited.then(() => Promise.reject(new Error(`the reader ended with ${child.exitCode}`)))]);
  const owned = setup.move();
  return {
    kill,
    megabytes: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    cpuSeconds: async () => {
      // After the name, which may have spaces: utime and stime are the 14th and 15th field, in hundredths.
      const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
