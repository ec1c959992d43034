import { Secret } from '../../../src/config/secret.ts';
import { addressOf, postShopify, type Sent, SHOP } from '../samples/signed-webhooks.ts';
import type { Bridge, Connected } from './bridge.ts';

export const APP_SECRET = 'shpss_of_the_app';
export const appConfig = { appSecrets: { SHOPIFY_APP_SECRET: new Secret(APP_SECRET) } };

/** The order of the fixtures PAID, UPDATED and REFUND. */
export const ORDER = '6512345000101';
export const PAID = 'order-paid-eur-incl-mixed-rates';
export const UPDATED = 'order-updated-eur-after-partial-refund';
export const REFUND = 'refund-create-eur-partial-item-and-shipping';

export const shopifySettings = { payments: { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Shopify' } } };

type Event = readonly [topic: string, body: unknown];

export function connectShop(bridge: Bridge): Promise<Connected> {
  return bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP });
}

/** To the address of all shops; signed with the app's secret. */
export function sendToApp(bridge: Bridge, [topic, body]: Event, { secret = APP_SECRET, shop = SHOP } = {}): Promise<Sent> {
  return postShopify(`${bridge.app.url}/webhooks/shopify`, { topic, body, secret, shop });
}

/** To the address of one connection; signed with its own secret. */
export function sendToShop(bridge: Bridge, connected: Connected, [topic, body]: Event): Promise<Sent> {
  return postShopify(addressOf(bridge.app.url, connected), { topic, body, secret: connected.secret });
}
