import { expect, test } from 'vitest';
import { orderText } from '../../src/cli/text/order-text.ts';
import { wordsIn } from '../../src/console/messages/messages.ts';
import { factsView } from '../../src/console/pages/order/order-page.ts';
import { readOrderDetail } from '../../src/operations/order-detail/order-detail.ts';
import { showOrder } from '../../src/operations/orders/show-order.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { ListedShop } from '../support/worlds/listed-shop.ts';
import { ownShop, standingIn } from '../support/worlds/own-service.ts';
import { reconciled } from '../support/worlds/reconciled-world.ts';
import { until } from '../support/worlds/settled.ts';
import { later, useWorlds } from '../support/worlds/world.ts';

const world = useWorlds();
const window = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };

test('live L3: a refund that the store lost by a restored backup is a difference, is shown on the order, and changes nothing', async () => {
  await using it = await world({ embeddedService: true });
  const { bridge } = it;
  const { pool, connections } = bridge.app.core;
  const service = await ownShop(it);
  const connected = await bridge.connect({ shopId: service.shopId });
  const shop = new ListedShop();
  const before = orderOf('1');
  const refunded = { ...before, updatedAt: later(5), refunds: [{ id: 'r1', at: later(5), amount: '10.00' }] };
  await bridge.send(connected, 'order.updated', { order: shop.save(refunded) });
  await bridge.settled(connected, '1', 'recorded');
  expect(await standingIn(it, service)).toEqual(['1: 38.00']);
  await pool.query(`update order_facts set facts = jsonb_set(facts, '{snapshotSeenAt}', '"2026-11-01T10:10:00.000Z"')`);
  expect((await reconciled(bridge, connected, { shop, ...window })).kinds).toEqual([]);

  shop.save(before);
  const dry = await reconciled(bridge, connected, { shop, dryRun: true, ...window });
  expect(dry).toMatchObject({ kinds: ['1 older-there'], store: { orders: 1, total: '48.00' }, ledger: { orders: 1, total: '38.00' } });
  expect(dry.differences).toMatchObject([{ why: 'older', repairs: false, detail: expect.stringContaining('a backup was restored') }]);
  const report = () => showOrder({ pool, connections }, { connectionId: connected.connection.id, orderId: '1' });
  expect((await report()).olderThere).toBeNull();

  const found = await reconciled(bridge, connected, { shop, ...window });
  expect(found).toMatchObject({ kinds: ['1 older-there'], repaired: 0 });
  expect(await standingIn(it, service)).toEqual(['1: 38.00']);
  const shown = await report();
  expect(shown).toMatchObject({ state: 'recorded', olderThere: { updatedAt: '2026-11-01T10:00:00.000Z', kept: '48.00' } });
  expect(orderText(shown, {}).join('\n')).toMatch(/the store shows an older state since, seen at .*: paid, as of /);
  const sheet = await readOrderDetail({ pool, connections }, shown.id, null);
  if (sheet === null) throw new Error('the page of the order is missing');
  expect(factsView(sheet, wordsIn('en'), { role: 'viewer' }).markup).toContain('The store shows an older state since');
  expect(factsView(sheet, wordsIn('bg'), { role: 'viewer' }).markup).toContain('магазинът показва по-старо състояние');

  // A newer state ends it: the order was saved in the store, without the refund, or with it once more.
  await bridge.send(connected, 'order.updated', { order: shop.save({ ...refunded, updatedAt: later(9) }) });
  await until(async () => (await report()).olderThere === null, { what: 'the newer state to be known' });
  expect((await reconciled(bridge, connected, { shop, ...window })).kinds).toEqual([]);
});
