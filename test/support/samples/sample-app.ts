import type { StoreApp } from '../../../src/bridge/storefronts/store-app.ts';

/** An app of one store, whose secret is `shpss_of_ID`. */
export function sampleApp({ id = 'corner', ...values }: Partial<StoreApp> = {}): StoreApp {
  const secrets = [{ secret: `shpss_of_${id}`, until: null }];
  return { id, platform: 'shopify', clientId: `client-of-${id}`, secrets, kind: 'custom', scopes: ['read_orders'], ...values };
}
