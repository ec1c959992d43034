import type { Envelope, Storefront } from '../contract.ts';
import { storeHost } from '../store-host.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { api } from './api.ts';
import { connectSteps } from './connect-steps.ts';
import { alsoTopics, normalize, topics } from './normalize.ts';
import { onboarding } from './onboarding.ts';
import { remains } from './remains.ts';
import { secretAdvice } from './secret-advice.ts';
import { isOwnStatus } from './status.ts';
import { subscriptions } from './subscriptions.ts';
import { testDeliveries } from './test-deliveries.ts';
import { isPing, secretProblem, signatures, verify } from './verify.ts';

/** WooCommerce 8 and later, webhooks of API version v3. */
export const woocommerce: Storefront = {
  name: 'woocommerce',
  topics,
  alsoTopics,
  gateways: wellKnownGateways,
  transactionComesLater: false,
  refundsVanish: true,
  deliveriesNameStore: true,
  hostOf,
  orderPage,
  envelope,
  signatures,
  isPing,
  verify,
  normalize,
  secretProblem,
  newSecret: () => subscriptions.newSecret(),
  testDeliveries,
  secretAdvice,
  connectSteps,
  api,
  onboarding,
  remains,
  knowsStatus: isOwnStatus,
};

function envelope(headers: ReadonlyMap<string, string>): Envelope {
  return {
    topic: headers.get('x-wc-webhook-topic') ?? '',
    // One second's deliveries of one webhook share it, whatever their orders.
    deliveryId: headers.get('x-wc-webhook-delivery-id') ?? null,
    store: headers.get('x-wc-webhook-source')?.replace(/\/+$/, '') || null,
  };
}

// A delivery names the site's address; a name without a scheme is one that a person gave.
function hostOf(store: string): string | null {
  return /^https?:\/\//i.test(store) ? storeHost(store) : null;
}

// Stores that keep orders in tables of their own lead on from this address.
function orderPage({ store, url, orderId }: { store: string; url: string | null; orderId: string }): string | null {
  const site = url ?? store;
  return hostOf(site) === null || !/^\d+$/.test(orderId) ? null : `${site.replace(/\/+$/, '')}/wp-admin/post.php?post=${orderId}&action=edit`;
}
