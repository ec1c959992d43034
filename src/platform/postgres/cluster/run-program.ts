import { spawn } from 'node:child_process';
import { platform } from 'node:os';
import { parse } from 'node:path';
import { asAccount, type ServerAccount } from './postgres-account.ts';

/** How a program ended: its exit code (null: killed) and its output. */
export type ProgramResult = { code: number | null; output: string };

// No secrets of ours and no PG* variables reach a program that may run as another user.
const ENVIRONMENT = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Runs a program to its end, in its own session so that Ctrl-C at our terminal does not reach it. Throws if it can't be started. */
export async function runProgram(account: ServerAccount, program: string, args: readonly string[]): Promise<ProgramResult> {
  const { command, ids } = asAccount(account, [program, ...args]);
  const [file, ...rest] = command;
  const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
  const env = platform() === 'win32' ? {} : { env: ENVIRONMENT };
  const child = spawn(file, rest, { ...ids, ...env, cwd: parse(program).root, detached: true, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.once('error', reject);
  child.once('close', (code) => resolve({ code, output }));
  return promise;
}
