import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wrongEnd } from '../../../../support/histories/check-histories.ts';
import { refundedToTheEnd } from '../../../../support/histories/histories.ts';
import { totalOf } from '../../../../support/histories/money-by-rate.ts';
import { playHistory } from '../../../../support/histories/play-history.ts';
import { SimulatedShopify } from '../../../../support/histories/simulated-shopify.ts';
import type { Told } from '../../../../support/histories/told-history.ts';
import { runs } from '../../../../support/run-size.ts';
import { isJson, type Json } from '../../../../support/servers/shopify-admin/json.ts';

const shape = { totalPrice: 'following', current: 'with-discrepancies', pending: 'counted', transactions: true } as const;

function jsonIn(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : [];
}

function centsOf(transactions: readonly Json[]): bigint {
  return transactions.reduce((sum, { amount }) => sum + BigInt(String(amount).replace('.', '')), 0n);
}

/** What the webhooks themselves say was paid and given back; cents. */
function moneyIn(told: readonly Told[]): { paid: bigint; back: bigint } {
  const sales = told.flatMap(({ topic, body }) => (topic === 'order_transactions/create' && isJson(body) && body['kind'] === 'sale' ? [body] : []));
  const order = told.findLast(({ topic }) => topic.startsWith('orders/'))?.body;
  const refunds = isJson(order) ? jsonIn(order['refunds']) : [];
  return { paid: centsOf(sales), back: centsOf(refunds.flatMap(({ transactions }) => jsonIn(transactions))) };
}

test('an order of which more was given back than was paid is removed, and nobody is asked', async () => {
  const shop = new SimulatedShopify([{ price: 8_711n, quantity: 2, discount: 0n, rate: '20' }], { cents: 490n, rate: '20' }, shape);
  shop.pay('shopify_payments');
  shop.goodwill(100n);
  shop.refundPieces(0, 1);
  shop.refundShipping(490n);
  shop.refundPieces(0, 1, { over: true });
  const history = shop.end();
  const arrivals = [...history.told.keys()];

  const { stands, asked } = await playHistory(history, { arrivals, attempts: new Set(arrivals) });

  expect(moneyIn(history.told)).toEqual({ paid: 17_912n, back: 18_012n });
  expect({ stands: totalOf(stands), asked }).toEqual({ stands: 0n, asked: null });
  expect(wrongEnd(history, { stands, asked })).toBeNull();
});

test('while money is left of an order, just that is recorded or a person is asked; once none is left, it is removed', async () => {
  const property = fc.asyncProperty(refundedToTheEnd, async (history) => {
    const { told } = history;
    const { paid } = moneyIn(told);
    const whole = told.flatMap(({ topic, body }, nth) => (topic === 'orders/updated' && isJson(body) ? [told.slice(0, nth + 1)] : []));
    for (const part of whole) {
      const arrivals = [...part.keys()];
      const { stands, asked } = await playHistory({ ...history, told: part }, { arrivals, attempts: new Set(arrivals) });
      const left = paid - moneyIn(part).back;
      if (left <= 0n) expect({ stands: totalOf(stands), asked }).toEqual({ stands: 0n, asked: null });
      else if (asked === null) expect(totalOf(stands)).toBe(left);
      else expect(totalOf(stands)).toBeGreaterThan(0n);
    }
  });
  await fc.assert(property, { numRuns: runs(8, 60) });
});

test('however its webhooks arrive, an order that was refunded to the end is as the shop has it', async () => {
  const arriving = fc.record({ history: refundedToTheEnd, places: fc.array(fc.nat(9_999), { minLength: 99, maxLength: 99 }) });
  const property = fc.asyncProperty(arriving, async ({ history, places }) => {
    const arrivals = [...history.told.keys()].toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
    expect(wrongEnd(history, await playHistory(history, { arrivals, attempts: new Set(places.map((place) => place % arrivals.length)) }))).toBeNull();
  });
  await fc.assert(property, { numRuns: runs(20, 200) });
});
