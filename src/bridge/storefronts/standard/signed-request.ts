import { randomUUID } from 'node:crypto';
import { keyOf } from '../../../contract/standard-webhook.ts';
import { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreMeans, StoreRequest } from '../contract.ts';
import { hmac } from '../hmac.ts';

/** Query parameters by name; those that are undefined are left out. */
export type OrdersQuery = Readonly<Record<string, string | undefined>>;

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
