import { migrate, type SchemaPlan } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { migrations } from './migrations.ts';

const plan: SchemaPlan = { schema: 'compliance', lock: 'migrate compliance service', appliedAt: 'applied_at', migrations, functions: [] };

/** Creates the service's tables and functions, or brings those of an earlier version up to date. */
export function migrateService(pool: Pool): Promise<void> {
  return migrate(pool, plan);
}
