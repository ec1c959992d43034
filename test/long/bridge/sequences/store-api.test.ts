import { expect, test } from 'vitest';
import { addressOf, postWoo } from '../../../support/samples/signed-webhooks.ts';
import { wooLine, wooOrder } from '../../../support/samples/woo-order.ts';
import { startStoreApi } from '../../../support/servers/store-api.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

const refund = {
  id: 8,
  date_created_gmt: '2026-11-21T03:00:00',
  amount: '12.00',
  line_items: [],
  shipping_lines: [],
  fee_lines: [],
};
const refunded = wooOrder({ line_items: [wooLine()], refunds: [{ id: 8, total: '-12.00' }] });

test.each([401, 403])('a store that answers %i to its REST key is a warning at the connection, until its API works again', async (status) => {
  await using it = await world();
  let works = false;
  await using store = await startStoreApi(() => (works ? { status: 200, body: [refund] } : { status, body: { code: 'woocommerce_rest_cannot_view' } }));
  const access = { url: store.url, consumerKey: 'ck', consumerSecret: 'cs' };
  const connected = await it.bridge.connect({ platform: 'woocommerce', access });
  const warning = async () => (await it.bridge.app.core.connections.find(connected.connection.id))?.warnings['store-api'];

  await postWoo(addressOf(it.bridge.app.url, connected), { topic: 'order.updated', body: refunded, secret: connected.secret });
  const words = await until(warning, { what: 'the warning' });

  expect(words).toContain(`the store answered ${status}: its REST key is refused`);
  expect((await it.bridge.order(connected, '7'))?.state).toBe('queued');
  expect(it.service.living).toBe(0);

  works = true;
  await it.bridge.settled(connected, '7', 'recorded');
  expect(await warning()).toBeUndefined();
});
