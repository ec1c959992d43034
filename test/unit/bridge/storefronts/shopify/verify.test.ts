import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';

const body = Buffer.from('{"note":"Tom \\u0026 Jerry \\/ Чаша 🙂"}');

function delivery(secret: string, bytes = body) {
  const signature = createHmac('sha256', secret).update(bytes).digest('base64');
  return { headers: new Map([['x-shopify-hmac-sha256', signature]]), body: bytes };
}

test('a body signed with any live secret is trusted, byte for byte', () => {
  expect(shopify.verify(delivery('new'), ['old', 'new'], 0)).toEqual({ trusted: true });
  expect(shopify.verify(delivery('old'), ['old', 'new'], 0)).toEqual({ trusted: true });
  expect(shopify.verify({ ...delivery('new'), body: Buffer.from(JSON.stringify(JSON.parse(`${body}`))) }, ['new'], 0)).toEqual({
    trusted: false,
    code: 'signature.mismatch',
  });
});

test('a foreign secret, no secret, or an empty body is a mismatch', () => {
  const mismatch = { trusted: false, code: 'signature.mismatch' };

  expect(shopify.verify(delivery('foreign'), ['old', 'new'], 0)).toEqual(mismatch);
  expect(shopify.verify(delivery('new'), [], 0)).toEqual(mismatch);
  expect(shopify.verify(delivery('new', Buffer.alloc(0)), ['new'], 0)).toEqual(mismatch);
});

test('a request without the header is unsigned', () => {
  expect(shopify.verify({ headers: new Map(), body }, ['new'], 0)).toEqual({ trusted: false, code: 'signature.missing' });
});

test('the headers name topic, delivery, version and store, the store in lower case', () => {
  const headers = new Map([
    ['x-shopify-topic', 'orders/paid'],
    ['x-shopify-webhook-id', 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043'],
    ['x-shopify-shop-domain', 'Roza-Books.myshopify.com'],
    ['x-shopify-api-version', '2026-10'],
  ]);

  expect(shopify.envelope(headers)).toEqual({
    topic: 'orders/paid',
    deliveryId: 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
    store: 'roza-books.myshopify.com',
    apiVersion: '2026-10',
  });
  expect(shopify.envelope(new Map())).toEqual({ topic: '', deliveryId: null, store: null });
});

test('a secret that could never verify is refused in words that do not repeat it', () => {
  expect(shopify.secretProblem('shpss_0123')).toBeNull();
  expect(shopify.secretProblem('  ')).toMatch(/is empty/);
  expect(shopify.secretProblem(' shpss_0123')).toMatch(/white space/);
  expect(shopify.secretProblem(' shpss_0123')).not.toContain('0123');
});
