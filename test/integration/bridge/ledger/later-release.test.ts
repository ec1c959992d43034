import { expect, test } from 'vitest';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { listWaiting } from '../../../../src/operations/orders/list-review.ts';
import { showOrder } from '../../../../src/operations/orders/show-order.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { recorded } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const later = 'vat.of-tomorrow';

test('an order that a later release sent to review is listed with its code, shown, and claimed', async () => {
  await using it = await world();
  await recorded(it, await it.bridge.connect(), '1');
  const { pool } = it.bridge;
  await pool.query(`update orders set state = 'review', review_code = $1, review_detail = 'why'`, [later]);

  const { orders, unreadable } = await listWaiting({ pool });

  expect(unreadable).toEqual([]);
  expect(orders).toMatchObject([{ orderId: '1', review: { code: later, detail: 'why' }, todo: expect.stringContaining('later release') }]);
  const id = orders[0]?.id ?? 0;
  expect(await showOrder(it.bridge.app.core, { named: `id:${id}` })).toMatchObject({ means: expect.stringContaining('later release') });
  expect(await createClaimStore(pool, { leaseMs: 60_000 }).claim(id)).toMatchObject({ id, review: { code: later } });
});

test('a problem of a later release keeps its order from being recorded', async () => {
  await using it = await world();
  await recorded(it, await it.bridge.connect(), '1');
  const { pool } = it.bridge;
  await pool.query(
    `update order_facts set facts = jsonb_set(facts, '{snapshot,problems}', jsonb_build_array(jsonb_build_object('code', $1::text, 'detail', 'why')))`,
    [later],
  );

  const shown = await showOrder(it.bridge.app.core, { named: '1' });

  expect(shown.desired).toEqual({ kind: 'problems', problems: [{ code: later, detail: 'why' }] });
});

test('a pause of a later release is kept to', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  const { destinations } = it.bridge.app.core;
  await it.bridge.pool.query(
    `insert into pauses (destination_id, shop_id, call_type, code, detail, failures, until) values ($1, null, 'records', $2, 'why', 1, now() + interval '1 hour')`,
    [connection.destinationId, 'compliance.of-tomorrow'],
  );

  expect(await destinations.pauses()).toMatchObject([{ code: 'compliance.of-tomorrow', detail: 'why' }]);
});
