import type { Storefronts } from './contract.ts';

/** Every storefront there is, by the name in addresses and in the ledger. Imported in place: a new one is its folder and one line here. */
export const storefronts = {
  shopify: (await import('./shopify/shopify.ts')).shopify,
  woocommerce: (await import('./woocommerce/woocommerce.ts')).woocommerce,
  standard: (await import('./standard/standard.ts')).standard,
} as const satisfies Storefronts;
