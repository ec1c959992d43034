import { expect, test } from 'vitest';
import { z } from 'zod';
import { dropOldBulkActions, insertBulkAction, readBulkAction, whatBecame } from '../../../../src/bridge/ledger/review/bulk-action-store.ts';
import { issueCounts } from '../../../../src/bridge/ledger/review/review-groups.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sendManyToReview } from '../../../support/console/review-world.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { later, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const idRows = rowsOf('orders', z.object({ id: z.int() }));

async function ids({ bridge }: World): Promise<number[]> {
  return (await readRows(bridge.pool, idRows, { text: 'select id from orders order by id' })).map(({ id }) => id);
}

test('orders are counted as long as a person is asked about them, by what they are asked', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendManyToReview(it, connected, { count: 2 });
  await sendManyToReview(it, connected, { count: 1, first: 10, createdAt: '2026-10-31T22:30:00Z', payment: { method: 'cod' } });

  const counts = await issueCounts(it.bridge.pool, null);

  expect(counts.toSorted((a, b) => b.orders - a.orders)).toMatchObject([
    {
      code: 'payment.unmapped',
      pattern: 'The payment method “borica_pos” has no type.',
      month: '2026-11',
      currency: 'EUR',
      orders: 2,
      unrecorded: 2,
      total: '96.00',
    },
    { pattern: 'The payment method “cod” has no type.', month: '2026-11', orders: 1 },
  ]);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { updatedAt: later(1) }) });
  await it.bridge.settled(connected, '1', 'recorded');
  expect((await issueCounts(it.bridge.pool, null)).map(({ orders }) => orders)).toEqual([1, 1]);
  expect(await issueCounts(it.bridge.pool, [])).toEqual([]);
});

test('a time or an amount that is none stops nothing', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendManyToReview(it, connected, { count: 1 });

  await it.bridge.pool.query(`update order_facts set facts = jsonb_set(facts, '{snapshot,createdAt}', '"2026-02-31"')`);
  await it.bridge.pool.query(`update orders set total = null`);

  expect(await issueCounts(it.bridge.pool, null)).toMatchObject([{ month: null, oldest: null, total: null, orders: 1 }]);
});

test('refusals that differ by a number alone are one issue', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendManyToReview(it, connected, { count: 2 });

  await it.bridge.pool.query(`update orders set review_code = 'compliance.refused', review_detail = 'order ' || (1040 + id) || ' is too late'`);

  expect(await issueCounts(it.bridge.pool, null)).toMatchObject([{ code: 'compliance.refused', pattern: 'order … is too late', orders: 2 }]);
});

test('orders of a bulk action that nobody released yet are left; a bulk action is dropped after its days', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendManyToReview(it, connected, { count: 2 });
  const { pool } = it.bridge;

  const bulkAction = await insertBulkAction(pool, { who: 'person:1', act: 'order.released', about: { of: 'elsewhere' }, orders: await ids(it) });

  expect(await whatBecame(pool, bulkAction)).toMatchObject([{ is: 'left', state: 'review', count: 2 }]);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { updatedAt: later(1) }) });
  await it.bridge.settled(connected, '1', 'recorded');
  expect(await whatBecame(pool, bulkAction)).toMatchObject([
    { is: 'done', state: 'recorded', count: 1 },
    { is: 'left', state: 'review', count: 1 },
  ]);
  expect(await readBulkAction(pool, bulkAction)).toMatchObject({ who: 'person:1', about: { of: 'elsewhere' } });
  const now = new Date(Date.now() + 90 * 86_400_000);
  expect(await dropOldBulkActions(pool, { days: 90, now: new Date(now.getTime() - 60_000) })).toBe(0);
  expect(await dropOldBulkActions(pool, { days: 90, now: new Date(now.getTime() + 60_000) })).toBe(1);
  expect(await readBulkAction(pool, bulkAction)).toBeNull();
});
