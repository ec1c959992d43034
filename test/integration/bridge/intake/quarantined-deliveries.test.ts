import { randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { sealBody } from '../../../../src/bridge/delivery/sealed-delivery.ts';
import { deliveriesInReview, dropOldBodies, releaseQuarantined } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { admitDelivery } from '../../../../src/bridge/ledger/deliveries/store-hosts.ts';
import { listWaiting } from '../../../../src/operations/orders/list-review.ts';
import { sealerOf } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { addressOf, postShopify, SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { normalize } from '../../../support/samples/woo-order.ts';
import type { Connected } from '../../../support/worlds/bridge.ts';
import { HOST, hosts, known, moved, notOurs, order, outcomes, quarantined, STAGING, send, stores } from '../../../support/worlds/copied-site.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { appConfig, ORDER, PAID, sendToShop, shopifySettings } from '../../../support/worlds/shopify-shop.ts';

const world = useSharedWorlds();

describe('what is quarantined', () => {
  /** A delivery on its way to the recorder. */
  function accepted({ connection }: Connected, id: number, minute: number): AcceptedDelivery {
    const body = order(id, '20.00');
    return {
      ...{ id: randomUUID(), connectionId: connection.id, topic: 'order.updated', platformDeliveryId: null, store: STAGING, normalized: normalize(body) },
      ...{ arrivedAt: new Date(Date.UTC(2026, 10, 21, 3, minute)).toISOString(), body: zstdCompressSync(JSON.stringify(body)).toString('base64') },
    };
  }

  test('by a worker that has not heard of --moved yet goes on all the same, and by one that has not heard of --not-ours is counted', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);
    const late = () => admitDelivery(bridge.pool, { delivery: accepted(connected, 5001, 0), host: HOST, store: 'https://shop.example', undecided: false });

    await moved(bridge, connected, HOST);
    expect(await late()).toBe('ours');
    await notOurs(bridge, connected, HOST);
    expect(await late()).toBe('not-ours');

    expect(await outcomes(bridge)).toEqual([]);
    expect(await hosts(bridge, connected)).toContainEqual({ host: HOST, ownership: 'not-ours', dismissed: 1 });
  });

  test('without a body, such as a draft, is not quarantined by a worker that has not heard of the store yet: nobody could read it again', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);
    const draft = { ...accepted(connected, 5001, 0), body: null };

    expect(await admitDelivery(bridge.pool, { delivery: draft, host: HOST, store: null, undecided: true })).toBe('quarantined');

    expect(await outcomes(bridge)).toEqual([]);
    expect(await stores(bridge)).toEqual([]);
  });

  test('while --moved runs goes on, too', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await known(it);
    await send(bridge, connected, [STAGING, order(6000, '20.00')]);
    await quarantined(bridge, 1);
    const ids = Array.from({ length: 20 }, (_, index) => 6001 + index);

    const sent = Promise.all(ids.map((id) => send(bridge, connected, [STAGING, order(id, '20.00')])));
    await moved(bridge, connected, HOST);
    await sent;

    for (const id of [6000, ...ids]) await bridge.settled(connected, String(id), 'recorded');
    expect(await stores(bridge)).toEqual([]);
    expect(service.requests('POST')).toHaveLength(22);
  });

  test('goes on whole after a command that was cut short, page by page', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);
    for (let id = 1; id <= 120; id += 1)
      await admitDelivery(bridge.pool, {
        delivery: accepted(connected, 7000 + (id % 10), id % 60),
        host: HOST,
        store: 'https://shop.example',
        undecided: false,
      });
    const page = { connectionId: connected.connection.id, host: HOST, size: 50 };
    let read = 0;

    const cut = releaseQuarantined(bridge.pool, page, async ({ id }) => {
      read += 1;
      if (read === 20) throw new Error('killed');
      return { ignored: id };
    });
    await expect(cut).rejects.toThrow('killed');

    expect(await stores(bridge)).toMatchObject([{ host: HOST, deliveries: 120 }]);
    expect(await moved(bridge, connected, HOST)).toMatchObject({ released: 120 });
    for (let id = 0; id < 10; id += 1) await bridge.settled(connected, String(7000 + id), 'recorded');
    expect(await stores(bridge)).toEqual([]);
  });

  test('is kept beyond the retention time of bodies', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);
    await send(bridge, connected, [STAGING, order(5001, '20.00')]);
    await quarantined(bridge, 1);
    await bridge.pool.query(`update deliveries set arrived_at = arrived_at - interval '90 days'`);

    // That of order 5000; the sweeper may have been faster.
    await dropOldBodies(bridge.pool, { days: 30, decidedDays: 30, now: new Date() });

    expect(await outcomes(bridge)).toEqual(['1 quarantined']);
    await moved(bridge, connected, HOST);
    await bridge.settled(connected, '5001', 'recorded');
  });

  test('that can’t be read by this release needs review by itself', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);
    await send(bridge, connected, [STAGING, order(5001, '20.00')]);
    await quarantined(bridge, 1);
    const { id } = await readOne(bridge.pool, rowsOf('deliveries', z.object({ id: z.string() })), {
      text: `select id from deliveries where outcome = 'quarantined'`,
    });
    const body = sealBody(sealerOf(bridge.pool), { id, body: zstdCompressSync('{"id": 5001}') });
    await bridge.pool.query(`update deliveries set body = $1 where outcome = 'quarantined'`, [body]);

    expect(await moved(bridge, connected, HOST)).toMatchObject({ released: 0, review: 1 });

    expect(await deliveriesInReview(bridge.pool)).toMatchObject([{ code: 'payload.unreadable', kept: true }]);
  });
});

describe('personal data of what is quarantined', () => {
  const OTHER_SHOP = 'corner-copy.myshopify.com';
  const requests = [
    ['customers/redact', { shop_domain: SHOP, customer: { id: 1 }, orders_to_redact: [Number(ORDER)] }],
    ['shop/redact', { shop_domain: SHOP }],
  ] as const;

  test.each(requests)('%s erases it; --moved then says which order can’t be read any more', async (topic, body) => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP });
    await sendToShop(bridge, connected, ['orders/paid', shopifyBody('order-paid-eur-excl-tax-rounding')]);
    await until(() => bridge.order(connected, '6512345000303'), { what: 'the first order' });
    const address = addressOf(bridge.app.url, connected);
    await postShopify(address, { topic: 'orders/paid', body: shopifyBody(PAID), secret: connected.secret, shop: OTHER_SHOP });
    await quarantined(bridge, 1);

    expect((await sendToShop(bridge, connected, [topic, body])).status).toBe(200);

    const gone = `select count(*) as count from deliveries where outcome = 'quarantined' and body is null`;
    await until(async () => (await readRows(bridge.pool, rowsOf('deliveries', z.object({ count: z.int() })), { text: gone }))[0]?.count === 1, {
      what: 'its body to be erased',
    });
    expect(await stores(bridge)).toMatchObject([{ host: OTHER_SHOP, deliveries: 1 }]);
    expect(await moved(bridge, connected, OTHER_SHOP)).toEqual({ host: OTHER_SHOP, released: 0, review: 1, dismissed: 0, api: null });
    const { deliveries } = await listWaiting({ pool: bridge.pool });
    expect(deliveries).toMatchObject([{ code: 'store.other', kept: false, todo: expect.stringContaining('save the order in the store') }]);
  });
});
