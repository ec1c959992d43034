import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { itemBody, orderBody, receive, refundBody, taxBody, transactionBody } from './bodies.ts';

test('every fault is named by its path, without its value', () => {
  const body = orderBody({ id: 'secret-1', updated_at: 'secret-2', line_items: [itemBody({ price: 'secret-3', tax_lines: [taxBody('1.00', -1)] })] });
  const normalized = receive('orders/paid', body);

  expect(normalized).toMatchObject({ kind: 'unreadable' });
  const details = normalized.kind === 'unreadable' ? normalized.problems.map(({ detail }) => detail) : [];
  expect(details.map((detail) => detail.split(':')[0])).toEqual(['id', 'updated_at', 'line_items.0.price', 'line_items.0.tax_lines.0.rate']);
  expect(details.join()).not.toContain('secret');
});

test.each([null, [], 'text', 7])('the body %j is unreadable as a whole', (body) => {
  expect(receive('orders/paid', body)).toEqual({ kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: expect.stringMatching(/^body: /) }] });
});

test.each([
  ['orders/delete', {}],
  ['refunds/create', { ...refundBody(), order_id: null }],
  ['order_transactions/create', { ...transactionBody(), order_id: null }],
  ['customers/redact', { orders_to_redact: 7 }],
  ['customers/data_request', { orders_requested: [] }],
  ['orders/updated', orderBody({ currency: 'euro' })],
  ['orders/updated', orderBody({ total_price: '1e9' })],
  ['orders/updated', orderBody({ total_price: '9'.repeat(1000) })],
  ['orders/updated', orderBody({ taxes_included: undefined })],
])('%s with a part missing or strange is unreadable', (topic, body) => {
  expect(receive(topic, body).kind).toBe('unreadable');
});

test('lists and sets may be null or absent', () => {
  const nothing = { shipping_lines: null, refunds: null, payment_gateway_names: null, original_total_duties_set: null };
  const item = itemBody({ tax_lines: null, discount_allocations: undefined, duties: null, price_set: null, current_quantity: null });

  expect(receive('orders/updated', orderBody({ ...nothing, line_items: [item] }))).toMatchObject({
    kind: 'order',
    news: { snapshot: { gateways: [], refunds: [] } },
  });
});

test('no JSON whatever makes it throw, under any topic', () => {
  const topic = fc.constantFrom(...shopify.topics, 'orders/create');
  fc.assert(
    fc.property(topic, fc.jsonValue(), (name, body) => ['order', 'ignored', 'warning', 'closed', 'privacy', 'unreadable'].includes(receive(name, body).kind)),
  );
});

test('no single broken field of an order makes it throw', () => {
  const field = fc.constantFrom(...Object.keys(orderBody()));
  fc.assert(
    fc.property(field, fc.jsonValue(), (name, value) => {
      expect(['order', 'unreadable']).toContain(receive('orders/updated', orderBody({ [name]: value })).kind);
    }),
  );
});
