import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askPostgres } from '../servers/copied-postgres.ts';

const PROGRAM = join(import.meta.dirname, 'rotate-program.ts');
/** A rotation of few rows takes about so long. */
const WITHIN_MS = 400;

export const newMaster = (): string => randomBytes(32).toString('hex');

/** A command that was killed counts for a minute, which is over. */
export async function minuteLater(databaseUrl: string): Promise<void> {
  await askPostgres(databaseUrl, `update jobs.processes set seen_at = seen_at - interval '61 seconds' where role = 'command'`);
}

type Killed = {
  databaseUrl: string;
  /** The key that is known to somebody. */
  leaked: string;
  times: number;
  /** A number from 0 below another one. */
  below(most: number): number;
  /** After each kill, with the keys of then. */
  look?(masters: string): Promise<void>;
};

/** Rotates after a leak in processes that are ended by kill -9, at random moments, so many times in all; each goes on where the last one was. Returns the key that is left. */
export async function rotateKilled({ databaseUrl, leaked, times, below, look }: Killed): Promise<string> {
  let masters = [newMaster(), leaked];
  for (let killed = 0; killed < times; ) {
    if (await runs(databaseUrl, masters, below(WITHIN_MS))) masters = [newMaster(), masters[0] ?? ''];
    else killed += 1;
    await minuteLater(databaseUrl);
    await look?.(masters.join());
  }
  while (!(await runs(databaseUrl, masters, null))) await minuteLater(databaseUrl);
  return masters[0] ?? '';
}

/** True: it came to its end. False: it was killed so many ms after its beginning. */
async function runs(databaseUrl: string, masters: readonly string[], killedAfterMs: number | null): Promise<boolean> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: masters.join() };
  const child = spawn(process.execPath, [PROGRAM], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exit]);
  if (killedAfterMs !== null) {
    await Promise.race([sleep(killedAfterMs), exit]);
    child.kill('SIGKILL');
  }
  const [code, signal] = await exit;
  if (code !== 0 && signal === null) throw new Error(`the rotation ended with ${code}`);
  return signal === null;
}
