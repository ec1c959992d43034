import type { Envelope, Storefront } from '../contract.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { VERSION } from './api/admin-client.ts';
import { api } from './api/api.ts';
import { appGrant } from './app-grant.ts';
import { appWide } from './app-wide.ts';
import { normalize } from './normalize.ts';
import { onboarding } from './onboarding/onboarding.ts';
import { remains } from './remains.ts';
import { shopHost } from './shop-host.ts';
import { testDeliveries } from './test-deliveries.ts';
import { appTopics, complianceTopics, orderTopics } from './topics.ts';
import { secretProblem, signatures, verify } from './verify.ts';

/** Shopify: REST-shaped webhook bodies of API versions 2026-04 to 2026-10, signed with the app's or the store's secret. */
export const shopify: Storefront = {
  name: 'shopify',
  topics: [...orderTopics, ...appTopics, ...complianceTopics],
  gateways: wellKnownGateways,
  transactionComesLater: true,
  deliveriesNameStore: true,
  storeNameOf,
  // Deliveries name this domain alone, whatever other domains lead to the shop.
  hostOf: shopHost,
  orderPage,
  nameHint: 'for Shopify its domain, such as example.myshopify.com',
  appWide,
  envelope,
  signatures,
  verify,
  normalize,
  secretProblem,
  testDeliveries,
  apiVersions: [VERSION, '2026-07', '2026-04'],
  api,
  appGrant,
  onboarding,
  remains,
};

function envelope(headers: ReadonlyMap<string, string>): Envelope {
  const apiVersion = headers.get('x-shopify-api-version');
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    topic: headers.get('x-shopify-topic') ?? '',
    deliveryId: headers.get('x-shopify-webhook-id') ?? null,
    store: headers.get('x-shopify-shop-domain')?.toLowerCase() ?? null,
  };
}

// The app's one address finds the connection by the shop's domain, which must be known before its first delivery.
function storeNameOf({ name, url }: { name: string; url: string | null }): string | null {
  return (url === null ? null : shopHost(url)) ?? shopHost(name);
}

function orderPage({ store, orderId }: { store: string; orderId: string }): string | null {
  const host = shopHost(store);
  return host === null || !/^\d+$/.test(orderId) ? null : `https://${host}/admin/orders/${orderId}`;
}
