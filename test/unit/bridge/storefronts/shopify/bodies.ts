import { readFileSync } from 'node:fs';
import type { OrderNews, Refund, Snapshot } from '../../../../../src/bridge/order/facts/facts.ts';
import type { Normalized } from '../../../../../src/bridge/storefronts/contract.ts';
import { parseJson } from '../../../../../src/bridge/storefronts/read-payload.ts';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';

type Fields = Record<string, unknown>;

/** A small order in a shop whose prices contain VAT; 12.90 × 2 at 20 %, paid. */
export function orderBody(fields: Fields = {}): Fields {
  return {
    id: 6512345000101,
    name: '#1042',
    created_at: '2026-10-14T11:32:05+03:00',
    processed_at: '2026-10-14T11:32:04+03:00',
    updated_at: '2026-10-14T11:32:15+03:00',
    cancelled_at: null,
    currency: 'EUR',
    taxes_included: true,
    financial_status: 'paid',
    test: false,
    total_price: '25.80',
    total_outstanding: '0.00',
    total_tip_received: '0.00',
    payment_gateway_names: ['shopify_payments'],
    line_items: [itemBody()],
    shipping_lines: [],
    refunds: [],
    ...fields,
  };
}

export function itemBody(fields: Fields = {}): Fields {
  return {
    id: 16011000000001,
    name: 'Чаша',
    quantity: 2,
    current_quantity: 2,
    price: '12.90',
    tax_lines: [taxBody('4.30', 0.2)],
    discount_allocations: [],
    duties: [],
    ...fields,
  };
}

export function shippingBody(fields: Fields = {}): Fields {
  return { id: 5501000000001, title: 'Еконт', price: '4.90', tax_lines: [taxBody('0.82', 0.2)], discount_allocations: [], is_removed: false, ...fields };
}

export function taxBody(price: string, rate: number | null, fields: Fields = {}): Fields {
  return { title: 'ДДС', price, rate, channel_liable: false, ...fields };
}

/** The amount in the shop's currency, beside another that the buyer saw. */
export function moneySet(amount: string, currency = 'EUR'): Fields {
  return { shop_money: { amount, currency_code: currency }, presentment_money: { amount: '999.99', currency_code: 'USD' } };
}

/** A refund of one of the two pieces of `itemBody`. */
export function refundBody(fields: Fields = {}): Fields {
  return {
    id: 980012340001,
    order_id: 6512345000101,
    created_at: '2026-10-20T10:02:33+03:00',
    processed_at: '2026-10-20T10:02:34+03:00',
    duties: [],
    refund_line_items: [refundLineBody()],
    refund_shipping_lines: [],
    order_adjustments: [],
    transactions: [transactionBody()],
    ...fields,
  };
}

export function refundLineBody(fields: Fields = {}): Fields {
  return {
    line_item_id: 16011000000001,
    quantity: 1,
    subtotal: 12.9,
    subtotal_set: moneySet('12.90'),
    total_tax: 2.15,
    total_tax_set: moneySet('2.15'),
    line_item: itemBody(),
    ...fields,
  };
}

export function refundShippingBody(amount: string, shippingLine: Fields | null = shippingBody()): Fields {
  return { id: 4400012345, shipping_line_id: 5501000000001, subtotal_amount_set: moneySet(amount), shipping_line: shippingLine };
}

export function adjustmentBody(kind: string, amount: string, taxAmount?: string): Fields {
  return { id: 1, kind, amount, ...(taxAmount === undefined ? {} : { tax_amount: taxAmount }) };
}

export function transactionBody(fields: Fields = {}): Fields {
  return {
    id: 7300012345678,
    order_id: 6512345000101,
    kind: 'refund',
    gateway: 'shopify_payments',
    status: 'success',
    amount: '12.90',
    currency: 'EUR',
    authorization: 're_1',
    payment_id: 'r1.1',
    created_at: '2026-10-20T10:02:32+03:00',
    processed_at: '2026-10-20T10:02:33+03:00',
    total_unsettled_set: { shop_money: { amount: '0.0', currency: 'EUR' }, presentment_money: { amount: '0.0', currency: 'EUR' } },
    ...fields,
  };
}

/** As the receiver does it: bytes, parsed without losing digits, normalized by topic. */
export function receive(topic: string, body: unknown): Normalized {
  return receiveBytes(topic, Buffer.from(JSON.stringify(body)));
}

export function receiveBytes(topic: string, bytes: Buffer): Normalized {
  const parsed = parseJson(bytes);
  if (!parsed.ok) throw new Error('the body of a test must be JSON');
  return shopify.normalize({ topic, deliveryId: null, store: null }, parsed.value);
}

export function newsOf(topic: string, body: unknown): OrderNews {
  return asNews(receive(topic, body));
}

export function asNews(normalized: Normalized): OrderNews {
  if (normalized.kind !== 'order') throw new Error(`not an order: ${JSON.stringify(normalized)}`);
  return normalized.news;
}

export function snapshotOf(fields: Fields = {}): Snapshot {
  const { snapshot } = newsOf('orders/updated', orderBody(fields));
  if (snapshot === undefined) throw new Error('an order without a snapshot');
  return snapshot;
}

export function refundOf(fields: Fields = {}): Refund {
  const [refund] = newsOf('refunds/create', refundBody(fields)).refunds ?? [];
  if (refund === undefined) throw new Error('a refund body without a refund');
  return refund;
}

export function fixtureBytes(name: string): Buffer {
  return readFileSync(new URL(`../../../../fixtures/shopify/${name}.json`, import.meta.url));
}
