import { expect, test } from 'vitest';
import { insertBulkAction } from '../../../src/bridge/ledger/review/bulk-action-store.ts';
import { sendManyToReview } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a bulk action that was made elsewhere says how many are left', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendManyToReview(it, connected, { count: 2 });
  const owner = await signIn(it.bridge, { name: 'Мария <i>' });
  const orders = await Promise.all(['1', '2'].map(async (id) => (await it.bridge.order(connected, id))?.id ?? 0));

  const bulkAction = await insertBulkAction(it.bridge.pool, { who: `person:${owner.person.id}`, act: 'order.resolved', about: { words: '<b>' }, orders });

  const page = (await owner.get(`/console/bulk-actions/${bulkAction}`)).text;
  expect(page).toContain('Resolved: 2 orders');
  expect(page).toContain('by Мария &lt;i&gt;,');
  expect(page).toContain('2 were not decided here');
  expect(page).toContain('0 of 2 done');
});

test('nobody waits until a large bulk action is counted: its page says that it is, and then how many', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendManyToReview(it, connected, { count: 1 });
  const owner = await signIn(it.bridge);
  const id = (await it.bridge.order(connected, '1'))?.id ?? 0;
  const orders = Array.from({ length: 10_001 }, () => id);

  const bulkAction = await insertBulkAction(it.bridge.pool, { who: `person:${owner.person.id}`, act: 'order.released', about: {}, orders });

  const look = async () => (await owner.get(`/console/bulk-actions/${bulkAction}`)).text;
  expect(await look()).toMatch(/being counted|0 of 10001 done/);
  await expect.poll(look).toContain('0 of 10001 done');
});

test.each(['none', '00000000-0000-4000-8000-000000000000'])('there is no bulk action %s', async (id) => {
  await using it = await world();
  const viewer = await signIn(it.bridge, { role: 'viewer' });

  expect((await viewer.get(`/console/bulk-actions/${id}`)).status).toBe(404);
});

test('orders that somebody resolved together are a bulk action, whose page says so', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count: 3 });
  const owner = await signIn(it.bridge, { name: 'Мария' });
  const list = (await owner.get('/console/orders?state=review')).text;
  const order = [...list.matchAll(/name="order" value="([^"]+)"/g)].map(([, value = '']) => value).slice(0, 2);

  const { location } = await owner.post('/console/orders', { state: 'review', order, act: 'resolve', how: 'elsewhere', note: 'by the till' });

  const page = (await owner.get(location ?? '')).text;
  expect(page).toContain('Resolved: 2 orders');
  expect(page).toContain('2 of 2 done');
  expect(page).toContain('2 resolved by a person');
  expect(page).not.toContain('wait for a person');
  expect((await owner.get('/console/review')).text).toContain('1 order is waiting for one decision.');
});
