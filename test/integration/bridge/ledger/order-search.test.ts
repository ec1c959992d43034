import { expect, test } from 'vitest';
import { z } from 'zod';
import { fillSearch } from '../../../../src/bridge/ledger/orders/order-search.ts';
import { inTransaction, type Queryable } from '../../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { coat, store } from '../../../support/worlds/two-of-one-id.ts';

const world = useSharedWorlds();
const found = rowsOf('order_search', z.object({ number: z.string(), digits: z.string().nullable() }));

test('an order that is deleted leaves the search with it, and one that is being deleted is not written there', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { record } = await store(it.bridge);
  await record(coat({ number: '#A-7/1042b' }));
  const searched = () => readRows(pool, found, { text: 'select number, digits from order_search', values: [] });
  const fill = () => fillSearch(pool, new AbortController().signal);
  const remove = async (db: Queryable) => {
    await db.query('delete from deliveries');
    await db.query('delete from orders');
  };

  await inTransaction(pool, async (tx) => {
    await tx.query('savepoint before');
    await remove(tx);
    await fill();
    await tx.query('rollback to before');
  });
  expect(await searched()).toEqual([]);
  await fill();
  expect(await searched()).toEqual([{ number: 'A-7/1042B', digits: '1042' }]);
  await inTransaction(pool, remove);
  expect(await searched()).toEqual([]);
});
