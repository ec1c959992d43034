import { expect, test } from 'vitest';
import { signIn } from '../../support/console/signed-in.ts';
import { longTest } from '../../support/long-test.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { pauseDestination } from '../../support/worlds/paused-destination.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const QUOTED = 'the lady from Dobrich is no customer of ours';

test('what a service said of an order, which may name its buyer, is read by those alone who may see buyers', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  it.service.next('create', { status: 422, body: { message: QUOTED } });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const { id } = await it.bridge.settled(connected, '1', 'review');
  const paths = ['orders?state=review', 'orders.csv', `orders/${id}`, 'review', 'activity', 'activity.csv'].map((path) => `/console/${path}`);

  const operator = await signIn(it.bridge, { role: 'operator' });
  for (const path of paths.filter((one) => !one.includes('activity')))
    expect([path, (await operator.get(path)).text.includes('lady from Dobrich')]).toEqual([path, true]);

  for (const role of ['viewer', 'accountant'] as const) {
    for (const lang of ['en', 'bg'] as const) {
      const reader = await signIn(it.bridge, { role, lang });
      for (const path of paths) {
        const { status, text } = await reader.get(path);
        const isTheirs = role === 'viewer' || !path.includes('activity');
        expect([path, status, text.includes('lady from Dobrich')]).toEqual([path, isTheirs ? 200 : 403, false]);
      }
      const page = (await reader.get(`/console/orders/${id}`)).text;
      expect(page).toContain(lang === 'en' ? 'The compliance service refused the record' : 'Услугата за отчитане отказа записа');
    }
  }
});

longTest('nor what it said when it was paused, or a store when it was called: on Today, and where it shows by itself', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const { id: store } = connected.connection;
  await pauseDestination(it, connected.connection, { code: 'compliance.misconfigured', detail: `401 ${QUOTED}` });
  await it.bridge.pool.query(`update connections set warnings = jsonb_build_object('store-api', $1::text) where id = $2`, [QUOTED, store]);
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await until(async () => (await it.bridge.order(connected, '1'))?.state === 'queued', { what: 'the order to wait' });
  const id = (await it.bridge.order(connected, '1'))?.id;
  const paths = ['', '/live', '/destinations', '/stores', `/stores/${store}`, '/orders', `/orders/${id}`, '/activity'].map((path) => `/console${path}`);

  const operator = await signIn(it.bridge, { role: 'operator' });
  await until(async () => (await operator.get('/console')).text.includes('lady from Dobrich'), { what: 'the pause to be seen' });
  const mending = `orderbridge reconnect ${store} --compliance-key`;
  for (const path of ['/console', '/console/destinations', `/console/orders/${id}`])
    expect([path, (await operator.get(path)).text.includes(mending)]).toEqual([path, true]);

  for (const lang of ['en', 'bg'] as const) {
    const viewer = await signIn(it.bridge, { role: 'viewer', lang });
    for (const path of paths) expect([path, (await viewer.get(path)).text.includes('lady from Dobrich')]).toEqual([path, false]);
  }
});
