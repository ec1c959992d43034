import { describe, expect, test } from 'vitest';
import { addressOf, postShopify, SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { HOST, hosts, known, moved, notOurs, order, quarantined, STAGING, STORE, send, stores, warnings } from '../../../support/worlds/copied-site.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { appConfig, ORDER, PAID, sendToApp, shopifySettings, UPDATED } from '../../../support/worlds/shopify-shop.ts';
import { totals, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

describe('a shop that deliveries name by its domain at the platform', () => {
  const connectShopify = ({ bridge }: World, store: string | null) => bridge.connect({ platform: 'shopify', settings: shopifySettings, store });
  const from = ({ bridge }: World, connected: Connected, [shop, topic, body]: readonly [shop: string, topic: string, body: string]) =>
    postShopify(addressOf(bridge.app.url, connected), { topic, body, secret: connected.secret, shop });

  test('connected under a custom domain, it goes on, its orders keep their key, and another shop is quarantined', async () => {
    await using it = await world({ config: appConfig });
    const { bridge, service } = it;
    const connected = await connectShopify(it, 'shop.example');
    await from(it, connected, [SHOP, 'orders/paid', shopifyBody(PAID)]);
    await bridge.settled(connected, ORDER, 'recorded');

    expect(await hosts(bridge, connected)).toEqual([{ host: SHOP, ownership: 'ours', dismissed: 0 }]);
    await from(it, connected, ['copy.myshopify.com', 'orders/updated', shopifyBody(UPDATED)]);
    await quarantined(bridge, 1);
    expect(totals(service, ORDER)).toEqual(['45.70']);
    // At the one address of the app, too, it is found by its domain at the platform.
    expect((await sendToApp(bridge, ['orders/updated', shopifyBody(UPDATED)])).status).toBe(200);
    await until(() => totals(service, ORDER)[0] === '27.90', { what: 'the update to be recorded' });
    expect((await bridge.order(connected, ORDER))?.store).toBe('shop.example');
    await expect(moved(bridge, connected, 'shop.example')).rejects.toMatchObject({ kind: 'invalid', what: expect.stringContaining('never name shop.example') });
    await expect(notOurs(bridge, connected, SHOP)).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('its first delivery decides, even if it was connected by another name; the next host is quarantined', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await connectShopify(it, 'conrer.myshopify.com');

    await from(it, connected, [SHOP, 'orders/paid', shopifyBody(PAID)]);
    await bridge.settled(connected, ORDER, 'recorded');
    await from(it, connected, ['copy.myshopify.com', 'orders/updated', shopifyBody(UPDATED)]);

    await quarantined(bridge, 1);
    expect(await stores(bridge)).toMatchObject([{ host: 'copy.myshopify.com' }]);
  });
});

describe('deliveries that go on as before', () => {
  test('of a connection that got its name from a person, because the first delivery named none', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await bridge.connect({ platform: 'woocommerce', store: 'corner' });

    await send(bridge, connected, [STORE, order(5000, '10.00')]);
    await bridge.settled(connected, '5000', 'recorded');
    await send(bridge, connected, [STAGING, order(5001, '999.00')]);

    await quarantined(bridge, 1);
    expect(await hosts(bridge, connected)).toEqual([
      { host: 'shop.example', ownership: 'ours', dismissed: 0 },
      { host: HOST, ownership: 'quarantined', dismissed: 0 },
    ]);
  });

  test('of an own shop, which name no store', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await bridge.connect();

    expect(await bridge.send(connected, 'order.paid', { order: orderOf('1') })).toBe(200);

    await bridge.settled(connected, '1', 'recorded');
    await expect(moved(bridge, connected, 'shop.example')).rejects.toMatchObject({ kind: 'invalid', what: expect.stringContaining('name no host') });
  });

  test('that name no store, of a platform that usually does', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);

    await send(bridge, connected, ['', order(5001, '20.00')]);

    await bridge.settled(connected, '5001', 'recorded');
  });

  test('of a store whose --store-url names another host; that is a warning, and makes nothing foreign', async () => {
    await using it = await world();
    const { bridge } = it;
    const access = { url: 'https://api.shop.example', consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    const connected = await bridge.connect({ platform: 'woocommerce', access });
    expect(await warnings(bridge)).toEqual([]);

    await send(bridge, connected, [STORE, order(5000, '10.00')]);
    await bridge.settled(connected, '5000', 'recorded');

    expect(await warnings(bridge)).toEqual([
      'the store’s address is on api.shop.example, but its webhooks name shop.example: check that both are this store’s',
    ]);
  });
});

test('of a store that only its first delivery tells from another: what needed review and left out is decided again by the settings that were given', async () => {
  await using it = await world();
  const { bridge } = it;
  const earlier = await bridge.connect({ platform: 'woocommerce', settings: { vatGroups: { '20': 'GROUP_B' }, recordFrom: '2026-11-20T00:00:00Z' } });
  await send(bridge, earlier, [STORE, order(5000, '10.00')]);
  await bridge.settled(earlier, '5000', 'review');
  await send(bridge, earlier, [STORE, order(5001, '12.00', { date_paid_gmt: '2026-11-01T01:00:00', date_created_gmt: '2026-11-01T01:00:00' })]);
  await bridge.settled(earlier, '5001', 'ignored');
  await bridge.app.core.connections.close(earlier.connection.id);

  const connected = await bridge.connect({ platform: 'woocommerce', shopId: earlier.connection.shopId });
  await send(bridge, connected, [STORE, order(5002, '14.00')]);

  for (const id of ['5002', '5000', '5001']) await bridge.settled(connected, id, 'recorded');
});
