import { desired } from '../../../../../src/bridge/order/decisions/desired.ts';
import { noFacts } from '../../../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../../../src/bridge/order/facts/merge.ts';
import type { Told } from '../../../../fixtures/shopify/order-histories.ts';
import { settings } from '../../../../support/samples/order-facts.ts';
import { newsOf } from './bodies.ts';

const merchant = {
  ...settings,
  recordFrom: '2026-01-01T00:00:00Z',
  payments: { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR' }, 'Cash on Delivery (COD)': { paymentType: 'POSTAL_PAYMENT' } },
};

/** The lines of the record after these deliveries ("1 × 60.00 − 5.00 Coat, 20 %"), or what is instead of a record. */
export function recordOf(told: readonly Told[], changed: { recordFrom?: string } = {}): string[] {
  const arrived = told.map(({ topic, body }, nth) => factsOf(newsOf(topic, body), `2026-11-03T00:00:${String(nth).padStart(2, '0')}.000Z`));
  const wanted = desired({ orderId: '1', facts: arrived.reduce(merge, noFacts), settings: { ...merchant, ...changed } });
  if (wanted.kind === 'nothing') return [wanted.why];
  if (wanted.kind === 'problems') return wanted.problems.map(({ code, detail }) => `${code}: ${detail}`);
  return wanted.record.lineItems.map(({ quantity, price, discount, name, vatRate }) => `${quantity} × ${price} − ${discount} ${name}, ${vatRate} %`);
}
