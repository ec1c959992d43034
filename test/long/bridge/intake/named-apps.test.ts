import { describe, expect, test } from 'vitest';
import { removeApp, rotateAppSecret } from '../../../../src/operations/apps/apps.ts';
import { lastDeliveries } from '../../../support/ledger/last-deliveries.ts';
import { BY } from '../../../support/samples/by.ts';
import { sampleApp } from '../../../support/samples/sample-app.ts';
import { addressOf, postShopify, SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { addApp, connectByApp, firstSecret, sendToNamedApp } from '../../../support/worlds/app-shop.ts';
import type { Bridge, Connected } from '../../../support/worlds/bridge.ts';
import { HEARD, until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { appConfig, ORDER, PAID, sendToApp, shopifySettings } from '../../../support/worlds/shopify-shop.ts';

const world = useSharedWorlds();

const paid = () => ['orders/paid', shopifyBody(PAID)] as const;
const uninstalled = ['app/uninstalled', { id: 1, name: 'Corner', domain: 'corner.example', myshopify_domain: SHOP }] as const;
const scopes = (...current: string[]) => ['app/scopes_update', { id: 1, previous: ['read_orders'], current, updated_at: '2026-11-22T10:00:00.000Z' }] as const;
const isClosed = async (bridge: Bridge, { connection }: Connected) => (await bridge.app.core.connections.find(connection.id))?.closedAt !== null;

describe('the address for all stores of an app', () => {
  test('finds the connection by the shop’s domain, beside that of SHOPIFY_APP_SECRET', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const app = await addApp(bridge);
    const connected = await connectByApp(bridge, app);

    expect((await sendToNamedApp(bridge, { app, shop: SHOP.toUpperCase() }, paid())).status).toBe(200);
    await bridge.settled(connected, ORDER, 'recorded');

    expect((await sendToApp(bridge, paid())).status).toBe(200);
    expect(
      (await postShopify(`${bridge.app.url}/webhooks/Shopify/App/Corner/`, { topic: 'orders/paid', body: paid()[1], secret: firstSecret(app) })).status,
    ).toBe(200);
  });

  test('401 for any other secret, 404 for an unknown app, another platform’s, and a shop that is not connected, 410 for one that was', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const [app, other] = [await addApp(bridge), await addApp(bridge, { id: 'other' })];
    const own = await connectByApp(bridge, app);
    const unknown = sampleApp({ id: 'nobodys' });

    const [first] = Object.values(appConfig.appSecrets);
    for (const secret of ['', own.secret, firstSecret(other), first?.reveal() ?? '', firstSecret(unknown)])
      expect((await sendToNamedApp(bridge, { app, secret }, paid())).status).toBe(401);
    expect((await sendToApp(bridge, paid(), { secret: firstSecret(app) })).status).toBe(401);
    expect(await sendToNamedApp(bridge, { app: unknown }, paid())).toMatchObject({
      status: 404,
      body: { code: 'connection.unknown', detail: expect.stringContaining('`orderbridge shopify-app list`') },
    });
    const elsewhere = `${bridge.app.url}/webhooks/woocommerce/app/${app.id}`;
    expect(await postShopify(elsewhere, { topic: 'orders/paid', body: paid()[1], secret: firstSecret(app) })).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('stores of this platform share none') },
    });
    expect(await sendToNamedApp(bridge, { app, shop: 'stranger.myshopify.com' }, paid())).toMatchObject({
      status: 404,
      body: { code: 'connection.unknown', detail: expect.not.stringContaining('No app') },
    });
    await bridge.app.core.connections.close(own.connection.id);
    await until(async () => (await sendToNamedApp(bridge, { app }, paid())).status === 410, HEARD);
  });

  test.each([
    ['customers/data_request', { orders_requested: [1], customer: { id: 1 }, data_request: { id: 9 } }],
    ['customers/redact', { orders_to_redact: [1], customer: { id: 1 } }],
    ['shop/redact', {}],
  ])('%s of a shop that is not known here is in order, if it is signed', async (topic, fields) => {
    await using it = await world();
    const { bridge } = it;
    const app = await addApp(bridge);
    const body = { shop_id: 1, shop_domain: 'stranger.myshopify.com', ...fields };

    expect(await sendToNamedApp(bridge, { app, shop: 'stranger.myshopify.com' }, [topic, body])).toMatchObject({ status: 200, body: { accepted: 'privacy' } });
    expect((await sendToNamedApp(bridge, { app, shop: 'stranger.myshopify.com', secret: 'not the app’s' }, [topic, body])).status).toBe(401);
  });

  test('the connection that came by the app goes before others of the store, and a closed one after them', async () => {
    await using it = await world();
    const { bridge } = it;
    const [app, other] = [await addApp(bridge), await addApp(bridge, { id: 'other' })];
    const byApp = await connectByApp(bridge, app);
    const byOther = await connectByApp(bridge, other);

    expect((await sendToNamedApp(bridge, { app }, paid())).status).toBe(200);
    await bridge.settled(byApp, ORDER, 'recorded');
    expect(await bridge.order(byOther, ORDER)).toBeNull();

    await bridge.app.core.connections.close(byApp.connection.id);
    await until(
      async () => {
        await sendToNamedApp(bridge, { app }, paid());
        return (await bridge.order(byOther, ORDER)) !== null;
      },
      { what: 'the order to reach the other connection' },
    );
  });
});

