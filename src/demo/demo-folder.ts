import { stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { CliContext } from '../platform/terminal/context.ts';

export const SETTINGS = {
  QUIET_SECONDS: '1',
  SWEEP_SECONDS: '1',
  BNB_RATES_URL: 'off',
  // The demo's own store API is on this machine.
  ALLOW_PRIVATE_ADDRESSES: 'true',
};

const MARK = 'demo';

/** Are all stores of this installation a demo's? */
export async function isDemo({ database, dataDir }: Pick<Config, 'database' | 'dataDir'>): Promise<boolean> {
  return database.kind === 'embedded' && (await isFile(join(dataDir, MARK)));
}

/** `program`: the command line as it is typed in the folder. */
export type Place = { dataDir: string; program: string };

/** The commands that are typed there have the demo's settings, and the program of this checkout. */
export async function preparePlace({ cwd }: Pick<CliContext, 'cwd'>, dataDir: string): Promise<Place> {
  const lines = Object.entries({ DATA_DIR: '.', ...SETTINGS }).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(dataDir, '.env'), lines);
  await writeFile(join(dataDir, MARK), 'Its stores are made up.\n');
  const program = join(cwd, 'orderbridge');
  const isHere = await isFile(program);
  if (isHere) await symlink(program, join(dataDir, 'orderbridge'));
  return { dataDir, program: isHere ? './orderbridge' : 'orderbridge' };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() === true;
}
