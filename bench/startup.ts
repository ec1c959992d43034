import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../src/platform/postgres/embedded-postgres.ts';
import { freePort } from '../test/support/servers/free-port.ts';
import { asStarted } from './as-started.ts';
import { startProgram } from './child.ts';
import type { Stage } from './stage.ts';

/** What one run took, in ms. `cpuMs`: of the process in user and system mode; of a server that goes on running, none. */
export type Start = { ms: number; cpuMs: number | null };

/** What is started, by name: each run. */
export type Startup = Record<string, Start[]>;

const ROUNDS = 5;
/** Each beside a running server; a mistake, help and completion load nothing of what commands do. */
const COMMANDS = [
  ['--help'],
  ['--version'],
  ['no-such-command'],
  ['orders', '--help'],
  ['completion', 'bash'],
  ['orders'],
  ['review'],
  ['order', '1'],
  ['status'],
];
/** Once a server is ready, each of its periodic jobs runs for the first time. */
const BEGINNING_MS = 3_000;
const SAID = 'this checkout';
const OTHER = 'the other checkout';

export const NOTHING = 'node -e 0';
export const own = (name: string) => `${SAID}: ${name}`;
export const other = (name: string) => `${OTHER}: ${name}`;
export const FIRST = 'start in an empty folder';
export const AGAIN = 'start again';
export const ROLE = 'start --role receiver';
export const INITDB = 'initdb, and the first start of PostgreSQL';
export const commandNames: readonly string[] = COMMANDS.map((args) => args.join(' '));

/** Starts everything in turn, once in each round, each checkout beside the other: from the start of the process to its end, or to `/readyz`. */
export async function measureStartup(stage: Stage): Promise<Startup> {
  const measured: Startup = {};
  const note = (name: string, start: Start) => {
    measured[name] = [...(measured[name] ?? []), start];
  };
  const checkouts = [{ name: own, root: stage.options.root }, ...(stage.options.against === null ? [] : [{ name: other, root: stage.options.against }])];
  const folders = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    note(NOTHING, await timeOf(['-e', '0'], stage.directory));
    note(INITDB, await timeOfPostgres(stage));
    for (const { name, root } of checkouts) {
      const dataDir = await mkdtemp(join(stage.directory, 'startup-'));
      note(name(FIRST), await startOnce(stage, { root, role: 'all', env: { DATA_DIR: dataDir } }));
      note(name(AGAIN), await startOnce(stage, { root, role: 'all', env: { DATA_DIR: dataDir } }));
      note(name(ROLE), await startOnce(stage, { root, role: 'receiver', env: stage.home(root, 0).env }));
      folders.set(root, dataDir);
    }
    for (const { name, root } of checkouts)
      await timeCommands(stage, { root, dataDir: folders.get(root) ?? '' }, (command, start) => note(name(command), start));
  }
  return measured;
}

type Given = { root: string; role: string; env: Record<string, string> };

async function startOnce(stage: Stage, { root, role, env }: Given): Promise<Start> {
  const options = { root, port: await freePort(), env: { ...asStarted, ...env }, logFile: stage.logFile('startup') };
  await using program = await startProgram(role, options);
  return { ms: program.readyMs, cpuMs: null };
}

/** What the operating system and PostgreSQL take of the first start, no matter who starts it. */
async function timeOfPostgres(stage: Stage): Promise<Start> {
  const dataDir = await mkdtemp(join(stage.directory, 'initdb-'));
  const began = performance.now();
  await using _ = await joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'bench' }) });
  return { ms: performance.now() - began, cpuMs: null };
}

async function timeCommands(stage: Stage, { root, dataDir }: { root: string; dataDir: string }, note: (command: string, start: Start) => void): Promise<void> {
  const options = { root, port: await freePort(), env: { ...asStarted, DATA_DIR: dataDir }, logFile: stage.logFile('startup') };
  await using _ = await startProgram('all', options);
  await sleep(BEGINNING_MS);
  for (const args of COMMANDS) note(args.join(' '), await timeOf([join(root, 'bin/orderbridge.mjs'), ...args], dataDir));
}

/** bash says what its child took, children of that one included. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; time "$@" >/dev/null 2>&1';

async function timeOf(args: readonly string[], dataDir: string): Promise<Start> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, LC_ALL: 'C' };
  const child = spawn('bash', ['-c', TIMED, 'bash', process.execPath, ...args], { env, cwd: dataDir, stdio: ['ignore', 'ignore', 'pipe'] });
  const [real = Number.NaN, user = Number.NaN, system = Number.NaN] = (await text(child.stderr))
    .trim()
    .split(' ')
    .map((seconds) => Number(seconds) * 1000);
  return { ms: real, cpuMs: user + system };
}
