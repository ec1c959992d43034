import { Failure } from '../../bridge/order/failure.ts';
import type { StoreAccess, Storefront, StoreMeans } from '../../bridge/storefronts/contract.ts';

/** The platform's own id of the store at this address; null: not known, because it can't be queried, or does not say it. */
export async function storeIdentity({ api }: Storefront, access: StoreAccess | null, means: StoreMeans): Promise<string | null> {
  if (access === null || api?.identify === undefined) return null;
  try {
    return await api.identify(access, means);
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
