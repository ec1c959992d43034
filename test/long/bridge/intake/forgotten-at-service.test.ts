import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { readOne, readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import type { PlannedFault } from '../../../../src/service/fault-injection.ts';
import { SHOP, shopifyBody } from '../../../support/samples/signed-webhooks.ts';
import type { Connected } from '../../../support/worlds/bridge.ts';
import { ownShop } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { appConfig, ORDER, PAID, REFUND, sendToShop, shopifySettings, UPDATED } from '../../../support/worlds/shopify-shop.ts';
import { recorded as recordedOf, refundedInFull, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const redact = { shop_domain: SHOP, customer: { id: 1, email: 'maria.ivanova@example.com' }, orders_to_redact: [Number(ORDER)] };
const counts = rowsOf('all', z.object({ buyers: z.int(), orders: z.int(), outboxJobs: z.int() }));
const AT_SERVICE = `select (select count(*) from compliance.orders where customer is not null)::int as buyers, (select count(*) from compliance.orders)::int as orders,
  (select count(*) from jobs where kind in ('forget-buyer', 'delivered'))::int as "outboxJobs"`;

function open(): Promise<World> {
  return world({ embeddedService: true, config: { ...appConfig, sweepSeconds: 0.2, complianceFaults: true } });
}

async function connect(it: World): Promise<Connected> {
  const { shopId } = await ownShop(it);
  return it.bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP, shopId });
}

async function recorded(it: World): Promise<Connected> {
  const connected = await connect(it);
  await sendToShop(it.bridge, connected, ['orders/paid', shopifyBody(PAID)]);
  await it.bridge.settled(connected, ORDER, 'recorded');
  return connected;
}

const atService = ({ bridge }: World) => readOne(bridge.pool, counts, { text: AT_SERVICE });
const forgotten = (it: World) =>
  until(
    async () => {
      const found = await atService(it);
      if (found.buyers > 0 || found.outboxJobs > 0) throw new Error(JSON.stringify(found));
      return found;
    },
    { what: 'the service to forget the buyer' },
  );

async function injectFaults({ bridge }: World, ...faults: PlannedFault[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${bridge.app.url}/faults`, { method: 'PUT', body: JSON.stringify({ faults }), headers })).ok).toBe(true);
}

describe('our own service forgets', () => {
  test.each([
    ['customers/redact', redact],
    ['shop/redact', { shop_domain: SHOP }],
  ])('the buyer after %s; the record stays as it is', async (topic, request) => {
    await using it = await open();
    const connected = await recorded(it);
    const before = await it.bridge.order(connected, ORDER);
    expect(await atService(it)).toEqual({ buyers: 1, orders: 1, outboxJobs: 0 });

    await sendToShop(it.bridge, connected, [topic, request]);

    expect(await forgotten(it)).toEqual({ buyers: 0, orders: 1, outboxJobs: 0 });
    expect(await it.bridge.order(connected, ORDER)).toMatchObject({ state: 'recorded', complianceId: before?.complianceId, customer: { kind: 'erased' } });
  });

  test.each([
    ['is down for a while', { on: 'read', do: 'status', status: 503, times: 2 }],
    ['throttles', { on: 'read', do: 'status', status: 429, retryAfter: 1 }],
    ['loses its reply', { on: 'read', do: 'lose-reply' }],
    ['breaks', { on: 'read', do: 'status', status: 500 }],
  ] satisfies [string, PlannedFault][])('the buyer although it %s', async (_what, fault) => {
    await using it = await open();
    const connected = await recorded(it);
    await injectFaults(it, fault);

    await sendToShop(it.bridge, connected, ['customers/redact', redact]);

    await forgotten(it);
  });

  test('a buyer whose order was being recorded meanwhile', async () => {
    await using it = await open();
    const connected = await connect(it);
    await injectFaults(it, { on: 'create', do: 'slow', ms: 1_500 });
    await sendToShop(it.bridge, connected, ['orders/paid', shopifyBody(PAID)]);
    await until(async () => (await it.bridge.pool.query('select from orders where open_step is not null')).rowCount === 1, { what: 'the create to be sent' });

    await sendToShop(it.bridge, connected, ['customers/redact', redact]);
    await until(async () => (await atService(it)).outboxJobs === 1, { what: 'the erasure here' });
    expect((await atService(it)).orders).toBe(0);

    await it.bridge.settled(connected, ORDER, 'recorded');
    expect(await forgotten(it)).toEqual({ buyers: 0, orders: 1, outboxJobs: 0 });
  });

  test('nobody anew: what is recorded after the erasure has no buyer', async () => {
    await using it = await open();
    const connected = await recorded(it);
    await sendToShop(it.bridge, connected, ['customers/redact', redact]);
    await forgotten(it);
    const before = await it.bridge.order(connected, ORDER);

    await sendToShop(it.bridge, connected, ['refunds/create', shopifyBody(REFUND)]);
    await sendToShop(it.bridge, connected, ['orders/updated', shopifyBody(UPDATED)]);

    await until(async () => (await it.bridge.order(connected, ORDER))?.complianceId !== before?.complianceId, { what: 'the replacement' });
    await it.bridge.settled(connected, ORDER, 'recorded');
    expect(await atService(it)).toEqual({ buyers: 0, orders: 1, outboxJobs: 0 });
  });
});

test('our own service forgets the address that it keeps for a notice after the record is deleted', async () => {
  await using it = await open();
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  const { pool } = it.bridge;
  await recordedOf(it, connected, '1');
  await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 2) });
  const { store } = await it.bridge.settled(connected, '1', 'removed');
  // As if its receipt had been mailed.
  await pool.query(
    `insert into compliance.withdrawn_receipts (order_id, shop_id, internal_key, document_number, edition, withdrawn_at, details, sealed_email)
     select id, shop_id, internal_key, document_number, edition, deleted_at, '{}', 'sealed' from compliance.deleted_orders`,
  );

  await erase(pool, { shopId, platform: connected.connection.platform, store, orderIds: ['1'], until: new Date().toISOString() });

  await forgotten(it);
  const kept = rowsOf('compliance.withdrawn_receipts', z.object({ address: z.string().nullable() }));
  expect(await readRows(pool, kept, { text: 'select sealed_email as address from compliance.withdrawn_receipts' })).toEqual([{ address: null }]);
});

describe('a service that can’t be told', () => {
  test('is not called; the health status names its records until it can', async () => {
    await using it = await world({ config: { ...appConfig, sweepSeconds: 0.2 } });
    const connected = await it.bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP });
    await sendToShop(it.bridge, connected, ['orders/paid', shopifyBody(PAID)]);
    const order = await it.bridge.settled(connected, ORDER, 'recorded');

    await sendToShop(it.bridge, connected, ['customers/redact', redact]);

    const reason = await until(
      async () => {
        const { failedChecks } = await it.bridge.app.healthReader.now();
        return failedChecks.find(({ code }) => code === 'privacy.not-forgotten');
      },
      { what: 'the reason' },
    );
    expect(reason).toMatchObject({
      level: 'attention',
      count: 1,
      words: expect.stringContaining(`ask its operator to forget the buyers of its orders ${order.complianceId}`),
    });
    expect(it.service.seen.map(({ path }) => path).filter((path) => path.includes('forget'))).toEqual([]);
  });
});
