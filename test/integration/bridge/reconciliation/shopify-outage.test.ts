import { expect, test } from 'vitest';
import { storePauses } from '../../../../src/bridge/ledger/sync/store-calls.ts';
import { longTest } from '../../../support/long-test.ts';
import { SCALE, ScaledReader } from '../../../support/reconciliation/scaled-reader.ts';
import { PLANS, ShopifyAdmin } from '../../../support/servers/shopify-admin/shopify-admin.ts';
import { useWorlds } from '../../../support/worlds/world.ts';

const newWorld = useWorlds();
const ORDERS = 500;
/** On the plan Standard: 100 points a second. 15 minutes give 90,000 of them. */
const MINUTES = 15;
const MOST_POINTS = MINUTES * 60 * PLANS.standard.restoreRate;
const line = { price: 1250n, quantity: 1, discount: 100n, rate: '20' };

/** A shop whose webhooks of so many paid orders of eight lines were lost. */
async function shopAfterOutage(count: number): Promise<ShopifyAdmin> {
  const bucket = { ...PLANS.standard, restoreRate: PLANS.standard.restoreRate * SCALE };
  const shop = await ShopifyAdmin.start({ bucket });
  for (let nth = 0; nth < count; nth += 1) shop.buy({ lines: Array.from({ length: 8 }, () => line) }).pay();
  return shop;
}

longTest(`${ORDERS} orders of 8 lines are recovered on the plan Standard within ${MINUTES} minutes, without a pause and once each`, async () => {
  await using shop = await shopAfterOutage(ORDERS);
  await using world = await newWorld({ role: 'receiver' });
  const connected = await world.bridge.connect({ platform: 'shopify', access: shop.access });
  const reader = new ScaledReader(world.bridge, connected);

  const began = performance.now();
  let left = await reader.readOnce();
  // A shop's minute is a second here, which a busy machine may need for one block: then the next reading goes on.
  for (let again = 0; left.readAt === null && again < 5; again += 1) left = await reader.readOnce();
  const minutes = ((performance.now() - began) * SCALE) / 60_000;

  expect(left.readAt).not.toBeNull();
  expect([reader.handed.size, Math.max(...reader.handed.values())]).toEqual([ORDERS, 1]);
  expect([...shop.orders.keys()].filter((id) => !reader.handed.has(id))).toEqual([]);
  expect(shop.spent).toBeLessThan(MOST_POINTS);
  // What a busy machine needs beside that is no time of the shop's.
  expect(minutes).toBeLessThan(4 * MINUTES);
  expect(reader.synced.at(-1)).toMatchObject({ end: { error: null } });
  expect(reader.pauses).toEqual([]);
});

test('a limit of time that ends a block in the middle of a request costs that block alone, and the shop is not called dead', async () => {
  await using shop = await shopAfterOutage(30);
  await using world = await newWorld({ role: 'receiver' });
  const connected = await world.bridge.connect({ platform: 'shopify', access: shop.access });
  const reader = new ScaledReader(world.bridge, connected, 6_000);
  const hanging = Promise.withResolvers<undefined>();
  let blocks = 0;
  shop.state.intercept = ({ body }) => {
    if (!String(body['query']).startsWith('query orders')) return undefined;
    blocks += 1;
    return blocks === 6 || blocks === 8 ? hanging.promise : undefined;
  };

  const first = await reader.readOnce();
  expect(reader.handed.size).toBe(10);
  expect(first.syncRuns.changes).toMatchObject({ block: 5, cuts: 1, pending: expect.any(Array) });
  expect([first.last, reader.synced]).toEqual([null, []]);

  const second = await reader.readOnce();
  expect(second.last?.error).toMatch(/the store answers, but what was read at once took longer than 6 s/);
  expect(reader.synced).toHaveLength(1);
  hanging.resolve(undefined);
  const last = await reader.readOnce();

  expect(last.readAt).not.toBeNull();
  expect([reader.handed.size, Math.max(...reader.handed.values())]).toEqual([30, 1]);
  expect(reader.pauses).toEqual([]);
  expect(await storePauses(world.bridge.pool)).toEqual([]);
});
