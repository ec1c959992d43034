import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { drawn } from '../../../support/run-size.ts';
import { SHOP } from '../../../support/samples/signed-webhooks.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { connectShop, sendToShop } from '../../../support/worlds/shopify-shop.ts';

const world = useSharedWorlds();
const counts = rowsOf('tombstones', z.object({ tombstones: z.int(), parts: z.int() }));

// One job for 450,000 orders kept every other connection waiting for 24 s.
test.each(
  drawn([
    ['Redis', true],
    ['PostgreSQL', false],
  ] as const),
)('an erasure request that names thousands of orders is carried out in parts, with others in between (queue on %s)', async (_queue, onRedis) => {
  await using it = await world({ onRedis });
  const { bridge } = it;
  const connected = await connectShop(bridge);
  const orders = Array.from({ length: 2_500 }, (_, n) => 10_000_000 + n);

  const sent = await sendToShop(bridge, connected, ['customers/redact', { shop_domain: SHOP, customer: { id: 1 }, orders_to_redact: orders }]);

  expect(sent.status).toBe(200);
  const text = `select (select count(*) from tombstones) as tombstones, (select count(*) from deliveries where outcome = 'privacy') as parts`;
  const done = () => readOne(bridge.pool, counts, { text });
  await until(async () => (await done()).tombstones === 2_500, { what: 'every order to be erased' });
  await until(async () => (await done()).parts === 3, { what: 'three parts' });
});
