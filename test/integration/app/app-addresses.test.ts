import { expect, test } from 'vitest';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { sampleConnection } from '../../support/samples/sample-claim.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { appConfig } from '../../support/worlds/shopify-shop.ts';

const world = useSharedWorlds();
const publicUrl = 'https://bridge.example';
const byApp = sampleConnection({ platform: 'shopify', app: 'corner' });
const byNone = sampleConnection({ platform: 'shopify' });
const woo = sampleConnection({ platform: 'woocommerce' });

test.each([
  ['of its app, or that of the variable', { publicUrl, ...appConfig }, [`${publicUrl}/webhooks/shopify/app/corner`, `${publicUrl}/webhooks/shopify`, null]],
  ['of its app alone, without the variable', { publicUrl }, [`${publicUrl}/webhooks/shopify/app/corner`, null, null]],
  ['not known without PUBLIC_URL', appConfig, [null, null, null]],
])('the address for all stores of an app, where webhooks of a connection may go, too, is %s', async (_what, config, expected) => {
  await using it = await world({ config });
  const { appAddressOf } = watchDeps(it.bridge.app.core, storefronts);

  expect([byApp, byNone, woo].map(appAddressOf)).toEqual(expected);
});
