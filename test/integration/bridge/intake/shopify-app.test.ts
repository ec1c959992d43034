import { describe, expect, test } from 'vitest';
import { SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { HEARD, until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { appConfig, connectShop, ORDER, PAID, REFUND, sendToApp, sendToShop, shopifySettings, UPDATED } from '../../../support/worlds/shopify-shop.ts';
import { totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

describe('the one address for all shops of an app', () => {
  test('finds the connection by the shop’s domain', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await connectShop(bridge);

    expect((await sendToApp(bridge, ['orders/paid', shopifyBody(PAID)], { shop: SHOP.toUpperCase() })).status).toBe(200);

    await bridge.settled(connected, ORDER, 'recorded');
  });

  test('401 on a bad signature, 404 for a shop that is not connected, 410 for one that was', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const closed = await connectShop(bridge);
    await bridge.app.core.connections.close(closed.connection.id);

    const forged = await sendToApp(bridge, ['orders/paid', shopifyBody(PAID)], { secret: 'not the app’s' });
    const stranger = await sendToApp(bridge, ['orders/paid', shopifyBody(PAID)], { shop: 'stranger.myshopify.com' });

    expect([forged.status, stranger.status]).toEqual([401, 404]);
    // A process hears of it a moment later.
    const former = async () => (await sendToApp(bridge, ['orders/paid', shopifyBody(PAID)])).status === 410;
    await until(former, HEARD);
  });

  test('a store that was connected again is found under its new connection', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const before = await connectShop(bridge);
    await until(async () => (await sendToApp(bridge, ['orders/paid', shopifyBody(PAID)])).status === 200, HEARD);
    await bridge.settled(before, ORDER, 'recorded');
    await bridge.app.core.connections.close(before.connection.id);
    await until(async () => (await sendToApp(bridge, ['orders/updated', shopifyBody(PAID)])).status === 410, HEARD);

    const after = await bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP, shopId: before.connection.shopId });
    await until(async () => (await sendToApp(bridge, ['orders/updated', shopifyBody(UPDATED)])).status === 200, HEARD);

    await until(() => totals(it.service, ORDER)[0] === '27.90', { what: 'the update to be recorded' });
    expect((await bridge.settled(after, ORDER, 'recorded')).connectionId).toBe(after.connection.id);
  });

  test.each([
    ['customers/data_request', { orders_requested: [1], customer: { id: 1 }, data_request: { id: 9 } }],
    ['customers/redact', { orders_to_redact: [1], customer: { id: 1 } }],
    ['shop/redact', {}],
  ])('%s of a shop that is not known here is in order, if it is signed', async (topic, fields) => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const body = { shop_id: 1, shop_domain: 'stranger.myshopify.com', ...fields };

    const signed = await sendToApp(bridge, [topic, body], { shop: 'stranger.myshopify.com' });
    const forged = await sendToApp(bridge, [topic, body], { shop: 'stranger.myshopify.com', secret: 'not the app’s' });

    expect([signed.status, forged.status]).toEqual([200, 401]);
  });

  test('without an app there is no such address', async () => {
    await using it = await world();
    const { bridge } = it;

    expect((await sendToApp(bridge, ['shop/redact', {}])).status).toBe(404);
  });
});

describe('a paid order, its refund and its update', () => {
  const deliveries = [
    ['orders/paid', PAID],
    ['refunds/create', REFUND],
    ['orders/updated', UPDATED],
  ] as const;
  const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 1], [1, 0], [2]] as const;

  test.each(orders.map((order) => [order]))('end with the same record, delivered in the order %j', async (order) => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await connectShop(bridge);
    const sequence = [...order, ...order];

    for (const index of sequence) {
      const [topic, name] = deliveries[index] ?? deliveries[0];
      expect((await sendToShop(bridge, connected, [topic, shopifyBody(name)])).status).toBe(200);
    }

    await until(() => totals(it.service, ORDER).join() === '27.90', { what: 'what is left to be recorded' });
    await bridge.settled(connected, ORDER, 'recorded');
    const [current] = it.service.current(ORDER);
    expect(current?.dto).toMatchObject({ internalNumber: '#1042' });
    expect(current?.dto.lineItems.map(({ name, quantity, price, vatRate }) => [name, quantity, price, vatRate])).toEqual([
      ['Керамична чаша 350 мл', 1, 12.9, 20],
      ['Под игото – Иван Вазов (книга)', 1, 15, 9],
    ]);
  });
});

describe('app/uninstalled', () => {
  test('closes the connection; what was accepted is still submitted', async () => {
    await using it = await world({ config: { ...appConfig, quietSeconds: 1 } });
    const { bridge } = it;
    const connected = await connectShop(bridge);
    const paid = shopifyBody('order-paid-eur-excl-tax-rounding').replaceAll('paypal', 'shopify_payments');

    expect((await sendToShop(bridge, connected, ['orders/paid', paid])).status).toBe(200);
    expect((await sendToShop(bridge, connected, ['app/uninstalled', { id: 1, domain: SHOP }])).status).toBe(200);

    await until(async () => (await sendToShop(bridge, connected, ['orders/paid', paid])).status === 410, { what: 'the connection to be closed' });
    await bridge.settled(connected, '6512345000303', 'recorded');
    expect(totals(it.service, '6512345000303')).toEqual(['40.63']);
  });
});
