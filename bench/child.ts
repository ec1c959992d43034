import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_MS = 180_000;
const LONGEST_END_MS = 35_000;

/** A process of the bench that talks to its parent by messages. */
export type Child = { pid: number; port: number; ask<T>(message: unknown): Promise<T>; send(message: string): void } & AsyncDisposable;

export type ChildOptions = {
  env?: Record<string, string>;
  logFile: string;
  /** Default false. True: `BENCH_PROFILE` is heeded, as for orderbridge. */
  canBeProfiled?: boolean;
};

/** Starts `bench/processes/NAME.ts`; ready when it has reported its port. Its output goes to a file, as a service's log would. */
export async function startChild(name: string, { env = {}, logFile, canBeProfiled = false }: ChildOptions): Promise<Child> {
  const log = openSync(logFile, 'a');
  const profile = canBeProfiled ? profiling(logFile) : [];
  const child = fork(join(import.meta.dirname, 'processes', `${name}.ts`), {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    execArgv: [...process.execArgv, ...profile],
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const { port } = await answer<{ port: number }>(child, logFile);
  return {
    pid: child.pid ?? 0,
    port,
    ask: (message) => {
      const reply = answer(child, logFile);
      child.send(message as object);
      return reply as Promise<never>;
    },
    send: (message) => void child.send(message),
    // A profile is written by an orderly exit, which the end of the channel is the signal for.
    [Symbol.asyncDispose]: () => end(child, () => (profile.length === 0 ? child.kill('SIGKILL') : child.disconnect())),
  };
}

async function answer<T>(child: ChildProcess, logFile: string): Promise<T> {
  const ended = new AbortController();
  const [message] = await Promise.race([
    once(child, 'message', { signal: ended.signal }),
    once(child, 'exit', { signal: ended.signal }).then(([code]) =>
      Promise.reject(new Error(`a process of the bench ended with code ${code}: ${lastWords(logFile)}`)),
    ),
  ]).finally(() => ended.abort());
  return message as T;
}

export type Program = { pid: number; url: string; readyMs: number } & AsyncDisposable;

export type ProgramOptions = {
  /** The checkout that is run. */
  root: string;
  port: number;
  env: Record<string, string>;
  logFile: string;
};

/** Starts orderbridge itself as its users do; ready when `/readyz` says so. */
export async function startProgram(role: string, { root, port, env, logFile }: ProgramOptions): Promise<Program> {
  const log = openSync(logFile, 'a');
  const began = performance.now();
  const child = spawn(process.execPath, [...profiling(logFile), join(root, 'bin/orderbridge.mjs'), 'start', '--role', role], {
    env: { PATH: process.env['PATH'] ?? '', NODE_ENV: 'production', ...env, PORT: String(port) },
    // Not the checkout, whose .env is another server's.
    cwd: dirname(logFile),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`orderbridge ended with code ${child.exitCode}: ${lastWords(logFile)}`);
    if (performance.now() - began > READY_MS) throw new Error(`orderbridge is not ready after ${READY_MS / 1000} s: ${lastWords(logFile)}`);
    await sleep(5);
  }
  return { pid: child.pid ?? 0, url, readyMs: performance.now() - began, [Symbol.asyncDispose]: () => end(child, () => child.kill('SIGTERM')) };
}

// The folder of the logs is deleted after the run.
function lastWords(logFile: string): string {
  return readFileSync(logFile, 'utf8').slice(-2_000);
}

/** `BENCH_PROFILE=DIRECTORY npm run bench` leaves a CPU profile of each process of a contestant there, named like its log. */
function profiling(logFile: string): string[] {
  const directory = process.env['BENCH_PROFILE'];
  if (directory === undefined) return [];
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${basename(logFile, '.log')}-${Date.now()}.cpuprofile`];
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess, ask: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  ask();
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_END_MS);
  await exited;
  clearTimeout(timer);
}
