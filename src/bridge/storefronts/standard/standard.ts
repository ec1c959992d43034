import { randomBytes } from 'node:crypto';
import { secretProblem } from '../../../contract/standard-webhook.ts';
import type { Storefront } from '../contract.ts';
import { wellKnownGateways } from '../well-known-gateways.ts';
import { api } from './api.ts';
import { normalize, topics } from './normalize.ts';
import { snippets } from './snippets.ts';
import { testDeliveries } from './test-deliveries.ts';
import { signatures, verify } from './verify.ts';

const SECRET_BYTES = 32;

/** Any shop that signs with Standard Webhooks and sends the JSON of docs/standard-webhooks.md. */
export const standard: Storefront = {
  name: 'standard',
  topics,
  gateways: wellKnownGateways,
  transactionComesLater: false,
  deliveriesNameStore: false,
  repeats: true,
  envelope,
  signatures,
  verify,
  normalize,
  secretProblem,
  newSecret: () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  testDeliveries,
  api,
  onboarding: { title: 'Standard Webhooks', snippets },
};

function envelope(headers: ReadonlyMap<string, string>): ReturnType<Storefront['envelope']> {
  const sentAt = instantOf(headers.get('webhook-timestamp') ?? '');
  return { topic: '', deliveryId: headers.get('webhook-id') ?? null, store: null, ...(sentAt === null ? {} : { sentAt }) };
}

/** Seconds since 1970 → ISO 8601; null for anything else. */
function instantOf(timestamp: string): string | null {
  return /^\d{1,12}$/.test(timestamp) ? new Date(Number(timestamp) * 1000).toISOString() : null;
}
