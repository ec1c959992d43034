import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../worlds/settled.ts';

export type AttackedOptions = {
  /** The checkout whose program runs. */
  root: string;
  dataDir: string;
  env: Record<string, string>;
  logFile: string;
};

/** `orderbridge start` as `npm start` runs it. */
export type AttackedProgram = {
  pid: number;
  url: string;
  hasEnded(): boolean;
  /** SIGTERM; how it ended and how long that took. */
  stop(): Promise<{ code: number | null; ms: number }>;
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
} & AsyncDisposable;

const READY_MS = 120_000;
const LONGEST_STOP_MS = 90_000;

export async function startAttacked({ root, dataDir, env, logFile }: AttackedOptions): Promise<AttackedProgram> {
  // That of a program that ended before.
  await rm(join(dataDir, 'server.json'), { force: true });
  const log = openSync(logFile, 'a');
  const main = join(root, 'bin/orderbridge.mjs');
  const child = spawn(process.execPath, ['--max-semi-space-size=16', main, 'start'], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144', ...env, DATA_DIR: dataDir },
    cwd: dataDir,
    stdio: ['ignore', log, log],
    // A session of its own, as a service has: Linux shares processors between sessions, and its attackers are in another one.
    detached: true,
  });
  closeSync(log);
  // Ctrl-C in a terminal does not reach another session.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const url = await until(
    async () => {
      if (hasEnded()) return 'ended';
      const { url: told } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as { url: string };
      return (await fetch(`${told}/readyz`)).ok ? told : null;
    },
    { what: 'the program to be ready', timeoutMs: READY_MS },
  );
  if (url === null || url === 'ended') throw new Error(`the program ended early: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  return {
    ...{ pid: child.pid ?? 0, url, hasEnded, stop: () => stop(child), kill: () => kill(child) },
    [Symbol.asyncDispose]: async () => void (await stop(child)),
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function stop(child: ChildProcess): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_STOP_MS);
    child.kill('SIGTERM');
    await exited;
    clearTimeout(timer);
  }
  return { code: child.exitCode, ms: performance.now() - began };
}
