import type { DemoTime } from './demo-time.ts';
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

type Fields = Record<string, unknown>;

/** A line as the stories write it: prices and taxes are the store's own, in EUR. */
type ShopifyItem = { id: number; title: string; quantity: number; price: string; rate: number; tax: string; off?: string };

type ShopifyBasket = {
  id: number;
  number: string;
  total: string;
  items: readonly ShopifyItem[];
  shipping?: { price: string; tax: string };
  taxesIncluded?: boolean;
};

/** Shopify's body of a whole order, as it is a minute after `minute`, paid by card. */
function shopifyOrder({ local }: DemoTime, minute: number, { id, number, total, items, shipping, taxesIncluded = true }: ShopifyBasket): Fields {
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    name: number,
    order_number: Number(number.slice(1)),
    created_at: local(minute),
    processed_at: local(minute),
    updated_at: local(minute + 1),
    cancelled_at: null,
    currency: 'EUR',
    presentment_currency: 'EUR',
    taxes_included: taxesIncluded,
    financial_status: 'paid',
    fulfillment_status: null,
    test: false,
    total_price: total,
    total_price_set: moneySet(total),
    total_outstanding: '0.00',
    total_tip_received: '0.00',
    payment_gateway_names: ['shopify_payments'],
    line_items: items.map(lineItem),
    shipping_lines: shipping === undefined ? [] : [shippingLine(shipping)],
    refunds: [],
    email: 'kupuvach@example.com',
    billing_address: { first_name: 'Елена', last_name: 'Димитрова', phone: '+359888000111', city: 'София', country_code: 'BG' },
  };
}

/** A refund of whole pieces of one line, paid back by card. */
type ShopifyReturn = { id: number; orderId: number; item: ShopifyItem; pieces: number; amount: string; tax: string };

function shopifyRefund({ local }: DemoTime, minute: number, { id, orderId, item, pieces, amount, tax }: ShopifyReturn): Fields {
  return {
    id,
    order_id: orderId,
    created_at: local(minute),
    processed_at: local(minute),
    note: 'Върната стока',
    duties: [],
    refund_line_items: [
      {
        id: id + 1,
        line_item_id: item.id,
        quantity: pieces,
        subtotal: Number(amount),
        subtotal_set: moneySet(amount),
        total_tax: Number(tax),
        total_tax_set: moneySet(tax),
        line_item: lineItem(item),
      },
    ],
    refund_shipping_lines: [],
    order_adjustments: [],
    transactions: [{ ...shopifyTransaction({ local }, minute, { id: id + 2, orderId, amount }), kind: 'refund', parent_id: id + 3 }],
  };
}

/** A successful card payment, with the processor's reference. */
function shopifyTransaction(
  { local }: Pick<DemoTime, 'local'>,
  minute: number,
  { id, orderId, amount }: { id: number; orderId: number; amount: string },
): Fields {
  return {
    id,
    order_id: orderId,
    kind: 'sale',
    gateway: 'shopify_payments',
    status: 'success',
    amount,
    currency: 'EUR',
    authorization: `pi_demo_${id}`,
    payment_id: `r${id}.1`,
    created_at: local(minute),
    processed_at: local(minute),
    total_unsettled_set: { shop_money: { amount: '0.0', currency: 'EUR' }, presentment_money: { amount: '0.0', currency: 'EUR' } },
  };
}

function lineItem({ id, title, quantity, price, rate, tax, off }: ShopifyItem): Fields {
  return {
    id,
    title,
    name: title,
    quantity,
    current_quantity: quantity,
    price,
    price_set: moneySet(price),
    taxable: true,
    tax_lines: [taxLine(rate, tax)],
    discount_allocations: off === undefined ? [] : [{ amount: off, amount_set: moneySet(off), discount_application_index: 0 }],
    duties: [],
  };
}

function shippingLine({ price, tax }: { price: string; tax: string }): Fields {
  const title = 'Еконт до офис';
  return { id: 5501000000001, title, price, price_set: moneySet(price), tax_lines: [taxLine(0.2, tax)], discount_allocations: [], is_removed: false };
}

function taxLine(rate: number, tax: string): Fields {
  return { title: `BG VAT ${rate * 100}%`, rate, price: tax, price_set: moneySet(tax), channel_liable: false };
}

function moneySet(amount: string): Fields {
  return { shop_money: { amount, currency_code: 'EUR' }, presentment_money: { amount, currency_code: 'EUR' } };
}
