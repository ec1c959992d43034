import type { OrderNews } from '../../../order/facts.ts';
import { Failure } from '../../../order/failure.ts';
import type { Missing, StoreAccess, StoreMeans } from '../../contract.ts';
import { adminClient } from './admin-client.ts';
import { toNews } from './orders-by-id.ts';
import { readWhole } from './read-whole.ts';
import { readsAllOrders } from './shop-access.ts';

/**
 * Webhooks leave out nothing of an order's money: what is queried is whether an order that one calls deleted is gone. One that is too old to be shown
 * to the app may be there; then it is left as the webhook said.
 */
export async function complete(access: StoreAccess, { orderId, deleted }: Missing, means: StoreMeans): Promise<OrderNews> {
  const client = adminClient(access, means);
  const { whole, missing } = await readWhole(client, [orderId]);
  const [read] = whole;
  if (read !== undefined) return deleted ? { ...toNews(read, means.now), restored: true } : toNews(read, means.now);
  if (missing.length === 0) throw new Failure('storefront.unreachable', `order ${orderId} can’t be read; it is tried again later`);
  return !deleted && (await readsAllOrders(access, client)) ? { orderId, deleted: true } : { orderId };
}
