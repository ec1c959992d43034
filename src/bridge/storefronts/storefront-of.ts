import { ownValue } from '../../contract/own-value.ts';
import type { Storefront, Storefronts } from './contract.ts';

/** The storefront of a connection's platform. Throws for a platform that this release does not have, such as one of a fork. */
export function storefrontOf(storefronts: Storefronts, platform: string): Storefront {
  const storefront = ownValue(storefronts, platform);
  if (storefront === undefined) throw new Error(`no storefront is registered as ${platform}`);
  return storefront;
}
