import { describe, expect, test } from 'vitest';
import { answerStatus } from '../../../../src/bridge/intake/answer-status.ts';
import { keptHeaders } from '../../../../src/bridge/intake/kept-headers.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';

const SECRET = /sign|hmac|token|key|auth|cookie|secret|forwarded/;

describe.each(Object.values(storefronts))('$name', (storefront) => {
  test('what people may see of its headers names no key and no signature, and has the ids that it calls a delivery by', () => {
    expect(storefront.keptHeaders.filter((name) => SECRET.test(name) || name !== name.toLowerCase())).toEqual([]);
    const sent = new Map(storefront.keptHeaders.map((name) => [name, `value of ${name}`]));

    const { deliveryId } = storefront.envelope(sent);

    expect(deliveryId).toMatch(/^value of /);
    expect(Object.values(keptHeaders(storefront, sent))).toContain(deliveryId);
  });

  test('a header that nobody named is kept nowhere, whatever it is called', () => {
    const sent = new Map(
      ['authorization', 'cookie', 'x-api-key', 'x-shopify-access-token', 'x-wc-webhook-signature', 'webhook-signature', 'x-new'].map((name) => [name, 'k']),
    );

    expect(keptHeaders(storefront, sent)).toEqual({});
  });
});

test('200 characters of a header', () => {
  expect(keptHeaders({ keptHeaders: [] }, new Map([['user-agent', 'x'.repeat(5_000)]]))).toEqual({ 'user-agent': 'x'.repeat(200) });
});

test.each([
  [null, 200],
  ['signature.mismatch', 401],
  ['intake.unavailable', 503],
  ['constructor', 500],
])('what is refused for %s is answered %i', (code, status) => {
  expect(answerStatus(code)).toBe(status);
});
