import { expect, test } from 'vitest';
import { openQueues } from '../../../../src/app/queues.ts';
import { readPageDeps } from '../../../../src/app/store-reader.ts';
import { noteUnread, unreadOrders } from '../../../../src/bridge/ledger/sync/unread-orders.ts';
import { handOverOutdated, outdatedOf, type ReadableStore, readPage } from '../../../../src/bridge/reconciliation/read-page.ts';
import { listConnections } from '../../../../src/operations/connections/list-connections.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { ListedShop } from '../../../support/worlds/listed-shop.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { later } from '../../../support/worlds/world.ts';

const newWorld = useSharedWorlds();
const query = { since: '2026-10-01T00:00:00.000Z', after: null, size: 100 };

/** A store with two orders, of which those can't be read whole that `hides` names. */
async function stage() {
  const world = await newWorld();
  const { bridge } = world;
  const { core } = bridge.app;
  const connected = await bridge.connect();
  const shop = new ListedShop();
  const hides = new Set(['1', '2']);
  for (const id of ['1', '2']) shop.save(orderOf(id));
  const queues = openQueues(core);
  const read = async () => {
    const opened = shop.opened(connected.connection);
    const store: ReadableStore = {
      ...opened,
      ordersById: async (sought) => ({
        ...(await opened.ordersById(sought.filter(({ orderId }) => !hides.has(orderId)))),
        unknown: sought.flatMap(({ orderId }) => (hides.has(orderId) ? [orderId] : [])),
      }),
    };
    const deps = readPageDeps({ core, queues });
    await handOverOutdated(deps, store, outdatedOf(await readPage(deps, store, query)));
  };
  const unread = async () => (await unreadOrders(bridge.pool)).map(({ count, numbers }) => ({ count, numbers }));
  return {
    ...{ bridge, connected, shop, hides, read, unread },
    async [Symbol.asyncDispose]() {
      await queues[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

test('orders that can’t be read whole are kept, and said in connections, until they are read', async () => {
  await using at = await stage();
  await at.read();
  const [{ since } = { since: '' }] = await unreadOrders(at.bridge.pool);
  await at.read();

  expect(await at.unread()).toEqual([{ count: 2, numbers: ['#1', '#2'] }]);
  const [shown] = await listConnections(at.bridge.app.core, 'https://bridge.example');
  expect(shown).toMatchObject({ unread: { count: 2, since }, warnings: [expect.stringMatching(/^2 orders of its store could not be read whole.*\(#1, #2\)/)] });

  at.hides.delete('1');
  await at.read();
  expect(await at.unread()).toEqual([{ count: 1, numbers: ['#2'] }]);
  at.hides.delete('2');
  await at.read();
  expect(await at.unread()).toEqual([]);
});

test('a webhook that tells of such an order as it was listed ends it, an older one does not', async () => {
  await using at = await stage();
  at.hides.delete('2');
  at.shop.save(orderOf('1', { updatedAt: later(5) }));
  await at.bridge.send(at.connected, 'order.updated', { order: orderOf('1') });
  await at.bridge.settled(at.connected, '1', 'recorded');
  await at.read();
  expect(await at.unread()).toEqual([{ count: 1, numbers: ['#1'] }]);

  await at.bridge.send(at.connected, 'order.updated', { order: orderOf('1', { updatedAt: later(5) }) });
  await until(async () => (await at.unread()).length === 0, { what: 'it to be known as it was listed' });
});

test('one that was read whole since ends, although it did not change', async () => {
  await using at = await stage();
  const { pool } = at.bridge;
  await at.bridge.send(at.connected, 'order.updated', { order: orderOf('1') });
  const { id } = await at.bridge.settled(at.connected, '1', 'recorded');
  const failed = { unread: [{ orderId: '1', number: '#1', updatedAt: '2026-11-01T11:00:00.000Z' }], read: [] };
  await noteUnread(pool, at.connected.connection.id, failed);
  expect(await at.unread()).toEqual([{ count: 1, numbers: ['#1'] }]);
  // What is looked up has no number yet.
  await noteUnread(pool, at.connected.connection.id, { unread: failed.unread.map((one) => ({ ...one, number: one.orderId })), read: [] });
  expect(await at.unread()).toEqual([{ count: 1, numbers: ['#1'] }]);

  const readAt = (time: string) =>
    pool.query(`update order_facts set facts = jsonb_set(facts, '{snapshot,readAt}', to_jsonb($2::text)) where order_ref = $1`, [id, time]);
  await readAt('2026-11-01T10:59:59.000Z');
  expect(await at.unread()).toHaveLength(1);
  await readAt('2026-11-01T11:00:01.000Z');
  expect(await at.unread()).toEqual([]);
});

test('those of a disconnected store are nobody’s', async () => {
  await using at = await stage();
  await at.read();
  await at.bridge.app.core.connections.close(at.connected.connection.id);

  expect(await at.unread()).toEqual([]);
  const [shown] = await listConnections(at.bridge.app.core, 'https://bridge.example');
  expect(shown).toMatchObject({ unread: null, warnings: [] });
});
