import { migrate } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { migrations } from './migrations.ts';
import { readFunctions } from './read-functions.ts';

/** Creates the service's tables and functions, or brings those of an earlier version up to date. */
export async function migrateService(pool: Pool): Promise<void> {
  const functions = await readFunctions();
  await migrate(pool, { schema: 'compliance', lock: 'migrate compliance service', appliedAt: 'applied_at', migrations, functions });
}
