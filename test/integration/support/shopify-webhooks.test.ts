import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptions } from '../../../src/bridge/storefronts/shopify/api/subscriptions.ts';
import { storeMeans, useShopify } from '../../support/connect/at-shopify.ts';
import { startWebhookSink, type WebhookSink } from '../../support/servers/shopify-admin/webhook-sink.ts';

const { opened, pairOf, refresh, queries, access, urlOf } = useShopify();
let sink: WebhookSink;
beforeAll(async () => {
  sink = await startWebhookSink();
});
afterAll(() => sink?.[Symbol.asyncDispose]());

test('those of the API and those of the configuration are signed with the app’s secret; only the former are listed', async () => {
  const { app, shop } = await opened({ subscriptions: [{ topics: ['orders/paid'], uri: `${sink.url}/configured` }] });
  const { access_token } = await pairOf({ shop, app });
  const made = await subscriptions.create(access(shop, access_token), { topic: 'orders/paid', address: `${sink.url}/made`, secret: null }, storeMeans());
  expect(await subscriptions.list(access(shop, access_token), storeMeans())).toEqual([made]);
  // Another app sees its own alone.
  expect(await subscriptions.list(access(shop, shop.state.token), storeMeans())).toEqual([]);

  shop.buy().pay();
  const statuses = await shop.send();
  const came = sink.take();
  expect(statuses).toEqual([200, 200]);
  expect(came.map(({ path }) => path).toSorted()).toEqual(['/configured', '/made']);
  for (const { headers, body } of came) {
    expect(headers['x-shopify-hmac-sha256']).toBe(createHmac('sha256', app.secret).update(body).digest('base64'));
    expect(headers['x-shopify-shop-domain']).toBe(shop.state.domain);
  }
});

test('a topic without its scope, and protected customer data that is not approved, are refused; buyers are hidden from apps of level 1', async () => {
  const { app, shop } = await opened({ kind: 'public', customerData: 0 });
  const { access_token } = await pairOf({ shop, app });
  const wanted = { topic: 'orders/paid', address: `${sink.url}/made`, secret: null };
  const create = () => subscriptions.create(access(shop, access_token), wanted, storeMeans());
  await expect(create()).rejects.toThrow(/does not make a webhook/);
  app.customerData = 1;
  shop.grants.install(app.clientId, []);
  await expect(create()).rejects.toThrow(/does not make a webhook/);
  await subscriptions.create(access(shop, access_token), { ...wanted, topic: 'app/uninstalled' }, storeMeans());
  shop.grants.install(app.clientId, ['read_orders']);
  await create();

  const order = shop.buy({ buyer: { email: 'a@b.example', first_name: 'Ana', last_name: 'B', phone: '+359888123456' } }).pay();
  await shop.send();
  expect(JSON.parse(sink.take().at(-1)?.body ?? '')).toMatchObject({ email: null });
  const { body } = await queries({ shop }, access_token, `{ nodes(ids: ["gid://shopify/Order/${order.id}"]) { ... on Order { id email } } }`);
  expect(body).toMatchObject({ data: { nodes: [{ email: null }] }, errors: [{ path: ['nodes', 0, 'email'], extensions: { code: 'ACCESS_DENIED' } }] });
});

test('an uninstall kills tokens and webhooks, and is told; what is installed again begins anew', async () => {
  const { app, shop } = await opened({ subscriptions: [{ topics: ['app/uninstalled', 'app/scopes_update'], uri: `${sink.url}/app` }] });
  const first = await pairOf({ shop, app });
  await subscriptions.create(access(shop, first['access_token']), { topic: 'app/uninstalled', address: `${sink.url}/made`, secret: null }, storeMeans());
  shop.changeScopes(app, []);
  await shop.send();
  expect(JSON.parse(sink.take()[0]?.body ?? '')).toMatchObject({ previous: ['read_orders'], current: [] });
  shop.uninstall(app);
  await shop.send();

  expect(sink.take().map(({ path, headers }) => [path, headers['x-shopify-topic']])).toEqual([
    ['/made', 'app/uninstalled'],
    ['/app', 'app/uninstalled'],
  ]);
  expect([(await queries({ shop }, first['access_token'])).status, (await refresh({ shop, app }, first)).status]).toEqual([401, 401]);
  expect(shop.webhooks).toEqual([]);
  const again = await pairOf({ shop, app });
  expect((await queries({ shop }, again['access_token'])).status).toBe(200);
  expect(await subscriptions.list(access(shop, again['access_token']), storeMeans())).toEqual([]);
});

test('the shop’s own app can be uninstalled and lose scopes, too', async () => {
  const { shop } = await opened();
  const { token, clientId, clientSecret } = shop.state;
  const own = { clientId };
  for (const topic of ['app/uninstalled', 'app/scopes_update'])
    await subscriptions.create(access(shop, token), { topic, address: `${sink.url}/made`, secret: null }, storeMeans());
  shop.changeScopes(own, ['read_products']);
  expect((await queries({ shop }, token)).body).toMatchObject({ data: { currentAppInstallation: { accessScopes: [{ handle: 'read_products' }] } } });
  shop.uninstall(own);
  await shop.send();

  expect(sink.take().map(({ headers }) => headers['x-shopify-topic'])).toEqual(['app/scopes_update', 'app/uninstalled']);
  expect((await queries({ shop }, token)).status).toBe(401);
  const credentials = { url: urlOf(shop), clientId, clientSecret };
  await expect(subscriptions.list(credentials, storeMeans())).rejects.toThrow(/storefront.refused: the shop answered 400/);
});

test('eight failures in a row delete what the API made, and not what the configuration made', async () => {
  const { app, shop } = await opened({ subscriptions: [{ topics: ['orders/updated'], uri: `${sink.url}/configured` }] });
  const { access_token } = await pairOf({ shop, app });
  await subscriptions.create(access(shop, access_token), { topic: 'orders/updated', address: `${sink.url}/made`, secret: null }, storeMeans());
  const order = shop.buy();
  sink.status = 503;
  for (let attempt = 0; attempt < 8; attempt += 1) {
    order.touch();
    await shop.send();
  }
  sink.status = 200;
  sink.take();
  order.touch();
  await shop.send();

  expect(shop.webhooks).toEqual([]);
  expect(sink.take().map(({ path }) => path)).toEqual(['/configured']);
});
