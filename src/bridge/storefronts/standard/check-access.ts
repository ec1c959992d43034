import { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import { askOrders } from './ask-orders.ts';
import { headOf } from './listed-order.ts';
import { ordersPage } from './orders-answer.ts';
import { queryUrl } from './signed-request.ts';

/** What is wrong with a shop's endpoint: it is tried with our signature, then without, which it must refuse. */
export async function checkAccess(access: StoreAccess, means: StoreMeans): Promise<string[]> {
  const query = { changed_since: '1970-01-01T00:00:00.000Z', limit: '1' };
  try {
    const { orders } = await askOrders(access, query, means);
    for (const order of orders) headOf(order, means.now);
    const { status, body } = await means.fetchJson({ url: queryUrl(access, query).href });
    return status === 200 && ordersPage.safeParse(body).success ? [OPEN] : [];
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return [thrown.message.slice(`${thrown.code}: `.length)];
  }
}

const OPEN =
  'the shop’s endpoint answers requests without a signature: anybody can read its orders; check the signature there, as docs/standard-webhooks.md shows';
