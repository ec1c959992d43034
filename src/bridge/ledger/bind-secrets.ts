import { bindSealed } from '../../platform/postgres/bind-sealed.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';

/** Every sealed column that stays; tokens of stores are made anew. */
export const SEALED = [
  { table: 'bridge.connections', column: 'secrets' },
  { table: 'bridge.connections', column: 'store_access' },
  { table: 'bridge.destinations', column: 'credentials' },
  { table: 'bridge.store_apps', column: 'secrets' },
];

/** Binds the secrets that an earlier release left in the ledger to their rows. */
export async function bindSecrets(pool: Pool, sealer: Sealer): Promise<void> {
  for (const column of SEALED) await bindSealed(pool, sealer, column);
}
