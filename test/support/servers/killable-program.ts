import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Role } from '../../../src/config/config.ts';
import { ENCRYPTION_KEYS } from '../worlds/bridge.ts';
import { until } from '../worlds/settled.ts';
import { BUILT } from './built-program.ts';
import { endProcess } from './end-process.ts';
import { scratchDir } from './scratch-dir.ts';

export type ProgramOptions = {
  databaseUrl: string;
  redisUrl?: string | undefined;
  complianceUrl: string;
  idempotencyKey: 'supported' | 'ignored';
  role: Role;
  /** More variables. */
  env?: Record<string, string>;
  /** Another build than that of these sources. */
  main?: string;
};

/** `orderbridge start` in a separate process, with short timeouts: a test may kill or stop it. */
export type KillableProgram = {
  url: string;
  /** kill -9; resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGSTOP and SIGCONT, as if the machine stopped and went on. */
  freeze(): void;
  thaw(): void;
  /** SIGTERM; how it ended and how long that took. */
  stop(): Promise<{ code: number | null; ms: number }>;
} & AsyncDisposable;

export async function startKillable(options: ProgramOptions): Promise<KillableProgram> {
  await using setup = new AsyncDisposableStack();
  const directory = setup.use(await scratchDir());
  const child = spawn(process.execPath, [options.main ?? BUILT, 'start', '--role', options.role], {
    env: environment(options, directory.path),
    cwd: directory.path,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (signal: NodeJS.Signals) => ended(child, signal);
  setup.defer(async () => void (await end('SIGKILL')));
  const url = await ready(child, directory.path);
  const owned = setup.move();
  return {
    url,
    kill: async () => void (await end('SIGKILL')),
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function environment({ databaseUrl, redisUrl, complianceUrl, idempotencyKey, env = {} }: ProgramOptions, dataDir: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ENCRYPTION_KEYS,
    COMPLIANCE_API_URL: complianceUrl,
    COMPLIANCE_AMOUNTS: 'decimal',
    COMPLIANCE_IDEMPOTENCY_KEY: idempotencyKey,
    COMPLIANCE_TIMEOUT_SECONDS: '8',
    QUIET_SECONDS: '0',
    STOP_DELAY_SECONDS: '0',
    LEASE_SECONDS: '0.6',
    STALLED_SECONDS: '0.6',
    SWEEP_SECONDS: '0.5',
    BNB_RATES_URL: 'off',
    // Stores of tests are on this machine.
    ALLOW_PRIVATE_ADDRESSES: 'true',
    LOG_LEVEL: 'warn',
    ...env,
  };
}

async function ready(child: ChildProcess, dataDir: string): Promise<string> {
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return until(
    async () => {
      if (child.exitCode !== null) throw new Error(`the program ended with ${child.exitCode}: ${output}`);
      const { url } = JSON.parse(await readFile(join(dataDir, 'server.json'), 'utf8')) as { url: string };
      return url;
    },
    { what: 'the program to be ready', timeoutMs: 150_000 },
  );
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
  const began = performance.now();
  await endProcess(child, signal);
  return { code: child.exitCode, ms: performance.now() - began };
}
