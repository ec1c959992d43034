import { describe, expect, test } from 'vitest';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { newsOf, orderBody, receive, receiveBytes, refundBody, transactionBody } from './bodies.ts';

test.each(['orders/paid', 'orders/updated', 'orders/cancelled', 'orders/create'])('%s brings the whole order', (topic) => {
  const news = newsOf(topic, orderBody());

  expect(news).toMatchObject({ orderId: '6512345000101', snapshot: { number: '#1042', total: '25.80' }, refunds: [], transactions: [] });
});

test.each(['transactions', 'order_adjustments', 'kind', 'domain', 'order_edit'])('an order that has the field %s one day stays an order', (field) => {
  expect(newsOf('orders/paid', { ...orderBody(), [field]: [] })).toMatchObject({ orderId: '6512345000101', snapshot: { total: '25.80' } });
});

test('only orders/paid announces a moment of payment', () => {
  expect(newsOf('orders/paid', orderBody()).paidAt).toBe('2026-10-14T08:32:15.000Z');
  expect(newsOf('orders/updated', orderBody())).not.toHaveProperty('paidAt');
});

test('orders/delete says that the order is gone', () => {
  expect(newsOf('orders/delete', { id: 6512345000101 })).toEqual({ orderId: '6512345000101', deleted: true });
});

test('orders/edited is ignored in words, for orders/updated brings the same with amounts', () => {
  expect(receive('orders/edited', { order_edit: { id: 1, order_id: 2 } })).toEqual({ kind: 'ignored', why: expect.stringContaining('orders/updated') });
});

test('refunds/create brings the refund and its transactions', () => {
  const news = newsOf('refunds/create', refundBody());

  expect(news).toMatchObject({ orderId: '6512345000101', refunds: [{ id: '980012340001' }], transactions: [{ id: '7300012345678', kind: 'refund' }] });
  expect(news).not.toHaveProperty('snapshot');
});

test('order_transactions/create brings the transaction', () => {
  const news = newsOf('order_transactions/create', transactionBody({ kind: 'sale', authorization: 'ch_1', amount: '25.80' }));

  expect(news).toEqual({
    orderId: '6512345000101',
    transactions: [
      {
        id: '7300012345678',
        kind: 'charge',
        status: 'success',
        gateway: 'shopify_payments',
        amount: '25.80',
        reference: 'r1.1',
        at: '2026-10-20T07:02:33.000Z',
        currency: 'EUR',
      },
    ],
  });
});

test('app/uninstalled closes the connection', () => {
  const shop = { id: 1, name: 'Роза', domain: 'rosa.example', myshopify_domain: 'rosa.myshopify.com' };

  expect(receive('app/uninstalled', shop)).toEqual({ kind: 'closed', store: 'rosa.myshopify.com' });
  expect(receive('app/uninstalled', { ...shop, myshopify_domain: null, domain: 'rosa.myshopify.com' })).toEqual({
    kind: 'closed',
    store: 'rosa.myshopify.com',
  });
});

test('the privacy topics become requests', () => {
  const customer = { id: 1, email: 'x@example.invalid' };

  const shop = { shop_id: 1, shop_domain: 'a.myshopify.com' };
  const ofShop = { kind: 'privacy', store: 'a.myshopify.com' };

  expect(receive('shop/redact', shop)).toEqual({ ...ofShop, request: { action: 'redact-shop' } });
  expect(receive('customers/redact', { ...shop, customer, orders_to_redact: [299938, 280263] })).toEqual({
    ...ofShop,
    request: { action: 'redact-orders', orderIds: ['299938', '280263'] },
  });
  expect(receive('customers/data_request', { ...shop, customer, orders_requested: [299938], data_request: { id: 9999 } })).toEqual({
    ...ofShop,
    request: { action: 'export', orderIds: ['299938'], requestId: '9999' },
  });
});

