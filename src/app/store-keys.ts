import { createStoreTokens } from '../bridge/ledger/store-tokens.ts';
import type { StoreKeys } from '../bridge/store-api/store-means.ts';
import type { Core } from './core.ts';

/** What calls of stores are made with, beside the connections' own keys. */
export function openStoreKeys({ pool, sealer, appCache }: Pick<Core, 'pool' | 'sealer' | 'appCache'>): StoreKeys {
  return { tokens: createStoreTokens(pool, sealer), apps: { find: (id) => appCache.get(id) } };
}
