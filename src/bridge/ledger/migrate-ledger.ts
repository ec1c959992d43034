import { migrate, type SchemaPlan } from '../../platform/postgres/migrate.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { ledgerTables } from './migrations/001-ledger.ts';
import { receipts } from './migrations/002-receipts.ts';
import { twoWitnesses } from './migrations/003-two-witnesses.ts';
import { goodNeighbours } from './migrations/004-good-neighbours.ts';
import { secondSource } from './migrations/005-second-source.ts';
import { oneVerdict } from './migrations/006-one-verdict.ts';
import { delivered } from './migrations/007-delivered.ts';
import { peopleOfTheConsole } from './migrations/008-people.ts';
import { narrow } from './migrations/009-narrow.ts';
import { storeApps } from './migrations/010-store-apps.ts';
import { accessVersion } from './migrations/011-access-version.ts';
import { companiesOfMerchants } from './migrations/011-companies-of-merchants.ts';
import { olderThere } from './migrations/011-older-there.ts';

export const LEDGER_SCHEMA = 'bridge';

const nothingInSilence = { version: 11, name: 'nothing ends wrong in silence', sql: accessVersion + companiesOfMerchants + olderThere };

const plan: SchemaPlan = {
  schema: LEDGER_SCHEMA,
  lock: 'migrate bridge',
  appliedAt: 'at',
  migrations: [
    ledgerTables,
    receipts,
    twoWitnesses,
    goodNeighbours,
    secondSource,
    oneVerdict,
    delivered,
    peopleOfTheConsole,
    narrow,
    storeApps,
    nothingInSilence,
  ],
  functions: [],
};

/** Creates the ledger's tables, or brings those of an earlier version up to date. */
export function migrateLedger(pool: Pool): Promise<void> {
  return migrate(pool, plan);
}
