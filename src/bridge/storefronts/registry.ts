import type { Storefronts } from './contract.ts';

/** Every storefront there is, by the name that addresses and the ledger hold. Imported in place: a new one is its folder and one line here. */
export const storefronts = {
  shopify: (await import('./shopify/shopify.ts')).shopify,
  woocommerce: (await import('./woocommerce/woocommerce.ts')).woocommerce,
  standard: (await import('./standard/standard.ts')).standard,
} as const satisfies Storefronts;
