import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { listOrders } from '../../../src/operations/orders/find-orders.ts';
import { longTest } from '../../support/long-test.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { startHealthWorld, told } from '../../support/worlds/health-world.ts';
import { until } from '../../support/worlds/settled.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();

longTest('F2: a store whose shop does not exist is failing for all who are asked, its orders say what they wait for, and readiness stays', async () => {
  await using it = await startHealthWorld();
  const { app } = it.bridge;
  const shopId = randomUUID();
  const dead = await it.bridge.connect({ name: 'Dead', shopId });
  for (const id of ['1', '2', '3']) expect(await it.bridge.send(dead, 'order.paid', { order: orderOf(id) })).toBe(200);
  await until(async () => (await listOrders(app.core, { limit: 9 })).orders.filter(({ pause }) => pause !== null).length === 3, {
    what: 'the orders to be paused',
  });

  await it.bridge.pool.query(
    `insert into traffic (connection_id, accepted_at) values ($1, '2026-11-22T10:00:00Z') on conflict (connection_id) do update set accepted_at = excluded.accepted_at`,
    [dead.connection.id],
  );

  const { status, text, doctor, http } = await told(it);
  const orders = await it.run(['orders']);
  const order = await it.run(['order', dead.connection.id, '2']);

  expect(status).toMatchObject({ health: 'failing', code: 2 });
  const failedChecks = status.failedChecks.filter(({ level }) => level === 'failing');
  expect(failedChecks).toMatchObject([
    {
      code: 'shop.paused',
      subject: shopId,
      count: 3,
      verb: 'shop create --help',
      words: expect.stringMatching(/^Dead: the compliance service does not know this shop since 20.*; 3 orders wait/),
    },
    { code: 'shop.unknown', subject: dead.connection.id, words: expect.stringContaining('`orderbridge shop create`') },
  ]);
  expect(text).toContain('orderbridge shop create');
  expect(doctor.code).toBe(1);
  expect(doctor.out).toMatch(/^WRONG +compliance shop +Dead: the compliance service does not know this shop/m);
  expect(doctor.out).toMatch(
    new RegExp(`^ok +connection +${dead.connection.id} \\(Dead\\): it has no key of the store’s API; the last webhook came at \\d\\d\\.\\d\\d\\.`, 'm'),
  );
  expect(http).toMatchObject({ status: 503, body: { health: 'failing' } });
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  expect(orders.out.match(/ queued .*paused: the compliance service does not know this shop since \d\d\.\d\d\./g)).toHaveLength(3);
  expect(order.out).toMatch(
    /^state +queued, paused: the compliance service does not know this shop since \d\d\.\d\d\..*; it is submitted automatically as soon as that ends/m,
  );
});

test('a pause of a whole service says so for the pending orders it, and ends with it', async () => {
  await using it = await world();
  const { bridge, service } = it;
  const connected = await bridge.connect();
  service.always({ status: 401, body: { detail: 'no such key' } });
  await bridge.send(connected, 'order.paid', { order: orderOf('1') });
  const pause = async () => (await listOrders(bridge.app.core, { limit: 1 })).orders[0]?.pause;

  await until(async () => (await pause()) != null, { what: 'the order to be paused' });
  expect(await pause()).toMatchObject({ code: 'compliance.misconfigured', shopId: null });
  const { failedChecks } = await bridge.app.healthReader.read();
  expect(failedChecks.find(({ code }) => code === 'destination.paused')).toMatchObject({
    level: 'failing',
    subject: connected.connection.destinationId,
    words: expect.stringMatching(/^corner: the compliance service refuses the key since 20/),
  });

  service.always(null);
  await bridge.settled(connected, '1', 'recorded');
  expect(await pause()).toBeNull();
  expect((await bridge.app.healthReader.read()).failedChecks.filter(({ code }) => code === 'destination.paused')).toEqual([]);
});
