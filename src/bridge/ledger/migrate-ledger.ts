import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

export const LEDGER_SCHEMA = 'bridge';

/** Creates the ledger's tables, or brings those of an earlier version up to date. */
export async function migrateLedger(pool: Pool): Promise<void> {
  const tables = { version: 1, name: 'ledger', sql: await readFile(join(import.meta.dirname, 'version-1.sql'), 'utf8') };
  await migrate(pool, { schema: LEDGER_SCHEMA, lock: 'migrate bridge', migrations: [tables], functions: [] });
}
