import { migrate } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { programFile } from '../../platform/program-file.ts';
import { readFunctions } from './read-functions.ts';

/** Creates the service's tables and functions, or brings those of an earlier version up to date. */
export async function migrateService(pool: Pool): Promise<void> {
  const tables = { version: 1, name: 'service', sql: programFile('service/database/version-1.sql') };
  await migrate(pool, { schema: 'compliance', lock: 'migrate compliance service', migrations: [tables], functions: await readFunctions() });
}
