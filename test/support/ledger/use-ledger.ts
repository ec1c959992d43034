import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { createSealedPool } from '../keys/sealed-pool.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { insertStore, type LedgerStore } from './recorded-order.ts';

/** One ledger for the tests of a file, by SQL alone: `max` connections; and a store of its own for each test. */
export function useLedger({ max }: { max: number }): { readonly pool: Pool; readonly store: LedgerStore; readonly url: string } {
  let postgres: TestPostgres;
  let pool: Pool;
  let store: LedgerStore;
  beforeAll(async () => {
    postgres = await startPostgres('bridge');
    pool = createSealedPool({ url: postgres.url, schema: LEDGER_SCHEMA, max, onError: () => undefined });
  });
  afterAll(async () => {
    await pool.end();
    await postgres[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    store = await insertStore(pool, `c_${randomUUID().slice(0, 8)}`);
  });
  return {
    get pool() {
      return pool;
    },
    get store() {
      return store;
    },
    get url() {
      return postgres.url;
    },
  };
}
