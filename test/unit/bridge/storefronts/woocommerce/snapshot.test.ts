import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyOf } from '../../../../fixtures/woocommerce/recordings.ts';
import { newsOf, snapshotOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, read, wooOrder } from '../../../../support/samples/woo-order.ts';

test('an order is known by the digest of its key, which appears nowhere', () => {
  const news = newsOf(normalize(wooOrder({ order_key: 'wc_order_fVtc6W5RnAJUE' })));

  expect(news.snapshot?.identity).toBe(createHash('sha256').update('wc_order_fVtc6W5RnAJUE').digest('hex'));
  expect(JSON.stringify(news)).not.toContain('wc_order_');
  expect(read({ order_key: 'wc_order_another' }).identity).not.toBe(news.snapshot?.identity);
});

test('an order without a key has no identity', () => {
  expect(read()).not.toHaveProperty('identity');
  expect(read({ order_key: null })).not.toHaveProperty('identity');
});

test('a draft has the identity that its order will have, and no lines', () => {
  const draft = snapshotOf(normalize(bodyOf('068')));

  expect(draft.identity).toMatch(/^[0-9a-f]{64}$/);
  expect(draft).not.toHaveProperty('roundedTo');
});

test.each([
  ['through payment and completion', ['019', '020', '021']],
  ['through refunds', ['028', '030']],
  ['through cancelling', ['040', '042']],
  ['through the trash and back', ['049', '052']],
])('a recorded order keeps its identity %s', (_what, numbers) => {
  const identities = new Set(numbers.map((number) => snapshotOf(normalize(bodyOf(number))).identity));

  expect(identities.size).toBe(1);
  expect([...identities][0]).toMatch(/^[0-9a-f]{64}$/);
});

test('VAT of more decimals than money has is rounded, for it is only compared', () => {
  expect(read({ total_tax: '4.005000' }).vat).toBe('4.01');
  expect(read({ total_tax: '4.0' }).vat).toBe('4.0');
});
