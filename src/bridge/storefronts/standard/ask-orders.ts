import type { z } from 'zod';
import { plainWords } from '../../../contract/plain-words.ts';
import { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreAnswer, StoreMeans } from '../contract.ts';
import { StoreFailure } from '../store-failure.ts';
import { ordersPage } from './orders-answer.ts';
import { type OrdersQuery, signedRequest } from './signed-request.ts';

export type OrdersPage = z.output<typeof ordersPage>;

/** One request for orders. Throws `Failure('storefront.unreachable')`, or `storefront.refused` if the shop takes our signature for wrong. */
export async function askOrders(access: StoreAccess, query: OrdersQuery, means: StoreMeans): Promise<OrdersPage> {
  const answer = await means.fetchJson(signedRequest(access, query, means));
  if (answer.status !== 200) throw refused(answer);
  const parsed = ordersPage.safeParse(answer.body, { error: plainWords });
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`);
  throw new Failure('storefront.unreachable', `the answer of the shop’s endpoint is not as docs/standard-webhooks.md says (${where.slice(0, 3).join('; ')})`);
}

function refused({ status, location, retryAfterMs }: StoreAnswer): Failure {
  if (isRefusal(status)) return new StoreFailure('storefront.refused', `the shop’s endpoint answered ${status}: ${todo(status, location)}`, 'key');
  return new Failure(
    'storefront.unreachable',
    `the shop’s endpoint answered ${status}: ${todo(status, location)}`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );
}

function isRefusal(status: number): boolean {
  return status === 401 || status === 403;
}

function todo(status: number, location: string | undefined): string {
  if (isRefusal(status))
    return 'it takes our signature for wrong; compare its secret with the connection’s and its clock with the time, and sign path and query as they came';
  if (status >= 300 && status < 400)
    return `it redirects${location === undefined ? '' : ` to ${hostAndPath(location)}`}; give the final address with \`orderbridge reconnect CONNECTION --store-url\``;
  if (status === 404) return 'there is nothing at this address; give the right one with `orderbridge reconnect CONNECTION --store-url`';
  return 'it is called again later; look at the shop’s own log if it lasts';
}

// Without the query, in which the shop may have put anything.
function hostAndPath(location: string): string {
  const [address = ''] = location.split(/[?#]/);
  return address.slice(0, 200);
}
