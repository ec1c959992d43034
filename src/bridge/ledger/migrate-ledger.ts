import { migrate, type Pool } from '../../platform/postgres/postgres.ts';
import { ledgerTables } from './migrations/001-ledger.ts';
import { receipts } from './migrations/002-receipts.ts';

export const LEDGER_SCHEMA = 'bridge';

/** Creates or upgrades the ledger's tables. */
export function migrateLedger(pool: Pool): Promise<void> {
  return migrate(pool, LEDGER_SCHEMA, [ledgerTables, receipts]);
}
