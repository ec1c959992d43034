import { createStoreTokens } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import type { AccessToken, AccessTokens } from '../../../src/bridge/storefronts/contract.ts';
import type { StoreApp } from '../../../src/bridge/storefronts/store-app.ts';
import type { useShopify } from '../connect/at-shopify.ts';
import type { Json } from '../servers/shopify-admin/json.ts';
import type { ShopifyAdmin, ShopState } from '../servers/shopify-admin/shopify-admin.ts';
import type { ShopifyApp } from '../servers/shopify-admin/shopify-app.ts';
import { addApp } from './app-shop.ts';
import type { Bridge, Connected, ConnectInput } from './bridge.ts';
import { shopifySettings } from './shopify-shop.ts';

type Tokens = AccessTokens & { keep(token: AccessToken): Promise<boolean> };
/** `reinstalls`: the merchant approves the app again, and its tokens are stored here. */
export type GrantedShop = {
  app: StoreApp;
  there: ShopifyApp;
  shop: ShopifyAdmin;
  connected: Connected;
  tokens: Tokens;
  reinstalls(): Promise<void>;
};

type Given = { kind?: StoreApp['kind']; there?: Partial<ShopifyApp>; state?: Partial<ShopState>; connect?: Partial<ConnectInput> };

/** A shop whose merchant approved an app that is kept here; its configuration leads `app/…` to the address of all stores of the app. */
export async function grantedShop(
  bridge: Bridge,
  shopify: ReturnType<typeof useShopify>,
  { kind = 'custom', there, state, connect }: Given = {},
): Promise<GrantedShop> {
  const at = await shopify.opened(there, state);
  const id = at.app.clientId;
  const app = await addApp(bridge, { id, clientId: id, kind, secrets: [{ secret: at.app.secret, until: null }] });
  at.app.subscriptions.push({ topics: ['app/uninstalled', 'app/scopes_update'], uri: `${bridge.app.url}/webhooks/shopify/app/${id}` });
  const url = shopify.urlOf(at.shop);
  const connected = await bridge.connect({ platform: 'shopify', settings: shopifySettings, store: at.shop.state.domain, access: { url, app: id }, ...connect });
  const tokens = createStoreTokens(bridge.pool, bridge.app.core.sealer)(connected.connection);
  const reinstalls = async () => void (await tokens.keep(pairIn(await shopify.pairOf(at))));
  await reinstalls();
  return { app, there: at.app, shop: at.shop, connected, tokens, reinstalls };
}

function pairIn({ access_token, refresh_token, expires_in }: Json): AccessToken {
  return { token: String(access_token), expiresAt: new Date(Date.now() + Number(expires_in) * 1000).toISOString(), refreshToken: String(refresh_token) };
}
