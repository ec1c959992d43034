import type { StoreApp } from '../../../src/bridge/storefronts/store-app.ts';
import type { ShopifyAdmin, ShopState } from '../servers/shopify-admin/shopify-admin.ts';
import type { ShopifyApp } from '../servers/shopify-admin/shopify-app.ts';
import { StandInShopify } from '../servers/shopify-admin/stand-in-shopify.ts';
import { addApp } from '../worlds/app-shop.ts';
import type { useWorlds, World, WorldOptions } from '../worlds/world.ts';
import { ShopifyMerchant } from './shopify-merchant.ts';
import { type Merchant, reachable } from './store-merchant.ts';

/** Our server, Shopify with one app of ours that a shop can install, and the browser of its owner there. */
export type AppWorld = AsyncDisposable & {
  it: World;
  shopify: StandInShopify;
  shop: ShopifyAdmin;
  /** As Shopify knows it, and as we do. */
  atShopify: ShopifyApp;
  app: StoreApp;
  owner: ShopifyMerchant;
};

/** `app`: as Shopify knows it; `known`: as we do. `config`, `log`, `embeddedService`: of our server. `shopify`: one that begins anew; absent: one of its own. */
export type Given = {
  shopify?: StandInShopify;
  app?: Partial<ShopifyApp>;
  known?: Partial<StoreApp>;
  shop?: Partial<ShopState>;
} & Pick<WorldOptions, 'config' | 'log' | 'embeddedService'>;

export async function openAppWorld(world: ReturnType<typeof useWorlds>, given: Given = {}): Promise<AppWorld> {
  await using setup = new AsyncDisposableStack();
  const shopify = given.shopify ?? setup.use(await StandInShopify.start());
  if (given.shopify !== undefined) await shopify.beginAnew();
  const shop = await shopify.shop('corner', given.shop);
  const { app: _asShopify, known: _asWe, shop: _state, shopify: _shared, config, ...options } = given;
  const it = setup.use(await world({ ...options, config: { ...(await reachable()), ...config } }));
  const { url } = it.bridge.app;
  const addresses = { applicationUrl: `${url}/shopify/install`, redirectUrls: [`${url}/shopify/callback`] };
  const atShopify = shopify.app({ clientId: 'client-of-corner', secret: 'shpss_of_corner', ...addresses, ...given.app });
  const app = await addApp(it.bridge, given.known);
  const owned = setup.move();
  return { it, shopify, shop, atShopify, app, owner: new ShopifyMerchant(), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Types the name of the shop, and goes to where it asks the merchant. */
export async function goesToApprove(merchant: Merchant, { app }: Pick<AppWorld, 'app'>, address = 'corner'): Promise<string> {
  const looked = await merchant.post('/store', { kind: 'address', platform: 'shopify', address });
  if (looked.location !== `${merchant.base}/store/found`) throw new Error(`the address was not taken: ${looked.text}`);
  const { location, text } = await merchant.get(`/store/go?app=${app.id}`);
  if (location === null) throw new Error(`the merchant was not sent to the store: ${text}`);
  return location;
}

/** Where the owner of the shop leaves Shopify who approves: path and query of our server. */
export async function approves({ owner, it }: Pick<AppWorld, 'owner' | 'it'>, address: string, answer: 'approve' | 'cancel' = 'approve'): Promise<string> {
  const gone = await owner.goes(address, { answer });
  if (!('left' in gone)) throw new Error(`the merchant stays at: ${gone.stays.text}`);
  return gone.left.slice(it.bridge.app.url.length);
}
