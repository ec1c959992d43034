import type { StoreAccess, StoreMeans } from '../../contract.ts';
import { adminClient } from './admin-client.ts';
import { shopAccess } from './shop-access.ts';
import { ShopAnswered } from './shop-answered.ts';

/** Who the shop is needs no scope: an app that is installed is told. An app that is not is not throttled, but refused. */
export async function letsIn(access: StoreAccess, means: StoreMeans): Promise<void> {
  try {
    await shopAccess(adminClient(access, means, { leavesHalf: false }));
  } catch (thrown) {
    if (!(thrown instanceof ShopAnswered && thrown.status === 429)) throw thrown;
  }
}
