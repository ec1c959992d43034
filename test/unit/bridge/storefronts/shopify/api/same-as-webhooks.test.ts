import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knownSummaryOf } from '../../../../../../src/bridge/ledger/sync/known-summaries.ts';
import { desired } from '../../../../../../src/bridge/order/decisions/desired.ts';
import { type Facts, noFacts, type OrderNews } from '../../../../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../../../../src/bridge/order/facts/merge.ts';
import { fingerprint } from '../../../../../../src/bridge/order/facts/view.ts';
import { compareSummary } from '../../../../../../src/bridge/reconciliation/compare-summary.ts';
import { changedSince, ordersById } from '../../../../../../src/bridge/storefronts/shopify/api/read-orders.ts';
import { samples } from '../../../../../fixtures/shopify/battery.ts';
import { orderHistories } from '../../../../../fixtures/shopify/order-histories.ts';
import { shopifyHistories } from '../../../../../support/histories/histories.ts';
import { runs } from '../../../../../support/run-size.ts';
import { settings } from '../../../../../support/samples/order-facts.ts';
import { apiOf } from '../../../../../support/servers/shopify-admin/api-of.ts';
import { isJson, type Json } from '../../../../../support/servers/shopify-admin/json.ts';
import type { StoredOrder } from '../../../../../support/servers/shopify-admin/to-graphql.ts';
import { itemBody, moneySet, newsOf, orderBody, refundBody, refundShippingBody, shippingBody, taxBody, transactionBody } from '../bodies.ts';

type Told = { topic: string; body: unknown };

