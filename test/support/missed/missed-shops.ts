import type { LivingShop } from './living-shop.ts';
import { OwnLife } from './own-life.ts';
import { WooLife } from './woo-life.ts';

/** How a living store of each platform is opened. */
export const missedShops = {
  woocommerce: () => WooLife.start(),
  own: () => OwnLife.start(),
} satisfies Record<string, () => Promise<LivingShop>>;
