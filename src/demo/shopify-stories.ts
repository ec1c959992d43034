import type { DemoTime } from './demo-time.ts';
import { type ShopifyItem, shopifyOrder, shopifyRefund, shopifyTransaction } from './shopify-bodies.ts';
import type { Story, StoryWebhook } from './story.ts';

const cream: ShopifyItem = { id: 16011000000001, title: 'Крем за лице с роза', quantity: 2, price: '24.90', rate: 0.2, tax: '8.30' };
const serum: ShopifyItem = { id: 16011000000002, title: 'Серум с шипка', quantity: 3, price: '16.63', rate: 0.2, tax: '8.98', off: '4.99' };
const soap: ShopifyItem = { id: 16011000000003, title: 'Сапун с лавандула', quantity: 2, price: '15.00', rate: 0.2, tax: '5.00' };
const oil: ShopifyItem = { id: 16011000000004, title: 'Розово масло 5 мл', quantity: 1, price: '45.00', rate: 0.2, tax: '7.50' };
const balm: ShopifyItem = { id: 16011000000005, title: 'Балсам за устни', quantity: 1, price: '6.90', rate: 0.2, tax: '1.15' };

const econt = { price: '5.90', tax: '0.98' };

/** Orders of “Росица”, a cosmetics shop on Shopify. */
export function shopifyStories(time: DemoTime): Story[] {
  return [
    paid(time),
    taxExclusive(time),
    discounted(time),
    partlyRefunded(time),
    refunded(time),
    repeated(time),
    refundFirst(time),
    cancelled(time),
    trial(time),
    forged(time),
  ];
}

function paid(time: DemoTime): Story {
  const order = shopifyOrder(time, 1, { id: 6512345001001, number: '#1001', total: '55.70', items: [cream], shipping: econt });
  const payment = shopifyTransaction(time, 1, { id: 7300000001001, orderId: 6512345001001, amount: '55.70' });
  return story('1001', 'paid by card, with shipping', {
    webhooks: [now('orders/paid', order), now('order_transactions/create', payment)],
    ends: { state: 'recorded', total: '55.70' },
  });
}

function taxExclusive(time: DemoTime): Story {
  const shipping = { price: '4.92', tax: '0.98' };
  const order = shopifyOrder(time, 2, { id: 6512345001002, number: '#1002', total: '59.78', items: [serum], shipping, taxesIncluded: false });
  return story('1002', 'prices without VAT, 10 % off', { webhooks: [now('orders/paid', order)], ends: { state: 'recorded', total: '59.78' } });
}

function discounted(time: DemoTime): Story {
  const items = [{ ...cream, tax: '6.63', off: '10.00' }];
  const order = shopifyOrder(time, 3, { id: 6512345001003, number: '#1003', total: '39.80', items });
  return story('1003', 'a discount code of 10.00', { webhooks: [now('orders/paid', order)], ends: { state: 'recorded', total: '39.80' } });
}

function partlyRefunded(time: DemoTime): Story {
  const basket = { id: 6512345001004, number: '#1004', total: '35.90', items: [soap], shipping: econt };
  const refund = shopifyRefund(time, 30, { id: 980000001004, orderId: basket.id, item: soap, pieces: 1, amount: '15.00', tax: '2.50' });
  const after = { ...shopifyOrder(time, 4, basket), updated_at: time.local(30), financial_status: 'partially_refunded', refunds: [refund] };
  const webhooks = [now('orders/paid', shopifyOrder(time, 4, basket)), later('refunds/create', refund), later('orders/updated', after)];
  return story('1004', 'one of two pieces refunded', { webhooks, ends: { state: 'recorded', total: '20.90' } });
}

function refunded(time: DemoTime): Story {
  const basket = { id: 6512345001005, number: '#1005', total: '45.00', items: [oil] };
  const refund = shopifyRefund(time, 31, { id: 980000001005, orderId: basket.id, item: oil, pieces: 1, amount: '45.00', tax: '7.50' });
  const after = { ...shopifyOrder(time, 5, basket), updated_at: time.local(31), financial_status: 'refunded', refunds: [refund] };
  return story('1005', 'refunded in full', {
    webhooks: [now('orders/paid', shopifyOrder(time, 5, basket)), later('orders/updated', after)],
    ends: { state: 'removed', total: null },
  });
}

function repeated(time: DemoTime): Story {
  const order = shopifyOrder(time, 6, { id: 6512345001006, number: '#1006', total: '6.90', items: [balm] });
  const again = now('orders/paid', order);
  return story('1006', 'the same webhook three times', { webhooks: [again, again, later('orders/paid', order)], ends: { state: 'recorded', total: '6.90' } });
}

function refundFirst(time: DemoTime): Story {
  const order = shopifyOrder(time, 7, { id: 6512345001007, number: '#1007', total: '30.00', items: [soap] });
  const refund = shopifyRefund(time, 20, { id: 980000001007, orderId: 6512345001007, item: soap, pieces: 1, amount: '15.00', tax: '2.50' });
  return story('1007', 'a refund before its order', {
    webhooks: [now('refunds/create', refund), now('orders/paid', order)],
    ends: { state: 'recorded', total: '15.00' },
  });
}

function cancelled(time: DemoTime): Story {
  const order = shopifyOrder(time, 8, { id: 6512345001008, number: '#1008', total: '51.90', items: [oil, balm] });
  const after = { ...order, updated_at: time.local(32), cancelled_at: time.local(32), cancel_reason: 'customer' };
  const webhooks = [now('orders/paid', order), later('orders/cancelled', after)];
  return story('1008', 'cancelled, but no money went back', { webhooks, ends: { state: 'review', code: 'removal.unproven', total: '51.90' } });
}

function trial(time: DemoTime): Story {
  const order = { ...shopifyOrder(time, 9, { id: 6512345001009, number: '#1009', total: '45.00', items: [oil] }), test: true };
  return story('1009', 'a test order', { webhooks: [now('orders/paid', order)], ends: { state: 'ignored', total: null } });
}

function forged(time: DemoTime): Story {
  const order = shopifyOrder(time, 10, { id: 6512345001010, number: '#1010', total: '45.00', items: [oil] });
  return story('1010', 'a bad signature', { webhooks: [{ ...now('orders/paid', order), forged: true }], ends: { state: 'refused', total: null } });
}

function story(number: string, what: string, rest: { webhooks: readonly StoryWebhook[] } & Pick<Story, 'ends'>): Story {
  return { platform: 'shopify', orderId: `651234500${number}`, number: `#${number}`, what, ...rest };
}

function now(topic: string, body: object): StoryWebhook {
  return { act: 1, topic, body };
}

function later(topic: string, body: object): StoryWebhook {
  return { act: 2, topic, body };
}
