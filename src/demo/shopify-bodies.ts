import type { DemoTime } from './demo-time.ts';

type Fields = Record<string, unknown>;

/** A line as the stories write it: prices and taxes are the store's own, in EUR. */
export type ShopifyItem = { id: number; title: string; quantity: number; price: string; rate: number; tax: string; off?: string };

export type ShopifyBasket = {
  id: number;
  number: string;
  total: string;
  items: readonly ShopifyItem[];
  shipping?: { price: string; tax: string };
  taxesIncluded?: boolean;
};

/** Shopify's body of a whole order, as it is a minute after `minute`, paid by card. */
export function shopifyOrder({ local }: DemoTime, minute: number, { id, number, total, items, shipping, taxesIncluded = true }: ShopifyBasket): Fields {
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
export type ShopifyReturn = { id: number; orderId: number; item: ShopifyItem; pieces: number; amount: string; tax: string };

export function shopifyRefund({ local }: DemoTime, minute: number, { id, orderId, item, pieces, amount, tax }: ShopifyReturn): Fields {
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
export function shopifyTransaction(
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
