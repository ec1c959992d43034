import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AcceptedDelivery, DELIVERIES, type DeliveriesJob } from '../../../../src/bridge/delivery/jobs.ts';
import { deliveriesOfOrder } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { putInInbox } from '../../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { keptOrders } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { listExports } from '../../../../src/bridge/ledger/privacy/privacy-exports.ts';
import type { PrivacyRequest } from '../../../../src/bridge/storefronts/contract.ts';
import { parseJson } from '../../../../src/bridge/storefronts/read-payload.ts';
import { shopify } from '../../../../src/bridge/storefronts/shopify/shopify.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { type QueueBackend, QueueSystem } from '../../../../src/platform/queue/queue-system.ts';
import { runs } from '../../../support/run-size.ts';
import { SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import { type Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { appConfig, connectShop, ORDER, PAID, sendToApp, sendToShop } from '../../../support/worlds/shopify-shop.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

describe('privacy', () => {
  const redact = { shop_domain: SHOP, customer: { id: 1, email: 'maria.ivanova@example.com' }, orders_to_redact: [Number(ORDER)] };
  const EVERYWHERE = `select (select count(*) from customers where data is not null) as customers, (select count(*) from deliveries where body is not null) + (select count(*) from bodies) as bodies,
    (select count(*) from inbox where delivery ->> 'buyer' is not null) as inbox, (select count(*) from privacy_export_orders where buyer is not null) as exports`;

  async function traces(bridge: Bridge) {
    return readOne(bridge.pool, rowsOf('all', z.record(z.string(), z.int())), { text: EVERYWHERE });
  }

  const nothingIsLeft = (bridge: Bridge) =>
    until(async () => isDeepStrictEqual(await traces(bridge), { customers: 0, bodies: 0, inbox: 0, exports: 0 }), { what: 'the person to be gone' });

  async function recorded(bridge: Bridge): Promise<Connected> {
    const connected = await connectShop(bridge);
    await sendToShop(bridge, connected, ['orders/paid', shopifyBody(PAID)]);
    await bridge.settled(connected, ORDER, 'recorded');
    return connected;
  }

  test.each([
    ['customers/redact', redact],
    ['shop/redact', { shop_domain: SHOP }],
  ])('%s erases the person everywhere, on a closed connection, too; amounts stay', async (topic, request) => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await recorded(bridge);
    await sendToShop(bridge, connected, ['customers/data_request', { shop_domain: SHOP, orders_requested: [Number(ORDER)], data_request: { id: 9 } }]);
    await until(async () => (await listExports(bridge.pool)).length === 1, { what: 'the export' });
    await bridge.app.core.connections.close(connected.connection.id);
    expect(await traces(bridge)).toEqual({ customers: 1, bodies: 1, inbox: 0, exports: 1 });

    expect((await sendToShop(bridge, connected, [topic, request])).status).toBe(200);

    await nothingIsLeft(bridge);
    const order = await bridge.order(connected, ORDER);
    expect(order).toMatchObject({ customer: { kind: 'erased' }, state: 'recorded' });
    expect(order?.record?.lineItems).toHaveLength(3);
  });

  /** The paid order as an accepted delivery on its way to the recorder. */
  function accepted({ connection }: Connected): AcceptedDelivery {
    const raw = Buffer.from(shopifyBody(PAID));
    const parsed = parseJson(raw);
    const normalized = shopify.normalize({ topic: 'orders/paid', deliveryId: null, store: SHOP }, parsed.ok ? parsed.value : null);
    const body = zstdCompressSync(raw).toString('base64');
    return {
      id: randomUUID(),
      connectionId: connection.id,
      arrivedAt: new Date().toISOString(),
      topic: 'orders/paid',
      platformDeliveryId: null,
      store: SHOP,
      body,
      normalized,
    };
  }

  function openQueue(it: Pick<World, 'redisUrl'>, databaseUrl?: string) {
    const backend: QueueBackend = databaseUrl === undefined ? { kind: 'redis', url: it.redisUrl } : { kind: 'postgres', url: databaseUrl };
    const system = new QueueSystem({ backend, stalledMs: 2_000, onError: () => undefined });
    return { queue: system.queue<DeliveriesJob>(DELIVERIES), [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
  }

  test('what waits in a job or in the inbox is erased when it is recorded', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    await using opened = openQueue(it);
    const connected = await connectShop(bridge);
    const inJob = { v: 1, deliveries: [accepted(connected)] } as const satisfies DeliveriesJob;
    await opened.queue.add(DELIVERIES, inJob, { delay: 60_000 });

    expect((await sendToShop(bridge, connected, ['customers/redact', redact])).status).toBe(200);
    await until(() => buried(bridge), { what: 'the tombstone' });
    await putInInbox(bridge.pool, accepted(connected));
    await opened.queue.promoteJobs();
    const settled = await bridge.settled(connected, ORDER, 'recorded');
    await until(async () => (await deliveriesOfOrder(bridge.pool, settled.id)).length === 2, { what: 'both to be recorded' });

    expect(settled).toMatchObject({ customer: { kind: 'erased' } });
    expect(settled.record?.lineItems).toHaveLength(3);
    await nothingIsLeft(bridge);
  });

  const buried = async (bridge: Bridge) => (await bridge.pool.query('select from tombstones')).rowCount === 1;

  test.each(['redis', 'postgres'])('finding 6: a job without any data stops no erasure: %s', async (backend) => {
    await using it = await world({ onRedis: backend === 'redis', config: appConfig });
    const { bridge } = it;
    await using opened = openQueue(it, backend === 'redis' ? undefined : it.databaseUrl);
    const connected = await recorded(bridge);
    await opened.queue.add('made-up', JSON.parse('{}'));
    await until(async () => (await opened.queue.getJobCounts('delayed'))['delayed'] === 1, { what: 'the job to fail' });

    expect((await sendToShop(bridge, connected, ['customers/redact', redact])).status).toBe(200);

    await nothingIsLeft(bridge);
    const noted = `select from deliveries where topic = 'customers/redact' and outcome = 'privacy'`;
    await until(async () => (await bridge.pool.query(noted)).rowCount === 1, { what: 'the request to be done' });
  });

  const REQUESTS = runs(20, 100);
  test(`${REQUESTS} requests among the orders of others: nothing waits`, async () => {
    await using it = await world({ config: { ...appConfig, quietSeconds: 3_600, sweepSeconds: 60 } });
    const { bridge } = it;
    await using opened = openQueue(it);
    const [asked, other] = [await connectShop(bridge), await bridge.connect()];
    const redaction = (id: number): AcceptedDelivery => ({
      ...accepted(asked),
      ...{ topic: 'customers/redact', body: null, normalized: { kind: 'privacy', request: { action: 'redact-orders', orderIds: [String(id)] } } },
    });
    // All of them merge, unlike a job that nobody can read, which is older than any of them.
    await opened.queue.add('made-up', JSON.parse('{}'));
    for (let id = 0; id < REQUESTS; id += 1) {
      await opened.queue.add(DELIVERIES, { v: 1, deliveries: [redaction(id)] });
      await opened.queue.add(DELIVERIES, { v: 1, deliveries: [accepted(asked)] }, { delay: 3_600_000 });
      await bridge.send(other, 'order.paid', { order: orderOf(String(id)) });
    }

    await until(async () => (await keptOrders(bridge.pool, {})).orders.length === REQUESTS, { what: 'the orders of the other' });
    await until(async () => (await bridge.pool.query('select from tombstones')).rowCount === REQUESTS, { what: 'every erasure' });
    expect((await opened.queue.getJobCounts('delayed'))['delayed']).toBe(REQUESTS + 1);
  });

  test.each(['its job', 'its moment'])('a redaction that shares %s with the order finds it', async (shared) => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    await using opened = openQueue(it);
    const connected = await connectShop(bridge);
    const order = accepted(connected);
    const request: PrivacyRequest = { action: 'redact-orders', orderIds: [ORDER] };
    const redaction: AcceptedDelivery = { ...order, id: randomUUID(), topic: 'customers/redact', body: null, normalized: { kind: 'privacy', request } };

    const jobs = shared === 'its job' ? [[redaction, order]] : [[redaction], [order]];
    await opened.queue.addBulk(jobs.map((deliveries) => ({ name: DELIVERIES, data: { v: 1, deliveries } })));

    const settled = await bridge.settled(connected, ORDER, 'recorded');
    await nothingIsLeft(bridge);
    expect(settled.record?.lineItems).toHaveLength(3);
  });

  test('through the app’s address it reaches every connection that the shop ever had', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const before = await recorded(bridge);
    await bridge.app.core.connections.close(before.connection.id);
    const after = await connectShop(bridge);
    await sendToShop(bridge, after, ['orders/paid', shopifyBody(PAID)]);
    await bridge.settled(after, ORDER, 'recorded');
    expect((await traces(bridge))?.['customers']).toBe(2);

    expect((await sendToApp(bridge, ['customers/redact', redact])).status).toBe(200);

    await until(async () => (await traces(bridge))?.['customers'] === 0, { what: 'both to be erased' });
  });

  test('customers/data_request keeps an export for the merchant', async () => {
    await using it = await world({ config: appConfig });
    const { bridge } = it;
    const connected = await recorded(bridge);

    expect(
      (
        await sendToApp(bridge, [
          'customers/data_request',
          { shop_domain: SHOP, orders_requested: [Number(ORDER)], data_request: { id: 9 }, customer: { id: 1 } },
        ])
      ).status,
    ).toBe(200);

    const kept = await until(async () => (await listExports(bridge.pool))[0], { what: 'the export' });
    expect(kept).toMatchObject({ connectionId: connected.connection.id, requestId: '9' });
    expect(JSON.stringify(kept?.data)).toContain('maria.ivanova@example.com');
  });
});
