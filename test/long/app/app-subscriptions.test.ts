import { expect, test } from 'vitest';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { showSubscriptions } from '../../../src/operations/subscriptions/show-subscriptions.ts';
import { useShopify } from '../../support/connect/at-shopify.ts';
import { BY } from '../../support/samples/by.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { type GrantedShop, grantedShop } from '../../support/worlds/granted-shop.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { shopifySettings } from '../../support/worlds/shopify-shop.ts';

const world = useSharedWorlds();
const shopify = useShopify();
const ORDERS = ['order_transactions/create', 'orders/cancelled', 'orders/delete', 'orders/paid', 'orders/updated', 'refunds/create'];

async function shown(bridge: Bridge, { connected }: Pick<GrantedShop, 'connected'>, repair = true) {
  const { core } = bridge.app;
  // Shops call programs of this machine over http.
  const watch = { ...watchDeps(core, storefronts), addressOf: () => `${bridge.app.url}/webhooks/shopify/${connected.connection.id}` };
  const deps = { pool: core.pool, watch, storefronts, connections: core.connections };
  return showSubscriptions(deps, { id: connected.connection.id, repair, allTopics: true, by: BY, signal: new AbortController().signal });
}

const topicsAt = ({ shop }: GrantedShop) => shop.webhooks.map(({ topic }) => topic).toSorted();

test('a store that came by an app is subscribed to what the app’s configuration lacks, and to nothing twice', async () => {
  await using it = await world();
  const [custom, open] = [await grantedShop(it.bridge, shopify), await grantedShop(it.bridge, shopify, { kind: 'public' })];

  for (const _again of [1, 2]) expect(await shown(it.bridge, custom)).toMatchObject({ problems: [], advice: [], stopped: null });
  expect(topicsAt(custom)).toEqual(ORDERS);
  expect(await shown(it.bridge, open)).toMatchObject({ problems: [], advice: [], stopped: null, subscriptions: [] });
  expect(topicsAt(open)).toEqual([]);
});

test('an order topic that the store dropped is made anew, though words of the app itself came', async () => {
  await using it = await world();
  const of = await grantedShop(it.bridge, shopify);
  of.shop.changeScopes(of.there, ['read_orders']);
  expect(await of.shop.send()).toEqual([200]);

  expect((await shown(it.bridge, of, false)).problems.map(({ topic, kind }) => `${topic} ${kind}`).toSorted()).toEqual(
    ORDERS.map((topic) => `${topic} missing`),
  );
});

test('one that is filtered, limited to fields or not JSON is replaced without a question, and the store is read for what it kept back', async () => {
  await using it = await world();
  const of = await grantedShop(it.bridge, shopify);
  await shown(it.bridge, of);
  const narrowed = [{ filter: 'source_name:web' }, { includeFields: ['id'] }, { format: 'XML' as const }];
  const before = of.shop.webhooks.filter(({ topic }) => ORDERS.includes(topic)).slice(0, 3);
  for (const [n, one] of before.entries()) Object.assign(one, narrowed[n]);

  const { problems } = await shown(it.bridge, of, false);
  expect(problems.map(({ topic, kind }) => [topic, kind]).toSorted()).toEqual(before.map(({ topic }) => [topic, 'narrowed']).toSorted());
  expect(problems.map(({ words }) => words).toSorted()).toEqual([
    'its webhook brings some fields alone',
    'its webhook has a filter, which keeps orders back',
    'its webhook has another format than JSON',
  ]);
  expect(await shown(it.bridge, of)).toMatchObject({ problems: [], stopped: null });
  expect(topicsAt(of)).toEqual(ORDERS);
  for (const one of of.shop.webhooks) expect(one).toMatchObject({ format: 'JSON', filter: null, includeFields: [] });
  const syncRuns = await it.bridge.pool.query('select 1 from bridge.store_syncs where connection_id = $1', [of.connected.connection.id]);
  expect(syncRuns.rowCount).toBe(1);
});

test('what is subscribed to beside the configuration is left alone', async () => {
  await using it = await world();
  const of = await grantedShop(it.bridge, shopify);
  const uri = `${it.bridge.app.url}/webhooks/shopify/${of.connected.connection.id}`;
  of.shop.webhooks.push({
    id: 'gid://shopify/WebhookSubscription/900',
    topic: 'app/uninstalled',
    uri,
    failures: 0,
    byHand: false,
    secret: '',
    app: of.there.clientId,
  });

  expect(await shown(it.bridge, of)).toMatchObject({ problems: [], advice: [], stopped: null });
  expect(topicsAt(of)).toEqual(['app/uninstalled', ...ORDERS]);
});

test('a configuration that was never released is told of when orders are missed', async () => {
  await using it = await world();
  const of = await grantedShop(it.bridge, shopify, { kind: 'public' });
  await it.bridge.pool.query(
    `insert into bridge.store_syncs (connection_id, missed_at) values ($1, now()) on conflict (connection_id) do update set missed_at = excluded.missed_at`,
    [of.connected.connection.id],
  );
  const { problems, repaired } = await shown(it.bridge, of);

  expect(repaired).toEqual([]);
  expect(problems.map(({ topic, kind }) => [topic, kind])).toContainEqual(['orders/paid', 'missing']);
  expect(problems[0]?.todo).toContain(`\`orderbridge shopify-app print ${of.app.id}\``);
  expect(of.shop.webhooks).toEqual([]);
});

test('webhooks that were typed in by hand are taken for such as no program sees, until somebody asks for the app’s own', async () => {
  await using it = await world();
  const { shop } = await shopify.opened();
  const { domain, token } = shop.state;
  const access = shopify.access(shop, token);
  const connected = await it.bridge.connect({ platform: 'shopify', settings: shopifySettings, store: domain, access });
  const uri = `${it.bridge.app.url}/webhooks/shopify/${connected.connection.id}`;
  const byHand = ORDERS.map((topic, n) => ({ id: `by-hand-${n}`, topic, uri, failures: 0, byHand: true, secret: connected.secret, app: '' }));
  shop.webhooks.push(...byHand);
  shop.buy().pay();
  expect(new Set(await shop.send())).toEqual(new Set([200]));

  const received = async () => (await it.bridge.pool.query('select from traffic_topics where connection_id = $1', [connected.connection.id])).rowCount !== 0;
  await until(received, { what: 'it to be noted that webhooks come' });

  expect((await shown(it.bridge, { connected }, false)).problems.map(({ topic }) => topic)).not.toContain('orders/paid');
  expect(shop.webhooks).toHaveLength(ORDERS.length);
  expect(await shown(it.bridge, { connected })).toMatchObject({ repaired: expect.arrayContaining(ORDERS), stopped: null });
  expect(shop.webhooks.filter((one) => !one.byHand).map(({ topic }) => topic)).toEqual(expect.arrayContaining(ORDERS));
});
