import { migrate } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { programFile } from '../../platform/program-file.ts';

export const LEDGER_SCHEMA = 'bridge';

/** Creates the ledger's tables, or brings those of an earlier version up to date. */
export async function migrateLedger(pool: Pool): Promise<void> {
  const tables = { version: 1, name: 'ledger', sql: programFile('bridge/ledger/version-1.sql') };
  await migrate(pool, { schema: LEDGER_SCHEMA, lock: 'migrate bridge', migrations: [tables], functions: [] });
}
