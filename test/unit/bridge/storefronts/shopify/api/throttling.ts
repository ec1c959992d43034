import type { ShopState } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';

/** A shop in which nothing is waited for. */
export const unlimited: Pick<ShopState, 'bucket'> = {
  get bucket() {
    return { maximumAvailable: 1_000_000, currentlyAvailable: 1_000_000, restoreRate: 1_000_000 };
  },
};
