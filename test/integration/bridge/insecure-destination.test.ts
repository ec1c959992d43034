import { expect, test } from 'vitest';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { Bridge, orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();

test('finding 11: a destination over http that may be public is paused without a call; webhooks are taken; once it is mended, its orders are recorded', async () => {
  await using it = await world();
  const { bridge, service, databaseUrl, redis } = it;
  const store = await bridge.connect();
  await bridge.pool.query('update destinations set base_url = $1', ['http://compliance.invalid']);

  expect(await bridge.send(store, 'order.paid', { order: orderOf('1') })).toBe(200);
  // Probed, too, without a call.
  const paused = await until(
    async () => {
      const [pause] = await bridge.app.core.destinations.pauses();
      if (pause === undefined || pause.failures < 2) throw new Error(`paused ${pause?.failures ?? 0} times`);
      return pause;
    },
    { what: 'the pause to be probed' },
  );

  expect(paused).toMatchObject({ code: 'compliance.insecure', shopId: null, callType: 'records', detail: expect.stringContaining('TRUSTED_HTTP_HOSTS') });
  expect(await bridge.steps((await bridge.order(store, '1')) ?? expect.fail('no order'))).toEqual([]);
  expect((await listConnections(bridge.app.core, 'https://bridge.example'))[0]?.warnings).toEqual([expect.stringMatching(/^compliance\.insecure: /)]);
  await bridge.pool.query('update destinations set base_url = $1', [service.url]);
  await bridge[Symbol.asyncDispose]();

  await using mended = await Bridge.start({ databaseUrl, redisUrl: redis.url, complianceUrl: service.url });
  await mended.settled(store, '1', 'recorded');
  await until(async () => expect(await mended.app.core.destinations.pauses()).toEqual([]), { what: 'the pause to end' });
});
