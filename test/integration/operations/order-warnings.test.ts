import { expect, test } from 'vitest';
import { healthDeps } from '../../../src/app/health-reader.ts';
import { openQueues } from '../../../src/app/queues.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { waitingCheck } from '../../../src/operations/health/checks/webhooks.ts';
import { startRound } from '../../../src/operations/health/round.ts';
import { addressOf, postWoo } from '../../support/samples/signed-webhooks.ts';
import { wooOrder } from '../../support/samples/woo-order.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { recorded, useWorlds, type World } from '../../support/worlds/world.ts';

const world = useWorlds();

/** WooCommerce's way to write a moment, so many days ago. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 19);
}

async function warnings({ bridge }: World): Promise<string[][]> {
  return (await listConnections(bridge.app.core, 'https://bridge.example')).map((listed) => listed.warnings);
}

/** What doctor says of the orders of stores. */
async function remarks({ bridge: { app } }: World): Promise<unknown> {
  await using queues = openQueues(app.core);
  return waitingCheck.remarks?.(startRound(healthDeps(app.core, { ...queues, every: [] })));
}

test('B10: orders that wait for weeks in a status that is not the platform’s own are named, once a connection', async () => {
  await using it = await world();
  const { bridge } = it;
  const connected = await bridge.connect({ platform: 'woocommerce' });
  const wait = async (id: number, status: string, days: number) => {
    const body = wooOrder({ id, status, date_created_gmt: daysAgo(days), date_modified_gmt: daysAgo(days), date_paid_gmt: null, payment_method: 'econt' });
    await postWoo(addressOf(bridge.app.url, connected), { topic: 'order.updated', body, secret: connected.secret });
    await bridge.settled(connected, `${id}`, 'waiting');
  };

  await wait(1, 'delivered', 15);
  await wait(2, 'on-hold', 15);
  await wait(3, 'lost', 13);
  const one = '1 order has been waiting in the status “delivered” for more than 14 days; if they are paid then, add it to paidStatuses';
  expect(await warnings(it)).toEqual([[one]]);
  expect(await remarks(it)).toEqual([{ what: 'orders', isNote: true, words: `${connected.connection.id}: ${one}` }]);

  await wait(4, 'packed', 20);
  await wait(5, 'delivered', 20);
  expect(await warnings(it)).toEqual([
    ['3 orders have been waiting in the statuses “delivered”, “packed” for more than 14 days; if they are paid then, add them to paidStatuses'],
  ]);

  await bridge.app.core.connections.close(connected.connection.id);
  expect(await warnings(it)).toEqual([[]]);
  expect(await remarks(it)).toEqual([{ what: 'orders', words: expect.stringContaining('no connection has orders') }]);
});

test('B11: a connection whose newest records are nearly all at 0 % is told what that may mean', async () => {
  await using it = await world();
  const { bridge } = it;
  const connected = await bridge.connect();
  const lines = [{ id: 'a', name: 'Тениска', quantity: 1, amount: '48.00', vatRate: '0' }];
  const ids = Array.from({ length: 9 }, (_, index) => `${index + 1}`);

  for (const id of ids) await bridge.send(connected, 'order.paid', { order: orderOf(id, { lines }) });
  for (const id of ids) await bridge.settled(connected, id, 'recorded');
  expect(await warnings(it)).toEqual([[]]);

  await recorded(it, connected, '10');
  const words = '9 of the last 10 recorded orders are at 0 % VAT; if the store calculates no taxes although its prices contain VAT, set pricesContainVat';
  expect(await warnings(it)).toEqual([[words]]);

  await recorded(it, connected, '11');
  expect(await warnings(it)).toEqual([[]]);
});
