import { STORE_API_WARNING } from '../bridge/connections/connection.ts';
import { replan } from '../bridge/ledger/behind-store.ts';
import { curedByStoreAccess } from '../bridge/order/failure.ts';
import type { Core } from './core.ts';

/** Keeps a warning on the connection that its store's API refuses the key; null, once it works again, removes it. */
export async function noteStoreApi({ connections, pool }: Pick<Core, 'connections' | 'pool'>, id: string, refusal: string | null): Promise<void> {
  if (refusal !== null) return connections.warn(id, STORE_API_WARNING, refusal);
  // The orders that waited for it too long are decided again; they are due.
  if (await connections.endWarning(id, STORE_API_WARNING)) await replan(pool, { connectionId: id, codes: curedByStoreAccess });
}
