import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { adminClient } from './admin-client.ts';
import { PERSON_WAITS_MS } from './pace.ts';
import { shopAccess } from './shop-access.ts';

/** The number that the shop has for good, whatever its domains. */
export async function identify(access: StoreAccess, means: StoreMeans): Promise<string> {
  return (await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }))).shopId;
}

/** The domain by which webhooks name the shop. */
export async function storeName(access: StoreAccess, means: StoreMeans): Promise<string> {
  return (await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }))).domain;
}
