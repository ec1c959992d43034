import { API_WARNINGS, APP_WARNING, apiWarningOf } from '../bridge/connections/connection.ts';
import { replan } from '../bridge/ledger/behind-store.ts';
import { curedByStoreAccess } from '../bridge/order/failure.ts';
import type { StoreRefusal } from '../bridge/storefronts/store-failure.ts';
import type { Core } from './core.ts';

/** Keeps a warning on the connection that its store's API refuses us, of the kind that says who can mend it; null, once it works again, removes it. */
export async function noteStoreApi({ connections, pool }: Pick<Core, 'connections' | 'pool'>, id: string, refusal: StoreRefusal | null): Promise<void> {
  if (refusal !== null) return connections.warn(id, apiWarningOf(refusal.denial), refusal.words);
  await endWarnings({ connections, pool }, id, API_WARNINGS);
}

/** The platform takes the app’s id and secret for this connection: ends the warning that it does not. */
export function noteAppTaken(core: Pick<Core, 'connections' | 'pool'>, id: string): Promise<void> {
  return endWarnings(core, id, [APP_WARNING]);
}

async function endWarnings({ connections, pool }: Pick<Core, 'connections' | 'pool'>, id: string, kinds: readonly string[]): Promise<void> {
  // The orders that waited for it too long are decided again; they are due.
  if (await connections.endWarning(id, ...kinds)) await replan(pool, { connectionId: id, codes: curedByStoreAccess });
}
