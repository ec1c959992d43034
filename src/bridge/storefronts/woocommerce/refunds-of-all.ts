import type { Refund } from '../../order/facts.ts';
import type { StoreAccess } from '../contract.ts';
import { knownStore, learn } from './known-stores.ts';
import { orderRefunds } from './order-refunds.ts';
import { type WooOrder, wooCode, wooRefunds } from './payload.ts';
import { readAnswer } from './read-answer.ts';
import type { Rest } from './rest.ts';
import { restFailure } from './rest-failure.ts';
import { toRefund } from './to-refund.ts';

const AT_ONCE = 100;

type Refunded = { orderId: string; refundIds: string[] };

/**
 * The refunds that orders list, with their lines, by the orders' ids: of several orders by one request for all, as far as that answers; WooCommerce
 * before 9 has no such list.
 */
export async function refundsOfAll(access: StoreAccess, rest: Rest, orders: readonly WooOrder[]): Promise<Map<string, Refund[]>> {
  const refunded = orders.flatMap(({ id, refunds }): Refunded[] => (refunds?.length ? [{ orderId: id, refundIds: refunds.map((one) => one.id) }] : []));
  const known = refunded.length > 1 ? await listed(access, rest, refunded) : new Map<string, Refund>();
  const all = new Map<string, Refund[]>();
  for (const one of refunded) {
    const found = one.refundIds.flatMap((id) => known.get(id) ?? []);
    all.set(one.orderId, found.length === one.refundIds.length ? found : await orderRefunds(rest, one));
  }
  return all;
}

async function listed(access: StoreAccess, rest: Rest, refunded: readonly Refunded[]): Promise<Map<string, Refund>> {
  const ids = refunded.flatMap(({ refundIds }) => refundIds);
  const known = new Map<string, Refund>();
  for (let at = 0; at < ids.length && knownStore(access.url).hasNoRefundsList !== true; at += AT_ONCE) {
    const tried = await rest.call({ path: `refunds?include=${ids.slice(at, at + AT_ONCE).join(',')}&per_page=${AT_ONCE}&${rest.uncached}` });
    const { status, body } = tried.answer;
    if (status === 404 && wooCode(body) === 'rest_no_route') learn(access.url, { hasNoRefundsList: true });
    else if (status !== 200) throw restFailure(access, tried);
    else for (const refund of readAnswer(wooRefunds, body)) known.set(refund.id, toRefund(refund));
  }
  return known;
}
