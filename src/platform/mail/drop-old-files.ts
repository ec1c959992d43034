import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** "20261120T101533Z-<id>.eml", or what is left of one that was not written whole. */
const NAME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-[^/]*\.eml(\.part)?$/;
const MOST = 1_000;

/** Removes mails that were written into a folder longer ago, some at a time; other files stay. Returns how many. */
export async function dropOldFiles(folder: string, { days, now }: { days: number; now: Date }): Promise<number> {
  const end = new Date(now.getTime() - days * 86_400_000).toISOString();
  const old = (await namesIn(folder)).filter((name) => NAME.test(name) && name.replace(NAME, '$1-$2-$3T$4:$5:$6.000Z') < end).slice(0, MOST);
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (thrown) {
    // Nothing was ever written there.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}
