import type { Delivery, TestOrder } from '../contract.ts';
import { hmac } from '../hmac.ts';
import { testMoney, testNumber } from '../test-order-money.ts';

/** One webhook of an updated order. While no delivery has named the store, this one does not either: the store itself must. */
export function testDeliveries(given: TestOrder): readonly Delivery[] {
  const { id, secret, store, order = madeUp(given) } = given;
  const body = Buffer.from(JSON.stringify(order));
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': 'order.updated',
    'x-wc-webhook-delivery-id': `test_${id}`,
    'x-wc-webhook-signature': hmac(secret, [body]).toString('base64'),
    ...(store === null ? {} : { 'x-wc-webhook-source': `${store}/` }),
  };
  return [{ headers: new Map(Object.entries(headers)), body }];
}

function madeUp({ id, now }: TestOrder): object {
  // Whole seconds: rounded down, it would be paid before a connection that was made in the same second.
  const at = new Date(Math.ceil(now / 1000) * 1000).toISOString().slice(0, 19);
  const { total, net, vat, rate, currency, name } = testMoney;
  return {
    ...{ id: Number(id), number: testNumber(id), order_key: `wc_order_test${id}`, status: 'processing', currency, total, total_tax: vat },
    ...{ date_created_gmt: at, date_modified_gmt: at, date_paid_gmt: at },
    ...{ payment_method: 'stripe', transaction_id: `test_${id}`, prices_include_tax: true },
    line_items: [{ id: 1, name, quantity: 1, subtotal: net, subtotal_tax: vat, total: net, total_tax: vat, taxes: [{ id: 1, total: vat, subtotal: vat }] }],
    ...{ shipping_lines: [], fee_lines: [], refunds: [] },
    tax_lines: [{ id: 2, rate_id: 1, rate_percent: Number(rate) }],
  };
}
