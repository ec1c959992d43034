import { randomBytes } from 'node:crypto';
import { createPool, type Pool, type PoolOptions, sealBy, sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';

const keys = sealer(randomBytes(32));

/** A pool for a ledger by SQL alone, sealed with a key that only this run has. */
export function createSealedPool(options: PoolOptions): Pool {
  const pool = createPool(options);
  sealBy(pool, keys);
  return pool;
}

/** The same keys for a pool that stands before another one. */
export function sealedAs(pool: Pool, before: Pool): Pool {
  sealBy(before, sealerOf(pool));
  return before;
}
