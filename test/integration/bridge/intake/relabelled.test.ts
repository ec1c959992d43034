import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { rotateSecret } from '../../../../src/operations/connections/store-secrets.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { BY } from '../../../support/samples/by.ts';
import { addressOf, postShopify, SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import type { Bridge, Connected } from '../../../support/worlds/bridge.ts';
import { connectWoo, hosts, order, quarantined, STORE, send, stores, warnings } from '../../../support/worlds/copied-site.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { APP_SECRET, appConfig, connectShop, ORDER, PAID, sendToApp, sendToShop, shopifySettings } from '../../../support/worlds/shopify-shop.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const OTHER = 'other.myshopify.com';

async function recorded({ bridge }: World): Promise<Connected> {
  const connected = await connectShop(bridge);
  await sendToShop(bridge, connected, ['orders/paid', shopifyBody(PAID)]);
  await bridge.settled(connected, ORDER, 'recorded');
  return connected;
}

const counts = rowsOf('deliveries', z.object({ count: z.int() }));

/** Deliveries that were noted as a warning. */
async function warned({ pool }: Bridge, count: number): Promise<void> {
  const text = `select count(*) as count from deliveries where outcome = 'warning'`;
  await until(async () => (await readOne(pool, counts, { text })).count === count, { what: `${count} warnings` });
}

async function isUntouched(bridge: Bridge, connected: Connected): Promise<void> {
  expect(await bridge.order(connected, ORDER)).toMatchObject({
    state: 'recorded',
    customer: { kind: 'known', customer: { email: 'maria.ivanova@example.com' } },
  });
  expect((await bridge.app.core.connections.find(connected.connection.id))?.closedAt).toBeNull();
}

describe('finding 8: a captured signed body', () => {
  test.each(['app/uninstalled', 'shop/redact', 'orders/delete'])('as %s does nothing; the merchant is warned until the secret is another', async (topic) => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await recorded(it);

    expect((await sendToShop(bridge, connected, [topic, shopifyBody(PAID)])).status).toBe(200);

    await warned(bridge, 1);
    await isUntouched(bridge, connected);
    expect(await warnings(bridge)).toEqual([expect.stringContaining(`under the topic ${topic}, which it does not fit`)]);
    await rotateSecret(bridge.app.core, { id: connected.connection.id, secret: 'another-secret-0123456789', revokeNow: true, by: BY });
    expect(await warnings(bridge)).toEqual([]);
  });

  test('of another shop of the app, under this one’s name, does nothing to either', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await recorded(it);
    const other = await bridge.connect({ platform: 'shopify', settings: shopifySettings, store: OTHER });

    for (const [topic, body] of [
      ['app/uninstalled', { id: 1, myshopify_domain: OTHER }],
      ['shop/redact', { shop_id: 1, shop_domain: OTHER }],
    ] as const)
      expect((await sendToApp(bridge, [topic, body])).status).toBe(200);

    await warned(bridge, 2);
    await isUntouched(bridge, connected);
    expect((await bridge.app.core.connections.find(other.connection.id))?.closedAt).toBeNull();
    expect(await warnings(bridge)).toEqual([expect.stringContaining(`store.other: `)]);
  });

  test('at the address of a store whose name is not known yet does not close it', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await bridge.connect({ platform: 'shopify', settings: shopifySettings });
    const address = addressOf(bridge.app.url, connected);

    await postShopify(address, { topic: 'app/uninstalled', body: { id: 1, myshopify_domain: OTHER }, secret: connected.secret, shop: OTHER });

    await warned(bridge, 1);
    expect(await bridge.app.core.connections.find(connected.connection.id)).toMatchObject({ closedAt: null, store: null });
  });

  test('of an order, as order.deleted, removes no record where `removeWithoutRefund` is remove', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await bridge.connect({ platform: 'woocommerce', settings: { removeWithoutRefund: 'remove' } });
    await send(bridge, connected, [STORE, order(5000, '10.00')]);
    await bridge.settled(connected, '5000', 'recorded');

    await send(bridge, connected, [STORE, order(5000, '10.00'), 'order.deleted']);

    await warned(bridge, 1);
    expect(await bridge.settled(connected, '5000', 'recorded')).toMatchObject({ revision: 1 });
    expect(service.requests('DELETE')).toEqual([]);
  });
});

describe('an order of another shop of the app, which has the same secret, at this one’s address', () => {
  const ofApp = { platform: 'shopify', settings: shopifySettings, secret: APP_SECRET };

  test.each([SHOP, null])('is quarantined even where no order came before it, and decides nothing: connected as %s', async (store) => {
    await using it = await world({ config: appConfig });
    const { bridge, service } = it;
    const other = await bridge.connect({ ...ofApp, store: OTHER });
    const connected = await bridge.connect({ ...ofApp, store });
    const captured = { topic: 'orders/paid', body: shopifyBody(PAID), secret: APP_SECRET, shop: OTHER };

    await postShopify(addressOf(bridge.app.url, other), captured);
    await bridge.settled(other, ORDER, 'recorded');
    await postShopify(addressOf(bridge.app.url, connected), captured);

    await quarantined(bridge, 1);
    expect(await stores(bridge)).toMatchObject([{ connectionId: connected.connection.id, host: OTHER }]);
    expect(await bridge.order(connected, ORDER)).toBeNull();
    expect(service.current(ORDER)).toHaveLength(1);
    await sendToShop(bridge, connected, ['orders/paid', shopifyBody('order-paid-eur-excl-tax-rounding')]);
    await until(() => bridge.order(connected, '6512345000303'), { what: 'its own first order' });
    expect((await hosts(bridge, connected))?.filter(({ ownership }) => ownership !== 'quarantined').map(({ host }) => host)).toEqual(
      store === null ? [SHOP] : [],
    );
  });

  test('is taken once that other connection is closed: the shop was connected again', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const before = await bridge.connect({ ...ofApp, store: SHOP });
    await bridge.app.core.connections.close(before.connection.id);
    const after = await bridge.connect({ ...ofApp, store: null });

    await sendToShop(bridge, after, ['orders/paid', shopifyBody(PAID)]);

    await bridge.settled(after, ORDER, 'recorded');
  });
});

describe('of a host that is not the store’s', () => {
  test('an erasure, with its own name everywhere, erases nobody', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await recorded(it);
    const copy = { topic: 'shop/redact', body: { shop_id: 2, shop_domain: OTHER }, secret: connected.secret, shop: OTHER };

    expect((await postShopify(addressOf(bridge.app.url, connected), copy)).status).toBe(200);

    await warned(bridge, 1);
    await isUntouched(bridge, connected);
  });

  test('what can’t be read needs review with its host, and a signed error is noted, without a word to the merchant about the store', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await connectWoo(it);
    await send(bridge, connected, [STORE, order(5000, '10.00')]);
    await bridge.settled(connected, '5000', 'recorded');

    await send(bridge, connected, ['https://staging.shop.example/', { id: 5001 }]);
    await send(bridge, connected, ['https://staging.shop.example/', { code: 'rest_no_route', message: 'No route.' }]);

    await warned(bridge, 1);
    const rows = rowsOf('deliveries', z.object({ detail: z.string() }));
    const review = () => readOne(bridge.pool, rows, { text: `select coalesce(max(detail), '') as detail from deliveries where outcome = 'review'` });
    await until(async () => (await review()).detail.startsWith('of the host staging.shop.example, '), { what: 'the host to be named' });
    expect(await warnings(bridge)).toEqual([]);
  });
});
