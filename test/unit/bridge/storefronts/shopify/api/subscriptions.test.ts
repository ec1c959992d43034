import { expect, test } from 'vitest';
import type { StoreMeans } from '../../../../../../src/bridge/storefronts/contract.ts';
import { subscriptions } from '../../../../../../src/bridge/storefronts/shopify/api/subscriptions.ts';
import { shopify } from '../../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { ShopifyAdmin } from '../../../../../support/servers/shopify-admin/shopify-admin.ts';
import { fetchJson, startStoreApi } from '../../../../../support/servers/store-api.ts';
import { unlimited } from './throttling.ts';

const means = (more: Partial<StoreMeans> = {}): StoreMeans => ({ fetchJson, now: Date.now(), ...more });
const address = 'https://bridge.example/webhooks/shopify/con_1';
const { list, create, remove } = subscriptions;

test('every topic that is wanted is created, or known to be in no list', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const wanted = shopify.topics.filter((topic) => subscriptions.topics?.includes(topic));
  for (const topic of wanted) await create(shop.access, { topic, address, secret: null }, means());

  expect((await list(shop.access, means())).map(({ topic, address: to, state }) => [topic, to, state])).toEqual(
    wanted.map((topic) => [topic, address, 'active']),
  );
  expect(wanted).toContain('order_transactions/create');
  for (const topic of ['customers/data_request', 'customers/redact', 'shop/redact']) {
    await expect(create(shop.access, { topic, address, secret: null }, means())).rejects.toThrow(/storefront.refused: the topic .* configuration alone/);
  }
});

test('those of a person are not listed; the app’s own are, also of topics that nobody wants here', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  shop.webhookByHand('orders/paid', address, 'own secret');
  shop.webhooks.push({
    id: 'gid://shopify/WebhookSubscription/5',
    topic: 'products/update',
    uri: 'https://other.example/',
    failures: 0,
    byHand: false,
    secret: '',
  });

  expect(subscriptions.hidesOthers).toBe(true);
  expect(await list(shop.access, means())).toEqual([
    { id: 'gid://shopify/WebhookSubscription/5', topic: 'products_update', address: 'https://other.example/', state: 'active', attemptedAt: null },
  ]);
});

test('all pages are listed', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  for (let count = 0; count < 120; count += 1) await create(shop.access, { topic: 'orders/paid', address: `${address}${count}`, secret: null }, means());

  expect(await list(shop.access, means())).toHaveLength(120);
});

test('one that is there already is as good as a new one; one that the shop does not make is said', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const made = await create(shop.access, { topic: 'orders/paid', address, secret: null }, means());

  expect(await create(shop.access, { topic: 'orders/paid', address, secret: null }, means())).toEqual(made);
  await expect(create(shop.access, { topic: 'orders/paid', address: 'nowhere', secret: null }, means())).rejects.toThrow(
    /storefront.refused: the shop does not make/,
  );
});

test('what another process made a moment ago is found, also on a later page', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  for (let count = 0; count < 100; count += 1)
    shop.webhooks.push({
      id: `gid://shopify/WebhookSubscription/${5000 + count}`,
      topic: 'orders/paid',
      uri: `${address}${count}`,
      failures: 0,
      byHand: false,
      secret: '',
    });
  const theirs = { id: 'gid://shopify/WebhookSubscription/9000', topic: 'orders/paid', uri: address, failures: 0, byHand: false, secret: '' };
  const mutations: unknown[] = [];
  shop.state.intercept = ({ path, body }) => {
    // Between our look and our mutation.
    if (String(body['query']).includes('createWebhook')) {
      mutations.push({ path, variables: body['variables'] });
      shop.webhooks.push(theirs);
    }
    return undefined;
  };

  expect(await list(shop.access, means())).toHaveLength(100);
  expect(await create(shop.access, { topic: 'orders/paid', address, secret: null }, means())).toEqual({
    ...{ id: theirs.id, topic: 'orders/paid', address, state: 'active', attemptedAt: null },
  });
  expect(shop.webhooks).toHaveLength(101);
  // All fields, of all orders: a field list or a filter would have the shop drop deliveries.
  expect(mutations).toEqual([{ path: '/admin/api/2026-10/graphql.json', variables: { topic: 'ORDERS_PAID', webhook: { uri: address, format: 'JSON' } } }]);
});

