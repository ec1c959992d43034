import { API_WARNINGS, apiWarningOf } from '../bridge/connections/connection.ts';
import { replan } from '../bridge/ledger/behind-store.ts';
import { curedByStoreAccess } from '../bridge/order/failure.ts';
import type { StoreRefusal } from '../bridge/storefronts/store-failure.ts';
import type { Core } from './core.ts';

/** Keeps a warning on the connection that its store's API refuses us, of the kind that says who can mend it; null, once it works again, removes it. */
export async function noteStoreApi({ connections, pool }: Pick<Core, 'connections' | 'pool'>, id: string, refusal: StoreRefusal | null): Promise<void> {
  if (refusal !== null) return connections.warn(id, apiWarningOf(refusal.trouble), refusal.words);
  // The orders that waited for it too long are decided again; they are due.
  if (await connections.endWarning(id, ...API_WARNINGS)) await replan(pool, { connectionId: id, codes: curedByStoreAccess });
}
