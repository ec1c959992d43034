import type { Storefront } from '../contract.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { normalize, topics } from './normalize.ts';
import { secretProblem } from './secret.ts';
import { verify } from './verify.ts';

/** Any shop that signs with Standard Webhooks and sends the JSON of docs/standard-webhooks.md. */
export const standard: Storefront = {
  name: 'standard',
  topics,
  gateways: wellKnownGateways,
  transactionComesLater: false,
  deliveriesNameStore: false,
  envelope,
  verify,
  normalize,
  secretProblem,
};

function envelope(headers: ReadonlyMap<string, string>): ReturnType<Storefront['envelope']> {
  return { topic: '', deliveryId: headers.get('webhook-id') ?? null, store: null };
}
