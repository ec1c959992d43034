import { expect, test } from 'vitest';
import { fillSearch } from '../../../src/bridge/ledger/orders/order-search.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** Orders of a store, which are in the search. */
async function known(it: World, name: string, orders: readonly Record<string, unknown>[]): Promise<Connected> {
  const connected = await it.bridge.connect({ name });
  for (const order of orders) await it.bridge.send(connected, 'order.paid', { order });
  for (const { id } of orders) await it.bridge.settled(connected, String(id), 'recorded');
  const { pool } = it.bridge;
  const filled = async () => (await pool.query('select 1 from order_search where connection_id = $1', [connected.connection.id])).rowCount === orders.length;
  await until(filled, { what: 'the search to be filled' });
  return connected;
}

const address = (q: string) => `/console/find?q=${encodeURIComponent(q)}`;
const headings = (text: string) => [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
const listed = (text: string) => [...text.matchAll(/href="\/console\/orders\/\d+">([^<]+)</g)].map(([, number]) => number);

test('an order is found by a beginning and an end of its number, and not by less than three characters or the middle', async () => {
  await using it = await world();
  await known(it, 'Corner', [orderOf('1', { number: 'BG-104217/A' }), orderOf('2', { number: '#204219' }), orderOf('3', { number: '204100' })]);
  const browser = await signIn(it.bridge, { role: 'viewer' });
  const found = async (q: string) => {
    const { location, text } = await browser.get(address(q));
    return location === null ? listed(text) : (await browser.get(location)).text.match(/<h1>[^<]*?([#\w-]+\d[\w/]*)/)?.[1];
  };

  for (const q of ['bg-1042', 'bg-104217/a', '17/A', '1042', '104217']) expect([q, await found(q)]).toEqual([q, 'BG-104217/A']);
  for (const q of ['2042', '#2042', '219']) expect([q, await found(q)]).toEqual([q, '#204219']);
  expect(await found('204')).toEqual(['204100', '#204219']);
  for (const q of ['19', '0421', 'g-1', '%%%', '___']) expect([q, await found(q)]).toEqual([q, []]);
});
