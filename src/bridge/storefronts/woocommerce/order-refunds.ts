import type { Refund } from '../../order/facts.ts';
import { Failure } from '../../order/failure.ts';
import { wooRefunds } from './payload.ts';
import { readAnswer } from './read-answer.ts';
import type { Rest } from './rest.ts';
import { toRefund } from './to-refund.ts';

const PER_PAGE = 100;
const MAX_PAGES = 20;

/** These refunds of one order, with their lines; those that the store no longer lists are left out. */
export async function orderRefunds(rest: Rest, { orderId, refundIds }: { orderId: string; refundIds: readonly string[] }): Promise<Refund[]> {
  const refunds: Refund[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await rest.find(`orders/${orderId}/refunds?per_page=${PER_PAGE}&page=${page}`);
    const listed = answer.found ? readAnswer(wooRefunds, answer.body) : [];
    refunds.push(...listed.filter(({ id }) => refundIds.includes(id)).map(toRefund));
    if (listed.length < PER_PAGE) return refunds;
  }
  throw new Failure('storefront.unreachable', `order ${orderId} lists more than ${PER_PAGE * MAX_PAGES} refunds: record it by hand`);
}
