import type { StoreAccess } from '../contract.ts';
import { credentialOf } from '../credential-of.ts';

/** A request to the store's REST API, version v3. Throws `Failure('storefront.refused')` if the connection lacks a part of the key. */
export function restRequest(access: StoreAccess, path: string): { url: string; authorization: string } {
  const key = `${credentialOf(access, 'consumerKey')}:${credentialOf(access, 'consumerSecret')}`;
  return { url: `${access.url.replace(/\/+$/, '')}/wp-json/wc/v3/${path}`, authorization: `Basic ${Buffer.from(key).toString('base64')}` };
}