const narrow = { filter: { filter: 'source_name:web' }, fields: { includeFields: ['id'] }, format: { format: 'XML' as const } };

test.each(['filter', 'fields', 'format'] as const)('one that is narrowed by %s is told as such, and one that brings all takes its place', async (by) => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const id = 'gid://shopify/WebhookSubscription/5';
  shop.webhooks.push({ id, topic: 'orders/paid', uri: address, failures: 0, byHand: false, secret: '', ...narrow[by] });

  expect(await list(shop.access, means())).toMatchObject([{ id, narrowed: by }]);
  const made = await create(shop.access, { topic: 'orders/paid', address, secret: null }, means());
  expect(made.id).not.toBe(id);
  expect(made).not.toHaveProperty('narrowed');
  await remove(shop.access, id, means());
  expect(await list(shop.access, means())).toEqual([made]);
});

test('where the shop makes none in place of one that is narrowed, that is said', async () => {
  await using shop = await ShopifyAdmin.start({ ...unlimited, scopes: [] });
  shop.webhooks.push({ id: 'gid://shopify/WebhookSubscription/5', topic: 'orders/paid', uri: address, failures: 0, byHand: false, secret: '', format: 'XML' });

  await expect(create(shop.access, { topic: 'orders/paid', address, secret: null }, means())).rejects.toThrow(/the shop does not make a webhook/);
});

test('an empty filter narrows nothing', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  shop.webhooks.push({ id: 'gid://shopify/WebhookSubscription/5', topic: 'orders/paid', uri: address, failures: 0, byHand: false, secret: '', filter: '' });

  const [only] = await list(shop.access, means());
  expect(only).not.toHaveProperty('narrowed');
  expect(only).not.toHaveProperty('remark');
});

test('another API version than the one that is read here is told, and where to set it', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  shop.subscriptions.apiVersion = { handle: '2026-07', supported: true };
  const { remark } = await create(shop.access, { topic: 'orders/paid', address, secret: null }, means());
  expect(remark).toMatch(/come in the API version 2026-07, and 2026-10 is what is read here: set 2026-10 .* in the app’s configuration/);
  shop.subscriptions.apiVersion = { handle: '2024-01', supported: false };
  const [listed] = await list(shop.access, means());
  expect(listed?.remark).toContain('2024-01, which the platform no longer supports');
});

test('one is removed, or was gone already', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const { id } = await create(shop.access, { topic: 'orders/paid', address, secret: null }, means());
  await remove(shop.access, id, means());
  await remove(shop.access, id, means());

  expect(await list(shop.access, means())).toEqual([]);
});

test('no webhook is made whose signature this connection would refuse', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  const make = (secret: string) => create(shop.clientAccess, { topic: 'orders/paid', address, secret: null }, means({ secret }));

  await expect(make('the secret of Settings > Notifications')).rejects.toThrow(/storefront.refused: .*`orderbridge rotate-secret`/);
  expect(shop.webhooks).toEqual([]);
  await expect(make(shop.state.clientSecret)).resolves.toMatchObject({ topic: 'orders/paid' });
});

test('eight failures in a row delete one that the app made, and no other', async () => {
  await using shop = await ShopifyAdmin.start(unlimited);
  await using bridge = await startStoreApi(() => ({ status: 503, body: {} }));
  await create(shop.access, { topic: 'orders/create', address: bridge.url, secret: null }, means());
  shop.webhookByHand('orders/create', bridge.url, 'own secret');
  for (let count = 0; count < 8; count += 1) {
    shop.buy();
    await shop.send();
  }

  expect(await list(shop.access, means())).toEqual([]);
  expect(shop.webhooks).toHaveLength(1);
});

test('a person is told where webhooks are made', () => {
  expect(subscriptions.steps({ topic: 'orders/paid', address })).toMatch(new RegExp(`orders/paid with the uri ${address} .*Settings > Notifications`));
  expect(subscriptions.newSecret()).toMatch(/^[0-9a-f]{64}$/);
  expect(subscriptions.hasSecrets).toBe(false);
});
