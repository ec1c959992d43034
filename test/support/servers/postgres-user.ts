import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A process that uses the embedded PostgreSQL of a DATA_DIR. */
export type PostgresUser = {
  url: string;
  /** Leaves in order. */
  leave(): Promise<void>;
  /** Sends a signal to its whole process group, as a terminal does. */
  kill(signal: NodeJS.Signals): Promise<void>;
} & AsyncDisposable;

/** Starts such a process and waits until it has joined. */
export async function startPostgresUser(dataDir: string): Promise<PostgresUser> {
  const program = join(import.meta.dirname, 'join-postgres.ts');
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  const exited = once(child, 'exit');
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), exited]);
  const url: unknown = first[0];
  if (typeof url !== 'string') throw new Error(`the process did not join: exit code ${String(url)}`);
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, signal);
    await exited;
  };
  const leave = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return { url, leave, kill, [Symbol.asyncDispose]: leave };
}
