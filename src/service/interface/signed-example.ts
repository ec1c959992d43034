import { embeddedDialect, sign } from '../../contract/dialect.ts';

const apiKey = 'ck_example';
const apiSecret = 'cs_example';
const method = 'POST';
const path = '/public-api/v1/order';

const order = {
  internalId: '5001',
  internalNumber: '#1042',
  internalCreatedAt: '2026-10-20T10:15:00+03:00',
  lineItems: [{ name: 'Чаша', quantity: 3, price: 12.9, discount: 1.05, vatRate: 20, vatGroup: 'GROUP_B' }],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  transactionId: 'pi_1',
  precision: 2,
  currency: 'EUR',
  shopId: '5b0c8f2e-1d4a-4c39-9a57-0f6e2d3b7c11',
};

const body = JSON.stringify(order);
const signature = sign(body, apiSecret, embeddedDialect);

const curl = `curl -sS 'https://api.example${path}' --data-binary '${body}' -H 'Content-Type: application/json' -H 'x-api-key: ${apiKey}' -H 'x-signature: ${signature}'`;

/** A request that a reader can sign again, to see that their program signs as the service does. `order` is what `body` says. */
export const signedExample = {
  order,
  parts: {
    ...{ apiKey, apiSecret, algorithm: 'HMAC-SHA-256 in hex', method, path, body },
    signedText: body,
    signature,
    signatureWithoutBody: sign('', apiSecret, embeddedDialect),
    curl,
  },
} as const;
