import { expect, test } from 'vitest';
import type { StoreMeans } from '../../../../../../src/bridge/storefronts/contract.ts';
import { letsIn } from '../../../../../../src/bridge/storefronts/shopify/api/api.ts';
import { NotCalled } from '../../../../../../src/bridge/storefronts/store-failure.ts';
import { denials } from '../../../../../support/servers/shopify-admin/serve-shop.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson } from '../../../../../support/servers/store-api.ts';

const means: StoreMeans = { fetchJson, now: Date.now() };

test('an app that is installed is let in, whatever it may do there, and also where it is throttled', async () => {
  await using shop = await ShopifyAdmin.start({ scopes: [] });
  await letsIn(shop.access, means);
  await letsIn(shop.clientAccess, means);
  shop.state.intercept = () => denials.throttled;
  await letsIn(shop.access, means);
  expect(shop.asked.filter(({ query }) => query.includes('accessScopes'))).toHaveLength(2);
});

test('who is taken for an attack is told nothing of the app', async () => {
  await using shop = await ShopifyAdmin.start();
  shop.state.intercept = () => ({ status: 430, body: {} });
  await expect(letsIn(shop.access, means)).rejects.toBeInstanceOf(NotCalled);
});

test('one that was uninstalled is refused, and no answer is none', async () => {
  await using shop = await ShopifyAdmin.start();
  shop.uninstall({ clientId: shop.state.clientId });
  await expect(letsIn(shop.access, means)).rejects.toThrow(/storefront.refused: the shop answered 401/);
  await expect(letsIn(shop.clientAccess, means)).rejects.toThrow(/storefront.refused/);
  shop.state.intercept = () => ({ status: 503, body: {} });
  await expect(letsIn(shop.access, means)).rejects.toThrow(/storefront.unreachable/);
});
