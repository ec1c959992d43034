import { ownValue } from '../../contract/own-value.ts';
import type { Storefront, Storefronts } from './contract.ts';

/** Every storefront there is, by the name in addresses and in the ledger. Imported in place: a new one is its folder and one line here. */
export const storefronts = {
  shopify: (await import('./shopify/shopify.ts')).shopify,
  woocommerce: (await import('./woocommerce/woocommerce.ts')).woocommerce,
  standard: (await import('./standard/standard.ts')).standard,
} as const satisfies Storefronts;

/** The storefront of a connection's platform. Throws for a platform that this release does not have, such as one of a fork. */
export function storefrontOf(storefronts: Storefronts, platform: string): Storefront {
  const storefront = ownValue(storefronts, platform);
  if (storefront === undefined) throw new Error(`no storefront is registered as ${platform}`);
  return storefront;
}