const access = { url: 'https://corner.myshopify.com', accessToken: 'shpat_x' };
const now = Date.parse('2026-12-01T00:00:00Z');
const merchant = {
  ...settings,
  recordFrom: '2026-01-01T00:00:00Z',
  payments: { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR' }, 'Cash on Delivery (COD)': { paymentType: 'POSTAL_PAYMENT' } },
} as const;

/** The order as the shop has it once it told all this; null: it told only parts of it, such as that a payment arrived, but not its order since. */
function storedAfter(told: readonly Told[]): StoredOrder | null {
  const bodyOf = ({ body }: Told): Json => (isJson(body) ? body : {});
  const body = told
    .filter(({ topic }) => topic.startsWith('orders/'))
    .map(bodyOf)
    .at(-1);
  const transactions = told.filter(({ topic }) => topic === 'order_transactions/create').map(bodyOf);
  const listed = refundsIn(body).flatMap(({ transactions: own }) => (Array.isArray(own) ? own.filter(isJson) : []));
  const isStale = transactions.some(({ id, status }) => listed.some((one) => one['id'] === id && one['status'] !== status));
  return body === undefined || isStale ? null : { body, transactions: [...new Map(transactions.map((one) => [String(one['id']), one])).values()] };
}

function refundsIn(body: Json | undefined): Json[] {
  const refunds = body?.['refunds'];
  return Array.isArray(refunds) ? refunds.filter(isJson) : [];
}

function factsAfter(told: readonly Told[]): Facts {
  const arrivedAt = (nth: number) => new Date(Date.parse('2026-11-03T00:00:00Z') + nth * 1000).toISOString();
  return told.map(({ topic, body }, nth) => factsOf(newsOf(topic, body), arrivedAt(nth))).reduce(merge, noFacts);
}

async function read(stored: StoredOrder): Promise<{ news: OrderNews; facts: Facts }> {
  const means = { fetchJson: apiOf([stored]), now };
  const { news } = await ordersById(access, [{ orderId: String(stored.body['id']), placedAt: null }], means);
  const [only] = news;
  if (only === undefined) throw new Error('the order is not read');
  return { news: only, facts: factsOf(only, new Date(now).toISOString()) };
}

async function expectSame(told: readonly Told[]): Promise<void> {
  const stored = storedAfter(told);
  if (stored === null) return;
  const byWebhooks = factsAfter(told);
  const { news, facts: byApi } = await read(stored);
  const wanted = (facts: Facts) => desired({ orderId: '1', facts, settings: merchant });

  expect(wanted(byApi)).toEqual(wanted(byWebhooks));
  // Whatever came first, the other is no news.
  expect(fingerprint(merge(byWebhooks, byApi))).toBe(fingerprint(byWebhooks));
  await expectKnown(stored, byWebhooks);
  expect(news.snapshot?.updatedAt).toBe(byWebhooks.snapshot?.updatedAt);
  expect(news.snapshot?.deliveredAt).toBe(byWebhooks.snapshot?.deliveredAt);
}

/** The order as the shop lists it is known once its webhooks are. */
async function expectKnown(stored: StoredOrder, facts: Facts): Promise<void> {
  const { snapshot } = facts;
  const { summaries } = await changedSince(access, { since: '2026-01-01T00:00:00Z', after: null, size: 250 }, { fetchJson: apiOf([stored]), now });
  const [summary] = summaries;
  if (summary === undefined || snapshot === null) throw new Error('the order is not listed');
  expect(summary).toMatchObject({ updatedAt: snapshot.updatedAt, status: snapshot.status, lifecycle: snapshot.lifecycle, payment: snapshot.payment });
  expect(summary).toMatchObject({ number: snapshot.number, currency: snapshot.currency, soldAt: snapshot.placedAt, test: snapshot.test });
  const known = knownSummaryOf(facts);
  expect(compareSummary(summary, [{ ...known, readAt: new Date(now).toISOString() }])).toBe('known');
  // The list may count a refund that is under way: then it is read whole, once.
  const isUnderWay = snapshot.refunds?.some(({ amount }) => Number(amount) === 0) === true;
  if (!isUnderWay) expect(compareSummary(summary, [known])).toBe('known');
}

test.each(samples.orders.map(({ name, topic, body }) => [name, { topic, body }] as const))('%s', async (_name, told) => {
  await expectSame([told]);
});

test.each(['fulfilled', 'partial'])('an order of which the parcels went: %s', async (fulfillment_status) => {
  const parcel = { created_at: '2026-11-25T12:00:00+02:00', status: 'success' };
  const body = samples.orders.map((one) => one.body).find(isJson);
  await expectSame([{ topic: 'orders/updated', body: { ...body, fulfillment_status, fulfillments: [parcel] } }]);
});

describe.each(['frozen', 'following'] as const)('total_price %s', (reading) => {
  test.each(orderHistories(reading).map(({ name, told }) => [name, told] as const))('%s', async (_name, told) => {
    for (let length = 1; length <= told.length; length += 1) await expectSame(told.slice(0, length));
  });
});

test('orders of simulated shops, at every moment of their history', async () => {
  await fc.assert(
    fc.asyncProperty(shopifyHistories, async ({ told }) => {
      for (const missing of [0, 1, 3]) await expectSame(told.slice(0, told.length - missing));
    }),
    { numRuns: runs(10, 40) },
  );
});

const duty = { id: 31, shop_money: { amount: '3.00', currency_code: 'EUR' }, tax_lines: [taxBody('0.50', 0.2)] };
const person = { first_name: 'Мария', last_name: 'Петрова', phone: '+359888000000' };
const current = (amount: string) => ({ current_total_price: amount, current_total_price_set: moneySet(amount), total_price: amount });
const backOf = (line: object) => ({ ...refundBody({ refund_line_items: [line], transactions: [transactionBody({ amount: '3.00' })] }) });

test.each([
  ['duties', { line_items: [itemBody({ duties: [duty] })], ...current('28.80'), original_total_duties_set: moneySet('3.00') }],
  [
    'a duty given back',
    {
      line_items: [itemBody({ duties: [duty] })],
      ...current('25.80'),
      refunds: [
        refundBody({ refund_line_items: [], duties: [{ duty_id: 31, amount_set: moneySet('3.00') }], transactions: [transactionBody({ amount: '3.00' })] }),
      ],
    },
  ],
  ['fees and a tip', { ...current('30.80'), original_total_additional_fees_set: moneySet('3.00'), total_tip_received: '2.00' }],
  ['rounded cash', { total_cash_rounding_payment_adjustment_set: moneySet('0.02') }],
  ['another seller', { merchant_of_record_app_id: 77 }],
  ['a buyer', { email: 'maria@example.invalid', phone: null, billing_address: person, shipping_address: person }],
  ['shipping without an id', { ...current('29.70'), shipping_lines: [shippingBody({ id: null })] }],
  [
    'shipping without an id, given back',
    {
      ...current('25.80'),
      shipping_lines: [shippingBody({ id: null })],
      refunds: [refundBody({ refund_line_items: [], refund_shipping_lines: [{ ...refundShippingBody('3.90'), shipping_line_id: null }] })],
    },
  ],
  [
    'shipping with a discount, and some that was taken off',
    {
      ...current('28.70'),
      shipping_lines: [
        shippingBody({ discount_allocations: [{ amount: '2.00' }], tax_lines: [taxBody('0.48', 0.2)] }),
        shippingBody({ id: 8, is_removed: true }),
      ],
    },
  ],
  [
    'shipping given back',
    {
      ...current('25.80'),
      shipping_lines: [shippingBody()],
      refunds: [
        refundBody({ refund_line_items: [], refund_shipping_lines: [refundShippingBody('4.90')], transactions: [transactionBody({ amount: '4.90' })] }),
      ],
    },
  ],
  ['a gift card as a part of the money', { payment_gateway_names: ['gift_card', 'shopify_payments'] }],
  ['no tax that the order says', { total_tax: '4.30', current_total_tax: '4.30' }],
  ['a refund of lines that the order does not list', { refunds: [backOf({ line_item_id: 5, quantity: 1, subtotal: 3, total_tax: 0 })] }],
  [
    'refunded shipping that the order does not list',
    { refunds: [refundBody({ refund_line_items: [], refund_shipping_lines: [refundShippingBody('3.00', null)] })] },
  ],
])('an order with %s', async (_name, fields) => {
  await expectSame([{ topic: 'orders/updated', body: orderBody({ current_total_price: '25.80', ...fields }) }]);
});

test('names of gateways that are for people are not taken for those of webhooks', async () => {
  const body = orderBody({ current_total_price: '25.80', payment_gateway_names: ['Shopify Payments'] });
  const gatewaysOf = async (...payments: Json[]) => (await read({ body, transactions: payments })).news.snapshot?.gateways;
  const sale = transactionBody({ id: 1, kind: 'sale' });

  expect(await gatewaysOf()).toEqual(['Shopify Payments']);
  expect(await gatewaysOf(transactionBody({ id: 2, kind: 'sale', status: 'failure', gateway: 'paypal' }))).toEqual(['Shopify Payments']);
  expect(await gatewaysOf(sale, transactionBody({ id: 3, kind: 'refund', gateway: 'manual' }))).toEqual(['shopify_payments']);
  expect(await gatewaysOf(sale, transactionBody({ id: 4, kind: 'capture', gateway: null }))).toEqual(['shopify_payments']);
});
