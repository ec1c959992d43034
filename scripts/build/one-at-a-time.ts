import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 50;
/** Far above what a build takes. */
const ABANDONED_MS = 120_000;

/** Does the work while no other process does: the file at `path` names the one whose turn it is. */
export async function oneAtATime<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!take(path)) await sleep(LOOK_MS);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    if (isAbandoned(path)) rmSync(path, { force: true });
    return false;
  }
}

function isAbandoned(path: string): boolean {
  const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return false;
  try {
    process.kill(Number(readFileSync(path, 'utf8')), 0);
  } catch {
    return true;
  }
  return Date.now() - since > ABANDONED_MS;
}
