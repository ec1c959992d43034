import type { Platform } from '../order/order-key.ts';
import type { Storefront } from './contract.ts';
import { shopify } from './shopify/shopify.ts';
import { standard } from './standard/standard.ts';
import { woocommerce } from './woocommerce/woocommerce.ts';

/** Every storefront there is; a new one is its folder and a line here. */
export const storefronts: Record<Platform, Storefront> = { shopify, woocommerce, standard };
