import type { DemoTime } from './demo-time.ts';
import { later, now, recorded, type Story } from './story.ts';

const cream: ShopifyItem = { id: 16011000000001, title: 'Крем за лице с роза', quantity: 2, price: '24.90', rate: 0.2, tax: '8.30' };
const serum: ShopifyItem = { id: 16011000000002, title: 'Серум с шипка', quantity: 3, price: '16.63', rate: 0.2, tax: '8.98', off: '4.99' };
const soap: ShopifyItem = { id: 16011000000003, title: 'Сапун с лавандула', quantity: 2, price: '15.00', rate: 0.2, tax: '5.00' };
const oil: ShopifyItem = { id: 16011000000004, title: 'Розово масло 5 мл', quantity: 1, price: '45.00', rate: 0.2, tax: '7.50' };
const balm: ShopifyItem = { id: 16011000000005, title: 'Балсам за устни', quantity: 1, price: '6.90', rate: 0.2, tax: '1.15' };

const econt = { price: '5.90', tax: '0.98' };

/** Orders of “Росица”, a cosmetics shop on Shopify. */
export function shopifyStories(time: DemoTime): Story[] {
  const order = (nth: number, basket: ShopifyBasket) => shopifyOrder(time, nth, basket);
  const paid = (nth: number, basket: ShopifyBasket) => now('orders/paid', order(nth, basket));
  const refund = (nth: number, minute: number, of: ShopifyReturn) => shopifyRefund(time, minute, { nth, ...of });
  const changed = (nth: number, minute: number, basket: ShopifyBasket) => ({ ...order(nth, basket), updated_at: time.local(minute) });
  const payment = shopifyTransaction(time, 1, { id: 7300000001001, orderId: orderId(1), amount: '55.70' });
  const soaps = { total: '35.90', items: [soap], shipping: econt };
  const oneSoap = refund(4, 30, { item: soap, amount: '15.00', tax: '2.50' });
  const oils = { total: '45.00', items: [oil] };
  const oneOil = refund(5, 31, { item: oil, amount: '45.00', tax: '7.50' });
  const balms = paid(6, { total: '6.90', items: [balm] });
  const both = { total: '51.90', items: [oil, balm] };
  const discounted = { ...cream, tax: '6.63', off: '10.00' };
  const withoutVat = { total: '59.78', items: [serum], shipping: { price: '4.92', tax: '0.98' }, taxesIncluded: false };
  return [
    story(1, 'paid by card, with shipping', {
      webhooks: [paid(1, { total: '55.70', items: [cream], shipping: econt }), now('order_transactions/create', payment)],
      ends: recorded('55.70'),
    }),
    story(2, 'prices without VAT, 10 % off', { webhooks: [paid(2, withoutVat)], ends: recorded('59.78') }),
    story(3, 'a discount code of 10.00', { webhooks: [paid(3, { total: '39.80', items: [discounted] })], ends: recorded('39.80') }),
    story(4, 'one of two pieces refunded', {
      webhooks: [
        paid(4, soaps),
        later('refunds/create', oneSoap),
        later('orders/updated', { ...changed(4, 30, soaps), financial_status: 'partially_refunded', refunds: [oneSoap] }),
      ],
      ends: recorded('20.90'),
    }),
    story(5, 'refunded in full', {
      webhooks: [paid(5, oils), later('orders/updated', { ...changed(5, 31, oils), financial_status: 'refunded', refunds: [oneOil] })],
      ends: { state: 'removed', total: null },
    }),
    story(6, 'the same webhook three times', { webhooks: [balms, balms, { ...balms, act: 2 }], ends: recorded('6.90') }),
    story(7, 'a refund before its order', {
      webhooks: [now('refunds/create', refund(7, 20, { item: soap, amount: '15.00', tax: '2.50' })), paid(7, { total: '30.00', items: [soap] })],
      ends: recorded('15.00'),
    }),
    story(8, 'cancelled, but no money went back', {
      webhooks: [paid(8, both), later('orders/cancelled', { ...changed(8, 32, both), cancelled_at: time.local(32), cancel_reason: 'customer' })],
      ends: { state: 'review', code: 'removal.unproven', total: '51.90' },
    }),
    story(9, 'a test order', { webhooks: [now('orders/paid', { ...order(9, oils), test: true })], ends: { state: 'ignored', total: null } }),
    story(10, 'a bad signature', { webhooks: [{ ...paid(10, oils), forged: true }], ends: { state: 'refused', total: null } }),
  ];
}

const orderId = (nth: number): number => 6512345001000 + nth;

function story(nth: number, what: string, rest: Pick<Story, 'webhooks' | 'ends'>): Story {
  return { platform: 'shopify', orderId: String(orderId(nth)), number: `#${1000 + nth}`, what, ...rest };
}

type Fields = Record<string, unknown>;

/** A line as the stories write it: prices and taxes are the store's own, in EUR. */
type ShopifyItem = { id: number; title: string; quantity: number; price: string; rate: number; tax: string; off?: string };

type ShopifyBasket = { total: string; items: readonly ShopifyItem[]; shipping?: { price: string; tax: string }; taxesIncluded?: boolean };

/** Shopify's body of a whole order, paid by card, as it is a minute after it was placed; the `nth` is of the minute with that number. */
function shopifyOrder({ local }: DemoTime, nth: number, { total, items, shipping, taxesIncluded = true }: ShopifyBasket): Fields {
  return {
    id: orderId(nth),
    admin_graphql_api_id: `gid://shopify/Order/${orderId(nth)}`,
    name: `#${1000 + nth}`,
    order_number: 1000 + nth,
    created_at: local(nth),
    processed_at: local(nth),
    updated_at: local(nth + 1),
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

/** A refund of one piece, paid back by card. */
type ShopifyReturn = { item: ShopifyItem; amount: string; tax: string };

function shopifyRefund({ local }: DemoTime, minute: number, { nth, item, amount, tax }: ShopifyReturn & { nth: number }): Fields {
  const id = 980000001000 + nth;
  return {
    id,
    order_id: orderId(nth),
    created_at: local(minute),
    processed_at: local(minute),
    note: 'Върната стока',
    duties: [],
    refund_line_items: [
      {
        id: id + 1,
        line_item_id: item.id,
        quantity: 1,
        subtotal: Number(amount),
        subtotal_set: moneySet(amount),
        total_tax: Number(tax),
        total_tax_set: moneySet(tax),
        line_item: lineItem(item),
      },
    ],
    refund_shipping_lines: [],
    order_adjustments: [],
    transactions: [{ ...shopifyTransaction({ local }, minute, { id: id + 2, orderId: orderId(nth), amount }), kind: 'refund', parent_id: id + 3 }],
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
