import { expect, test } from 'vitest';
import { storeReadStates } from '../../src/bridge/ledger/sync/sync-store.ts';
import { startWooServer } from '../support/servers/woo/start-woo-server.ts';
import { until } from '../support/worlds/settled.ts';
import { useWorlds } from '../support/worlds/world.ts';

const newWorld = useWorlds();
const MINUTE = 60_000;

test('what changes between the list of orders and that of the trash, which is read much later, is not passed by', async () => {
  const clock = { now: Date.now() - 30 * MINUTE };
  await using store = await startWooServer({ now: () => clock.now });
  await using world = await newWorld({ config: { reconcileSeconds: 1 } });
  const { bridge } = world;
  const first = store.floor.buy();
  const binned = store.floor.buy({ paid: false });
  const shop = await bridge.connect({ platform: 'woocommerce', access: store.access() });
  await bridge.settled(shop, String(first.id), 'recorded');
  const error = async () => (await storeReadStates(bridge.pool)).get(shop.connection.id)?.last?.error ?? null;

  store.host.intercept = ({ path }) => (path.includes('status=trash&') ? { status: 500, body: '' } : undefined);
  await until(async () => (await error()) !== null, { what: 'a sync run to end before the trash' });
  clock.now = Date.now() - 5 * MINUTE;
  const missed = store.floor.buy();
  clock.now = Date.now();
  store.floor.trash(binned.id);
  store.host.intercept = () => undefined;

  await until(async () => (await error()) === null, { what: 'the sync run to go on' });
  await bridge.settled(shop, String(missed.id), 'recorded');
  expect(world.service.records).toHaveLength(2);
});
