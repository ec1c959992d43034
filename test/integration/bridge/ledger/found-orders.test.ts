import { expect, test } from 'vitest';
import { findOrders, type OrdersWanted } from '../../../../src/bridge/ledger/orders/find-orders.ts';
import { sumsFound } from '../../../../src/operations/orders/find-orders.ts';
import type { Connected } from '../../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../../support/worlds/cleared-world.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useClearedWorlds();

const ALL = { connections: null, state: null, code: null, sold: null, total: null, ids: null } as const;
const CODE = 'payment.unmapped';
const SOLD = '2026-11-20T10:00:00.000Z';

type Row = { state: string; total: string; code?: string };

/** Orders of a store that no process works on. */
async function insert({ bridge }: World, { connection }: Connected, rows: readonly Row[]): Promise<void> {
  for (const [place, { state, total, code = null }] of rows.entries())
    await bridge.pool.query(
      `insert into orders (shop_id, platform, store, order_id, connection_id, sold_at, total, currency, state, review_code)
        values ($1, 'standard', 's', $2, $3, $4, $5, 'EUR', $6, $7)`,
      [connection.shopId, `${place + 1}`, connection.id, SOLD, total, state, code],
    );
}

test('the sum of all orders has each of them once, and so has their number', async () => {
  await using it = await world({ role: 'console' });
  const connected = await it.bridge.connect();
  await insert(it, connected, [
    { state: 'recorded', total: '10.10' },
    { state: 'recorded', total: '20.20' },
    { state: 'waiting', total: '5.05' },
    { state: 'review', total: '1.01', code: CODE },
  ]);
  const { connection } = connected;

  for (const wanted of [ALL, { ...ALL, connections: [connection.id] }, { ...ALL, sold: { from: '2026-11-01T00:00:00.000Z', until: null } }]) {
    const { orders, total, counts } = await sumsFound(it.bridge, wanted);
    expect([orders, total, ...(['recorded', 'waiting', 'review', 'queued'] as const).map((state) => counts.get(state))]).toEqual([4, '36.36 EUR', 2, 1, 1, 0]);
  }
});

test('of a reason those in review are listed and summed, with days and without: what was asked before a step that is in doubt is asked no more', async () => {
  await using it = await world({ role: 'console' });
  const connected = await it.bridge.connect();
  await insert(it, connected, [
    { state: 'review', total: '10.10', code: CODE },
    { state: 'review', total: '30.30', code: CODE },
    { state: 'review', total: '50.50', code: 'vat.unmapped' },
    { state: 'queued', total: '20.20', code: CODE },
    { state: 'unconfirmed', total: '5.05', code: CODE },
    { state: 'recorded', total: '1.01', code: CODE },
  ]);
  const days = { from: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };

  for (const sold of [null, days]) {
    const wanted = { ...ALL, code: CODE, sold };
    const sums = await sumsFound(it.bridge, wanted);
    expect([sums.orders, sums.total, sums.counts.get('unconfirmed')]).toEqual([2, '40.40 EUR', 0]);
    expect((await sumsFound(it.bridge, { ...wanted, state: 'unconfirmed' })).orders).toBe(0);
    expect(await findOrders(it.bridge.pool, wanted, { after: null, limit: 2 })).toHaveLength(2);
    expect(await findOrders(it.bridge.pool, wanted, { after: null, limit: 4 })).toHaveLength(2);
  }
  const found = async (wanted: OrdersWanted) => (await findOrders(it.bridge.pool, wanted, { after: null, limit: 5 })).map(({ id }) => id);
  expect(await found({ ...ALL, code: CODE, sold: days })).toEqual(await found({ ...ALL, code: CODE }));
  expect((await found({ ...ALL, state: 'asked' })).length).toBe(4);
  expect(await found({ ...ALL, state: 'asked', sold: days })).toEqual(await found({ ...ALL, state: 'asked', connections: [connected.connection.id] }));
});
