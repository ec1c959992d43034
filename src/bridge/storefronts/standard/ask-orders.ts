import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { plainWords } from '../../../contract/plain-words.ts';
import { keyOf } from '../../../contract/standard-webhook.ts';
import { Failure } from '../../order/facts/failure.ts';
import { DECIMAL } from '../amounts.ts';
import type { StoreAccess, StoreAnswer, StoreMeans, StoreRequest } from '../contract.ts';
import { hmac } from '../hmac.ts';
import { StoreFailure } from '../store-failure.ts';
import { deletedOrder, id, instant, order } from './payload.ts';

/** One request for orders. Throws `Failure('storefront.unreachable')`, or `storefront.refused` if the shop takes our signature for wrong. */
export async function askOrders(access: StoreAccess, query: OrdersQuery, means: StoreMeans): Promise<z.output<typeof ordersPage>> {
  const answer = await means.fetchJson(signedRequest(access, query, means));
  if (answer.status !== 200) throw refused(answer);
  const parsed = ordersPage.safeParse(answer.body, { error: plainWords });
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.') || 'the body'}: ${message}`);
  throw new Failure('storefront.unreachable', `the answer of the shop’s endpoint is not as docs/own-shop.md says (${where.slice(0, 3).join('; ')})`);
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

/** Query parameters by name; those that are undefined are left out. */
type OrdersQuery = Readonly<Record<string, string | undefined>>;

/** The address of the shop's endpoint with these parameters beside its own. */
export function queryUrl({ url }: StoreAccess, query: OrdersQuery): URL {
  const address = URL.parse(url);
  if (address === null) throw new Failure('storefront.refused', 'the address of the shop’s endpoint is not a URL; give it with `orderbridge reconnect`');
  address.hash = '';
  for (const [name, value] of Object.entries(query)) if (value !== undefined) address.searchParams.set(name, value);
  return address;
}

/**
 * A GET that the shop can check as we check its webhooks, over `{webhook-id}.{webhook-timestamp}.{path and query}`: that it is from us, and fresh.
 * Throws `Failure('storefront.refused')` without a secret.
 */
export function signedRequest(access: StoreAccess, query: OrdersQuery, { secret, now }: Pick<StoreMeans, 'secret' | 'now'>): StoreRequest {
  const key = keyOf(secret ?? '');
  if (key === null) throw new Failure('storefront.refused', 'the connection has no secret to sign with; give it with `orderbridge rotate-secret`');
  const { href, pathname, search } = queryUrl(access, query);
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(now / 1000));
  const signature = hmac(key, [`${id}.${timestamp}.${pathname}${search}`]).toString('base64');
  return { url: href, headers: { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` } };
}

/** Where the next page begins: any text of the shop's own. */
const next = z
  .string()
  .min(1)
  .max(1000)
  .nullable()
  .meta({ description: 'Where the next page begins, any text of yours; null on the last page, which alone may have no orders.' });

/** What an own shop's endpoint answers: the published JSON Schema is made from this. */
export const ordersAnswer = z
  .strictObject({
    orders: z
      .array(z.union([order, deletedOrder]))
      .max(100)
      .meta({ description: 'Whole orders as they are now, the one that changed first at the front.' }),
    next,
  })
  .meta({ title: 'Orders of an own shop', description: 'Answer of the endpoint by which orderbridge reads the orders of a shop of your own.' });

/** The answer as it is read: one order that is not as described takes no other with it. */
export const ordersPage = z.looseObject({ orders: z.array(z.looseObject({ id })), next });

export type ListedOrder = z.output<typeof ordersPage>['orders'][number];

/** As much of a listed order as its place in the list needs, whatever else is wrong with it. */
export const listedChange = z.looseObject({
  id,
  updatedAt: instant,
  deleted: z.literal(true).optional().catch(undefined),
  number: z.string().optional().catch(undefined),
  status: z.string().catch('unreadable'),
  createdAt: instant.optional().catch(undefined),
  currency: z.string().catch(''),
  total: z.string().regex(DECIMAL).catch('0.00'),
});
