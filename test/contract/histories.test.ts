import { expect, test } from 'vitest';
import { checkHistories, wrongEnd } from '../support/histories/check-histories.ts';
import { playHistory } from '../support/histories/play-history.ts';
import { SimulatedShopify } from '../support/histories/simulated-shopify.ts';
import { runs, SEED } from '../support/run-size.ts';

test('a random history of an order ends with the record of what was paid and kept, or with a person', async () => {
  const { wrong, share } = await checkHistories({ count: runs(120, 2_000), seed: SEED });

  expect(wrong).toBeNull();
  // Of a few histories one is more than a percent.
  for (const percent of Object.values(share)) expect(percent).toBeLessThanOrEqual(runs(4, 1));
}, 600_000);

test('a cent given back is not taken for the rounding of VAT that comes on top', async () => {
  for (let price = 1_000n; price < 1_200n; price += 1n) {
    const line = { price, quantity: 3, discount: 0n, rate: '20', added: true };
    const shape = { totalPrice: 'frozen', current: 'without-discrepancies', pending: 'not-counted', transactions: true } as const;
    const shop = new SimulatedShopify([line, { ...line, price: price + 7n }], { cents: 0n, rate: '20', added: true }, shape);
    shop.takeOff(0, 1);
    shop.takeOff(1, 1);
    shop.pay('shopify_payments');
    shop.goodwill(1n);
    const history = shop.end();
    const arrivals = [...history.told.keys()];

    expect(wrongEnd(history, await playHistory(history, { arrivals, attempts: new Set(arrivals) }))).toBeNull();
  }
});
