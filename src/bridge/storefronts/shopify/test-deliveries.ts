import type { Delivery, TestOrder } from '../contract.ts';
import { hmac } from '../hmac.ts';
import { testMoney, testNumber } from '../test-order-money.ts';

/** The paid order, and its payment, without which a record would wait for the processor's reference. */
export function testDeliveries(given: TestOrder): readonly Delivery[] {
  const paid = delivery(given, 'orders/paid', given.order ?? madeUp(given));
  return given.order === undefined ? [paid, delivery(given, 'order_transactions/create', payment(given))] : [paid];
}

function delivery({ id, secret, store }: TestOrder, topic: string, content: unknown): Delivery {
  const body = Buffer.from(JSON.stringify(content));
  const headers = {
    'content-type': 'application/json',
    'x-shopify-topic': topic,
    'x-shopify-webhook-id': `test_${id}`,
    'x-shopify-hmac-sha256': hmac(secret, [body]).toString('base64'),
    ...(store === null ? {} : { 'x-shopify-shop-domain': store }),
  };
  return { headers: new Map(Object.entries(headers)), body };
}

function madeUp({ id, now }: TestOrder): object {
  const at = new Date(now).toISOString();
  const { total, vat, currency, name } = testMoney;
  return {
    ...{ id: Number(id), admin_graphql_api_id: `gid://shopify/Order/${id}`, name: testNumber(id), created_at: at, processed_at: at, updated_at: at },
    ...{ currency, presentment_currency: currency, taxes_included: true, financial_status: 'paid', test: false, total_price: total, total_outstanding: '0.00' },
    payment_gateway_names: ['shopify_payments'],
    line_items: [{ id: 1, name, quantity: 1, current_quantity: 1, price: total, tax_lines: [{ rate: 0.2, price: vat }], discount_allocations: [], duties: [] }],
    ...{ shipping_lines: [], refunds: [] },
  };
}

function payment({ id, now }: TestOrder): object {
  const at = new Date(now).toISOString();
  const { total: amount, currency } = testMoney;
  return {
    ...{ id: Number(id), order_id: Number(id), kind: 'sale', gateway: 'shopify_payments', status: 'success', amount, currency, authorization: `test_${id}` },
    ...{ payment_id: `test_${id}.1`, created_at: at, processed_at: at },
  };
}
