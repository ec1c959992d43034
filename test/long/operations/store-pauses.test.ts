import { expect, test } from 'vitest';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { until } from '../../support/worlds/settled.ts';
import { half, refundOf, saved, startWooShop } from '../../support/worlds/woo-shop.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();

test('a store that fails is shown as paused, with since, until and words, until it answers; its order is recorded then', async () => {
  await using it = await world();
  await using shop = await startWooShop(it);
  const { core, url } = it.bridge.app;
  const other = await it.bridge.connect();
  const paused = async () => /^orderbridge_stores_paused (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];
  const shown = async ({ connection }: typeof other) => (await listConnections(core, url)).find(({ connectionId }) => connectionId === connection.id);
  shop.known.refusal = 503;
  shop.known.refunds = [refundOf(1)];
  expect(await paused()).toBe('0');

  await shop.send('order.updated', saved(5, half));
  await until(async () => (await shown(shop.connected))?.storePauses.length === 1, { what: 'the pause to be shown' });

  const { warnings = [], storePauses: [pause] = [] } = (await shown(shop.connected)) ?? {};
  expect(pause).toMatchObject({ code: 'storefront.unreachable', detail: expect.stringContaining('503'), failures: expect.any(Number) });
  expect(Date.parse(pause?.until ?? '')).toBeGreaterThan(Date.parse(pause?.since ?? ''));
  const words = expect.stringMatching(
    /^storefront\.unreachable: calls of the store’s API at 127\.0\.0\.1 are paused since 20.+ \(the store answered 503.+; the next call is at 20/,
  );
  expect(warnings).toContainEqual(words);
  expect(await shown(other)).toMatchObject({ warnings: [], storePauses: [] });
  const failed = async () => (await it.bridge.app.healthReader.now()).failedChecks.filter(({ code }) => code === 'store.paused');
  expect(await failed()).toMatchObject([{ subject: shop.connected.connection.id }]);
  expect(await paused()).toBe('1');

  delete shop.known.refusal;
  await shop.ends('recorded', ['24.00']);
  const after = await shown(shop.connected);
  expect(after?.warnings).not.toContainEqual(words);
  expect(after?.storePauses).toEqual([]);
  expect(await failed()).toEqual([]);
});