describe('finding 8: a body that does not fit its topic', () => {
  const aPerson = { shop_domain: 'a.myshopify.com', customer: { id: 1 }, orders_requested: [1], data_request: { id: 9 } };

  test.each([
    ['orders/delete', orderBody()],
    ['orders/delete', { id: 6512345000101, updated_at: '2026-10-14T11:32:15+03:00' }],
    ['orders/delete', transactionBody()],
    ['app/uninstalled', orderBody()],
    ['shop/redact', orderBody()],
    ['refunds/create', transactionBody()],
    ['refunds/create', orderBody()],
    ['refunds/create', { ...transactionBody(), kind: undefined, line_items: [], tracking_number: '1' }],
    ['order_transactions/create', refundBody()],
    ['orders/updated', refundBody()],
  ])('as %s is a warning, and nothing else', (topic, body) => {
    expect(receive(topic, body)).toEqual({
      kind: 'warning',
      warning: expect.stringContaining(`came under the topic ${topic}, which it does not fit`),
      isTopicMismatch: true,
    });
  });

  test.each(['shop/redact', 'customers/redact', 'orders/paid'])('as %s is not kept, if it is about a person', (topic) => {
    expect(receive(topic, aPerson)).toMatchObject({ kind: 'warning', isTopicMismatch: true, isPrivate: true });
  });

  test.each([
    ['orders/delete', { id: 7, admin_graphql_api_id: 'gid://shopify/Order/7', reason: 'x' }, 'order'],
    ['shop/redact', { shop_id: 1, shop_domain: 'a.myshopify.com', request_id: 7 }, 'privacy'],
    ['orders/paid', orderBody({ field_of_tomorrow: { a: 1 } }), 'order'],
  ])('is not one of %s with a field that nobody knows', (topic, body, kind) => {
    expect(receive(topic, body).kind).toBe(kind);
  });

  test('an unpaid order as orders/paid announces no payment', () => {
    const unpaid = orderBody({ financial_status: 'pending' });

    expect(receive('orders/paid', unpaid)).toEqual(receive('orders/create', unpaid));
  });
});

test.each(['products/update', '', 'constructor', '__proto__'])('the topic "%s" is ignored', (topic) => {
  expect(receive(topic, orderBody())).toMatchObject({ kind: 'ignored' });
});

test('every topic to subscribe to is understood', () => {
  expect(shopify.topics).toHaveLength(11);
  expect(shopify.topics.map((topic) => receive(topic, {}).kind)).not.toContain('ignored');
});

test('ids beyond 2^53 stay what they were', () => {
  const json = JSON.stringify(orderBody({ id: 'ID', line_items: [], total_price: '0.00' })).replace('"ID"', '820982911946154508');

  expect(receiveBytes('orders/updated', Buffer.from(json))).toMatchObject({ kind: 'order', news: { orderId: '820982911946154508' } });
});

test('app/scopes_update says whether orders can still be read; the right to write them is that, too', () => {
  const update = (current: unknown) =>
    receive('app/scopes_update', { id: 'gid://shopify/AppInstallation/1', previous: ['read_orders'], current, updated_at: '2026-11-22T10:00:00.000Z' });

  expect(update(['read_products'])).toEqual({ kind: 'granted', warning: expect.stringMatching(/read_orders.*install link/) });
  expect(update([])).toEqual({ kind: 'granted', warning: expect.stringContaining('read_orders') });
  expect(update(['read_orders'])).toEqual({ kind: 'granted', warning: null });
  expect(update(['write_orders', 'read_products'])).toEqual({ kind: 'granted', warning: null });
  expect(update('read_orders')).toMatchObject({ kind: 'unreadable', problems: [{ detail: expect.stringContaining('current') }] });
});

test('a change of scopes is none of an order, under whichever topic either comes', () => {
  const scopes = { id: 1, previous: ['read_orders'], current: [], updated_at: '2026-11-22T10:00:00.000Z' };

  expect(receive('orders/updated', scopes)).toMatchObject({ kind: 'warning', isTopicMismatch: true });
  expect(receive('app/scopes_update', orderBody())).toMatchObject({ kind: 'warning', isTopicMismatch: true });
  expect(newsOf('orders/paid', { ...orderBody(), current: [], previous: [] })).toMatchObject({ orderId: '6512345000101' });
});
