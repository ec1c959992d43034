import type { LivingShop } from './living-shop.ts';
import { OwnLife } from './own-life.ts';
import { ShopifyLife } from './shopify-life.ts';
import { WooLife } from './woo-life.ts';

/** How a living store of each platform is opened. */
export const missedShops = {
  woocommerce: () => WooLife.start(),
  shopify: () => ShopifyLife.start(),
  own: () => OwnLife.start(),
} satisfies Record<string, () => Promise<LivingShop>>;
