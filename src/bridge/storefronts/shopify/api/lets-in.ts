import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { NotAsked } from '../../not-asked.ts';
import { adminClient } from './admin-client.ts';
import { PERSON_WAITS_MS } from './pace.ts';
import { shopAccess } from './shop-access.ts';
import { ShopAnswered } from './shop-answered.ts';

/**
 * Who the shop is needs no scope: an app that is installed is told. An app that is not is not throttled, but refused; who is taken for an attack may be
 * either. Throws `NotAsked` for that, and if the app's points are used up here.
 */
export async function letsIn(access: StoreAccess, means: StoreMeans): Promise<void> {
  try {
    await shopAccess(adminClient(access, means, { waitsMs: PERSON_WAITS_MS }));
  } catch (thrown) {
    const status = thrown instanceof ShopAnswered ? thrown.status : null;
    if (status === 430) throw new NotAsked('the shop takes the calls for an attack; it is called again later');
    if (status !== 429) throw thrown;
  }
}
