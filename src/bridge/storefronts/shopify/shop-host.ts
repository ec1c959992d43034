import { storeHost } from '../store-host.ts';

/** The domain by which Shopify's programs know a shop, such as corner.myshopify.com; null: it is none. */
export function shopHost(store: string): string | null {
  const host = storeHost(store);
  return host !== null && /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(host) ? host : null;
}
