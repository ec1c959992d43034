import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { adminClient } from './admin-client.ts';
import { readsAllOrders } from './shop-access.ts';

const SHOWN_MS = 60 * 24 * 3_600_000;

/** Orders of the last 60 days are shown to every app that may read orders; older ones to those with the scope read_all_orders. */
export async function showsSince(access: StoreAccess, means: StoreMeans): Promise<string | null> {
  const showsAll = await readsAllOrders(access, adminClient(access, means));
  return showsAll ? null : new Date(means.now - SHOWN_MS).toISOString();
}