describe('an app of a merchant’s own organisation, whose secret they know', () => {
  const redact = (shop: string) => ['customers/redact', { shop_id: 1, shop_domain: shop, customer: { id: 1 }, orders_to_redact: [1] }] as const;
  const exported = (shop: string) =>
    ['customers/data_request', { shop_id: 1, shop_domain: shop, customer: { id: 1 }, orders_requested: [1], data_request: { id: 9 } }] as const;
  const typed = (shop: string, clientId: string) => ({
    ...{ platform: 'shopify', settings: shopifySettings, store: shop },
    access: { url: `https://${shop}`, clientId, clientSecret: 'typed' },
  });
  const deliveries = async ({ pool }: Bridge, { connection }: Connected) => (await lastDeliveries(pool, connection.id, 5)).map(({ topic }) => topic);

  test('signs for no store that came by another app, by other keys, or by none', async () => {
    await using it = await world();
    const { bridge } = it;
    const [own, other] = [await addApp(bridge, { id: 'own', clientId: 'own-id', kind: 'own' }), await addApp(bridge, { id: 'other' })];
    const victims = [
      ['a.myshopify.com', await connectByApp(bridge, other, 'a.myshopify.com')],
      ['b.myshopify.com', await bridge.connect(typed('b.myshopify.com', 'another-id'))],
      ['c.myshopify.com', await connectByApp(bridge, null, 'c.myshopify.com')],
    ] as const;

    for (const [shop, victim] of victims) {
      expect(await sendToNamedApp(bridge, { app: own, shop }, paid())).toMatchObject({ status: 404, body: { code: 'connection.unknown' } });
      expect(await sendToNamedApp(bridge, { app: own, shop }, uninstalled)).toMatchObject({ status: 404 });
      expect(await sendToNamedApp(bridge, { app: own, shop }, redact(shop))).toMatchObject({ status: 200, body: { accepted: 'privacy' } });
      // The app of the person who runs the program speaks for all of them; its word comes after what was not taken.
      expect((await sendToNamedApp(bridge, { app: other, shop }, exported(shop))).status).toBe(200);
      await until(async () => (await deliveries(bridge, victim)).includes('customers/data_request'), { what: 'the request of the other app' });
      expect(await deliveries(bridge, victim)).toEqual(['customers/data_request']);
      expect(await isClosed(bridge, victim)).toBe(false);
    }
  });

  test('signs for the stores that came by it, and for those whose keys are its own', async () => {
    await using it = await world();
    const { bridge } = it;
    const own = await addApp(bridge, { id: 'own', clientId: 'own-id', kind: 'own' });
    const [byApp, byKeys] = [await connectByApp(bridge, own), await bridge.connect(typed('b.myshopify.com', 'own-id'))];

    expect((await sendToNamedApp(bridge, { app: own }, paid())).status).toBe(200);
    expect((await sendToNamedApp(bridge, { app: own, shop: 'b.myshopify.com' }, paid())).status).toBe(200);
    for (const connected of [byApp, byKeys]) await bridge.settled(connected, ORDER, 'recorded');
    expect((await sendToNamedApp(bridge, { app: own, shop: 'b.myshopify.com' }, redact('b.myshopify.com'))).status).toBe(200);
    await until(async () => (await deliveries(bridge, byKeys)).includes('customers/redact'), { what: 'the request' });
  });
});

