import type { StoreApp } from '../../../src/bridge/storefronts/store-app.ts';
import { BY } from '../samples/by.ts';
import { sampleApp } from '../samples/sample-app.ts';
import { postShopify, type Sent, SHOP } from '../samples/signed-webhooks.ts';
import type { Bridge, Connected } from './bridge.ts';
import { shopifySettings } from './shopify-shop.ts';

/** Keeps an app, as a command does. */
export async function addApp(bridge: Bridge, values: Partial<StoreApp> = {}): Promise<StoreApp> {
  const added = await bridge.app.core.apps.add(sampleApp(values), { by: BY });
  if ('taken' in added) throw new Error(`the app is there already: ${JSON.stringify(added)}`);
  return added;
}

/** A store whose keys the app gives; null: it came by none. */
export function connectByApp(bridge: Bridge, app: StoreApp | null, shop = SHOP): Promise<Connected> {
  const access = app === null ? null : { url: `https://${shop}`, app: app.id };
  return bridge.connect({ platform: 'shopify', settings: shopifySettings, store: shop, access });
}

type Sender = { app: StoreApp; secret?: string; shop?: string };
type Event = readonly [topic: string, body: unknown];

/** To the address of all stores of an app; signed with its first secret, unless another one is given. */
export function sendToNamedApp(bridge: Bridge, { app, secret = firstSecret(app), shop = SHOP }: Sender, [topic, body]: Event): Promise<Sent> {
  return postShopify(`${bridge.app.url}/webhooks/shopify/app/${app.id}`, { topic, body, secret, shop });
}

export function firstSecret({ secrets: [first] }: StoreApp): string {
  if (first === undefined) throw new Error('the app has no secret');
  return first.secret;
}
