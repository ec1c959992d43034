import { keyOf } from '../../../contract/standard-webhook.ts';
import type { Delivery, TestOrder } from '../contract.ts';
import { hmac } from '../hmac.ts';
import { testMoney, testNumber } from '../test-order-money.ts';

/** One message, signed as Standard Webhooks says. */
export function testDeliveries(given: TestOrder): readonly Delivery[] {
  const { id, now, secret, order = { type: 'order.paid', timestamp: new Date(now).toISOString(), data: { order: madeUp(given) } } } = given;
  const body = Buffer.from(JSON.stringify(order));
  const timestamp = String(Math.floor(now / 1000));
  const name = `msg_test_${id}`;
  const signature = hmac(keyOf(secret) ?? Buffer.alloc(0), [`${name}.${timestamp}.`, body]).toString('base64');
  const headers = { 'content-type': 'application/json', 'webhook-id': name, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  return [{ headers: new Map(Object.entries(headers)), body }];
}

function madeUp({ id, now }: TestOrder): object {
  const at = new Date(now).toISOString();
  const { total, rate: vatRate, currency, name } = testMoney;
  return {
    ...{ id, number: testNumber(id), status: 'paid', createdAt: at, updatedAt: at, paidAt: at, currency, total },
    lines: [{ id: '1', name, quantity: 1, amount: total, vatRate }],
    payment: { method: 'stripe', transactionId: `test_${id}` },
    refunds: [],
  };
}