describe('a secret of an app', () => {
  test('is changed without a webhook refused: both are live, and a revoked one is refused at once', async () => {
    await using it = await world();
    const { bridge } = it;
    const { core } = bridge.app;
    const app = await addApp(bridge);
    await connectByApp(bridge, app);
    expect((await sendToNamedApp(bridge, { app }, paid())).status).toBe(200);

    const named = { platform: 'shopify', id: app.id };
    const { oldUntil } = await rotateAppSecret(core, { ...named, secret: 'shpss_second', revokeNow: false }, { by: BY });
    expect(Date.parse(oldUntil ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    await until(async () => (await sendToNamedApp(bridge, { app, secret: 'shpss_second' }, paid())).status === 200, HEARD);
    expect((await sendToNamedApp(bridge, { app }, paid())).status).toBe(200);

    await rotateAppSecret(core, { ...named, secret: 'shpss_third', revokeNow: true }, { by: BY });
    await until(async () => (await sendToNamedApp(bridge, { app }, paid())).status === 401, HEARD);
    expect((await sendToNamedApp(bridge, { app, secret: 'shpss_second' }, paid())).status).toBe(401);
    expect((await sendToNamedApp(bridge, { app, secret: 'shpss_third' }, paid())).status).toBe(200);
  });

  test('is live at the addresses of connections that came by it, and at no other', async () => {
    await using it = await world();
    const { bridge } = it;
    const app = await addApp(bridge);
    const byApp = await connectByApp(bridge, app);
    const byHand = await connectByApp(bridge, null);
    const send = (to: Connected, secret: string) => postShopify(addressOf(bridge.app.url, to), { topic: 'orders/paid', body: paid()[1], secret });

    expect((await send(byApp, firstSecret(app))).status).toBe(200);
    expect((await send(byApp, byApp.secret)).status).toBe(200);
    expect((await send(byHand, firstSecret(app))).status).toBe(401);
  });
});

test('a removed app answers as one that never was, also one that is added again with another client id does not come back', async () => {
  await using it = await world();
  const { bridge } = it;
  const { core } = bridge.app;
  const app = await addApp(bridge);
  const connected = await connectByApp(bridge, app);
  expect((await sendToNamedApp(bridge, { app }, paid())).status).toBe(200);
  const named = { platform: 'shopify', id: app.id };

  await expect(removeApp(core, named, { by: BY })).rejects.toMatchObject({
    kind: 'conflict',
    choices: { rows: [['corner', connected.connection.id]] },
  });
  await core.connections.close(connected.connection.id);
  await removeApp(core, named, { by: BY });

  await until(async () => (await sendToNamedApp(bridge, { app }, paid())).status === 404, HEARD);
  const [removed, never] = [await sendToNamedApp(bridge, { app }, paid()), await sendToNamedApp(bridge, { app: sampleApp({ id: 'never' }) }, paid())];
  expect([removed.status, removed.body]).toEqual([never.status, never.body]);
  expect(await core.apps.add(sampleApp({ clientId: 'another' }), { by: BY })).toEqual({ taken: 'removed' });

  await addApp(bridge);
  await until(async () => (await sendToNamedApp(bridge, { app }, paid())).status === 410, HEARD);
});

describe('word of an app itself', () => {
  test('that it was uninstalled ends the connection that came by it, and none that came by another app', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const [app, other] = [await addApp(bridge), await addApp(bridge, { id: 'other' })];
    const connected = await connectByApp(bridge, app);

    expect(await sendToNamedApp(bridge, { app: other }, uninstalled)).toMatchObject({ status: 200, body: { accepted: 'ignored' } });
    expect(await sendToApp(bridge, uninstalled)).toMatchObject({ status: 200, body: { accepted: 'ignored' } });
    expect(await sendToNamedApp(bridge, { app: other }, scopes())).toMatchObject({ status: 200, body: { accepted: 'ignored' } });
    expect(await isClosed(bridge, connected)).toBe(false);

    expect(await sendToNamedApp(bridge, { app }, uninstalled)).toMatchObject({ status: 200, body: { accepted: 'closed' } });
    await until(() => isClosed(bridge, connected), { what: 'the connection to be closed' });
  });

  test('that it was uninstalled ends a connection that came by none', async () => {
    await using it = await world();
    const { bridge } = it;
    const app = await addApp(bridge);
    const connected = await connectByApp(bridge, null);

    expect((await sendToNamedApp(bridge, { app }, uninstalled)).body).toEqual({ accepted: 'closed' });
    await until(() => isClosed(bridge, connected), { what: 'the connection to be closed' });
  });

  test('that it may not read orders is a warning until it may again', async () => {
    await using it = await world();
    const { bridge } = it;
    const app = await addApp(bridge);
    const { connection } = await connectByApp(bridge, app);
    const warnings = async () => (await bridge.app.core.connections.find(connection.id))?.warnings;

    expect((await sendToNamedApp(bridge, { app }, scopes('read_products'))).body).toEqual({ accepted: 'granted' });
    await until(async () => (await warnings())?.['app-scopes'] !== undefined, { what: 'the warning' });
    expect(await warnings()).toEqual({ 'app-scopes': expect.stringContaining('read_orders') });

    expect((await sendToNamedApp(bridge, { app }, scopes('read_orders'))).status).toBe(200);
    await until(async () => Object.keys((await warnings()) ?? {}).length === 0, { what: 'the warning to end' });
  });
});
