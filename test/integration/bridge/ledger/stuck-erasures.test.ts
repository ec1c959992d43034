import { expect, test } from 'vitest';
import { z } from 'zod';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { finishErasures } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { type LedgerStore, paidOrder } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';

const it = useLedger({ max: 4 });
const ALL = { olderThanMs: -1_000, size: 100 };
const FAR = '2027-01-01T00:00:00.000Z';

const countRows = rowsOf('customers', z.object({ erased: z.int() }));
const erased = async ({ connectionId }: LedgerStore) =>
  readOne(it.pool, countRows, {
    text: 'select count(c.erased_at) as erased from orders o left join customers c on c.order_ref = o.id where o.connection_id = $1',
    values: [connectionId],
  });

/** As if it were made while the order was being merged: nothing is erased by it yet. */
const tombstone = ({ connectionId }: LedgerStore, store: string, orderId: string) =>
  it.pool.query(`insert into tombstones (shop_id, platform, store, platform_id, until) select shop_id, platform, $2, $3, $4 from connections where id = $1`, [
    connectionId,
    ...[store, orderId, FAR],
  ]);

test('erasures that fail keep those behind them from nothing, and are finished when they can be', async () => {
  const { connectionId } = it.store;
  const order = paidOrder(it.store, '700');
  await recordOrders(it.pool, [order]);
  for (const n of [1, 2]) await tombstone(it.store, `stuck ${n}`, '1');
  await tombstone(it.store, order.key.store, '700');
  await it.pool.query(`insert into orders (shop_id, platform, store, order_id, connection_id, revision, state)
      select shop_id, platform, store, platform_id, '${connectionId}', 1, 'queued' from tombstones where store like 'stuck%';
    create function stick() returns trigger language plpgsql as $$ begin
      if exists (select from orders where id = new.order_ref and store like 'stuck%') then raise exception 'stuck'; end if; return new; end $$;
    create trigger stick before insert on customers for each row execute function stick()`);

  await expect(finishErasures(it.pool, { ...ALL, size: 1 })).rejects.toThrow('stuck');
  expect(await erased(it.store)).toEqual({ erased: 1 });

  await it.pool.query('drop function stick() cascade');
  expect(await finishErasures(it.pool, { ...ALL, size: 1 })).toBe(2);
  expect(await erased(it.store)).toEqual({ erased: 3 });
  expect(await finishErasures(it.pool, ALL)).toBe(0);
});
