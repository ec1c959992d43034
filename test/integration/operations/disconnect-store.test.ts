import { expect, test } from 'vitest';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { disconnectStore } from '../../../src/operations/connections/disconnect-store.ts';
import { statusLink } from '../../../src/operations/onboarding/invitations.ts';
import { showSubscriptions } from '../../../src/operations/subscriptions/show-subscriptions.ts';
import { useShopify } from '../../support/connect/at-shopify.ts';
import { withLink } from '../../support/connect/merchant.ts';
import { startedOn } from '../../support/connect/started-merchant.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { longTest } from '../../support/long-test.ts';
import { BY } from '../../support/samples/by.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { grantedShop } from '../../support/worlds/granted-shop.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const shopify = useShopify();
const HERE = 'https://bridge.example';
const OTHER = 'https://shipping.example/hook';
const KEY_LEFT = /The key that ends in …k_write still opens the store’s API: press “Revoke” at it under WooCommerce → Settings → Advanced → REST API\./;

/** A WooCommerce store whose webhooks come here, beside one of another program and one that another server of ours has. */
async function wooConnected(it: World, key: 'read' | 'write' = 'write') {
  const store = await startWooServer({ now: Date.now });
  const connected = await it.bridge.connect({ platform: 'woocommerce', name: 'Corner', access: store.access(key) });
  const path = `/webhooks/woocommerce/${connected.connection.id}`;
  const [, elsewhere] = [OTHER, `https://staging.example${path}`].map((delivery_url) => store.webhooks.add({ topic: 'order.updated', delivery_url }));
  for (const topic of ['order.created', 'order.updated', 'order.deleted']) store.webhooks.add({ topic, delivery_url: `${HERE}${path}` });
  store.webhooks.add({ topic: 'order.restored', delivery_url: `${HERE}${path}/`, status: 'disabled' });
  const left = () => [...store.webhooks.all.values()].map(({ delivery_url }) => delivery_url);
  return { store, connected, left, path, alone: () => store.webhooks.all.delete(elsewhere?.id ?? 0) };
}

const deps = ({ app: { core } }: Bridge) => ({
  pool: core.pool,
  connections: core.connections,
  stores: { watch: watchDeps(core, storefronts), storefronts },
});

test('a merchant who disconnects has our webhooks removed from their store and no others, is told of the key that is left, and promised nothing', async () => {
  await using it = await world({ config: { publicUrl: HERE } });
  const { bridge } = it;
  const { store, connected, left, alone } = await wooConnected(it);
  await using _closed = store;
  alone();
  const id = await startedOn(bridge, connected, { lang: 'en' });
  const merchant = withLink(bridge, { id, token: await statusLink({ pool: bridge.pool }, { id }) });
  expect((await merchant.get('/status')).text).toContain('Each paid order and each refund is recorded');

  expect(await merchant.post('/status/disconnect')).toMatchObject({ status: 303 });

  expect(left()).toEqual([OTHER]);
  const { text } = await merchant.get('/status');
  expect(text).toContain('The webhooks that it sent here are removed from the store.');
  expect(text).toMatch(KEY_LEFT);
  expect(text).not.toMatch(/Each paid order and each refund is recorded|The file for the NRA is made each month|We record orders paid since|nothing is lost/);
  expect(text).toMatch(/We recorded orders paid from .* until /);
});

test('the console removes them, too; webhooks of another server of ours are left, and said', async () => {
  await using it = await world({ config: { publicUrl: HERE } });
  const { store, connected, left, path } = await wooConnected(it);
  await using _closed = store;
  const browser = await signIn(it.bridge);
  const page = `/console/stores/${connected.connection.id}`;
  const { seen = [] } = formOf((await browser.get(`${page}/disconnect`)).text, `${page}/disconnect`);

  expect(await browser.post(`${page}/disconnect`, { seen, name: 'Corner' })).toMatchObject({ status: 303 });

  expect(left()).toEqual([OTHER, `https://staging.example${path}`]);
  const { text } = await browser.get(page);
  expect(text).toContain(`Webhooks whose Delivery URL ends with ${path} may still be in the store`);
  expect(text).toMatch(KEY_LEFT);
});

test.each([
  ['is not reached', 'write', true],
  ['does not let its key write', 'read', false],
] as const)('a store that %s is disconnected all the same, and what is left is named; the same again removes it', async (_is, key, isAway) => {
  await using it = await world({ config: { publicUrl: HERE } });
  const { bridge } = it;
  const { store, connected, left, path, alone } = await wooConnected(it, key);
  await using _closed = store;
  alone();
  const { id } = connected.connection;
  if (isAway) await store.leave();

  const first = await disconnectStore(deps(bridge), { id, by: BY });

  expect(first).toMatchObject({
    since: null,
    remains: [{ en: expect.stringContaining(`ends with ${path} may still be in the store`) }, { en: expect.stringMatching(/^The key that ends in …/) }],
  });
  expect(await bridge.app.core.connections.find(id)).toMatchObject({ closedAt: expect.any(String) });
  expect(left()).toHaveLength(5);
  if (!isAway) return;
  await store.comeBack();
  const again = await disconnectStore(deps(bridge), { id, by: BY });
  expect(again).toMatchObject({ since: expect.any(String), remains: [{ en: expect.stringContaining('are removed from the store') }, {}] });
  expect(left()).toEqual([OTHER]);
});

longTest('webhooks that an app made in a shop are removed while its token works, and the app is named', async () => {
  await using it = await world();
  const { bridge } = it;
  const { shop, connected } = await grantedShop(bridge, shopify);
  const { id } = connected.connection;
  const given = deps(bridge);
  // Shops call programs of this machine over http.
  const watch = { ...given.stores.watch, addressOf: () => `${bridge.app.url}/webhooks/shopify/${id}` };
  const asked = { id, repair: true, allTopics: true, by: BY, signal: new AbortController().signal };
  await showSubscriptions({ ...given, watch, storefronts }, asked);
  expect(shop.webhooks.length).toBeGreaterThan(5);

  const { remains } = await disconnectStore({ ...given, stores: { watch, storefronts } }, { id, by: BY });

  expect(shop.webhooks).toEqual([]);
  expect(remains.map(({ en }) => en)).toContainEqual(expect.stringContaining('uninstall it under Settings → Apps and sales channels'));
});

test('of a shop that sends by a program of its own nothing is in the store', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();

  expect(await disconnectStore(deps(it.bridge), { id: connection.id, by: BY })).toEqual({ since: null, remains: [] });
});
