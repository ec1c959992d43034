import { storeHost } from '../store-host.ts';
import { shopUrl } from './shop-url.ts';

/** The domain by which Shopify's programs know a shop, such as corner.myshopify.com; null: it is none. */
export function shopHost(store: string): string | null {
  const host = storeHost(store);
  return host === null || shopUrl(host) === null ? null : host;
}
