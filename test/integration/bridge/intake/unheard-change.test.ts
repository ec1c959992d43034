import { expect, test } from 'vitest';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

const LISTENERS = `from pg_stat_activity where application_name = 'orderbridge-listener' and datname = current_database() and query like 'listen%' and state = 'idle'`;

test('a receiver knows of a store that was disconnected while it heard of no changes', async () => {
  await using it = await world({ fresh: true });
  const { pool, app } = it.bridge;
  const connected = await it.bridge.connect();
  const isHeard = async () => (await pool.query(`select ${LISTENERS}`)).rowCount === 1;
  await until(isHeard, { what: 'the listener' });
  await pool.query(`select pg_terminate_backend(pid) ${LISTENERS}`);
  await until(async () => !(await isHeard()), { what: 'the listener to be gone' });
  // Known to the receiver for 10 s from now on.
  expect(await it.bridge.send(connected, 'order.paid', { order: orderOf('1') })).toBe(200);
  const knownAt = performance.now();
  await app.core.connections.close(connected.connection.id, { by: 'anna' }, new Date());
  await until(isHeard, { what: 'the listener to come back' });

  const isRefused = async () => (await it.bridge.send(connected, 'order.paid', { order: orderOf('2') })) !== 200;
  await until(isRefused, { what: 'a refusal', timeoutMs: 9_000 - (performance.now() - knownAt) });
});
