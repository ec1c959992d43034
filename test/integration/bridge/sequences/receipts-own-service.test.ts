import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import type { PlannedFault } from '../../../../src/service/fault-injection.ts';
import { longTest } from '../../../support/long-test.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { type Call, callerOf, shopDto } from '../../../support/worlds/compliance-caller.ts';
import { receiptOf } from '../../../support/worlds/receipts.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, recorded, refundedInFull, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

/** A store connected to a shop of our own service, and a caller with the key that made the shop. */
async function connect({ bridge }: World, settings: SettingsInput, options: object | null = null): Promise<{ connected: Connected; call: Call }> {
  const embedded = await bridge.app.core.destinations.find(await bridge.embeddedDestinationId());
  if (embedded === null) throw new Error('there is no embedded service');
  const call = callerOf(bridge.app.url, embedded.credentials);
  const shop = await call('POST', '/shop', { body: shopDto() });
  const extend = callerOf(bridge.app.url, embedded.credentials, '/service/v1');
  if (options !== null) expect((await extend('PATCH', `/shops/${String(shop.body['id'])}`, { body: options })).status).toBe(200);
  return { connected: await bridge.connect({ settings: { receipts: true, ...settings }, shopId: String(shop.body['id']) }), call };
}

async function injectFaults({ bridge }: World, ...faults: PlannedFault[]): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${bridge.app.url}/faults`, { method: 'PUT', body: JSON.stringify({ faults }), headers })).ok).toBe(true);
}

const receiptsOf = ({ bridge }: World) =>
  readRows(bridge.pool, rowsOf('compliance.receipts', z.object({ order_id: z.string() })), { text: 'select order_id from compliance.receipts' });

describe('our own service', () => {
  test('gives the receipt of a record and of its replacement, and keeps none of a refunded order', async () => {
    await using it = await world({ embeddedService: true });
    const { connected, call } = await connect(it, {});
    await recorded(it, connected, '1');
    const first = await receiptOf(it.bridge, connected, ['1', 'got']);
    const { body } = await call('POST', `/order/${first.complianceId}/receipt`);
    expect(first.receipt).toMatchObject({ id: body['id'] });
    expect(body).toMatchObject({ orderId: first.complianceId, total: 48, edition: 1 });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(async () => (await it.bridge.order(connected, '1'))?.complianceId !== first.complianceId, { what: 'the record to be replaced' });
    const second = await receiptOf(it.bridge, connected, ['1', 'got']);
    expect(await receiptsOf(it)).toEqual([{ order_id: second.complianceId }]);

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 2) });
    await it.bridge.settled(connected, '1', 'removed');
    expect(await receiptsOf(it)).toEqual([]);
  });

  test('that made the receipt by itself is asked for it all the same, and makes no second one', async () => {
    await using it = await world({ embeddedService: true });
    const { connected } = await connect(it, {}, { automaticReceipts: true });

    await recorded(it, connected, '1');
    const order = await receiptOf(it.bridge, connected, ['1', 'got']);

    const rows = await readRows(it.bridge.pool, rowsOf('compliance.receipts', z.object({ id: z.string() })), { text: 'select id from compliance.receipts' });
    expect(rows).toEqual([{ id: order.receipt?.state === 'got' ? order.receipt.id : null }]);
    const mails = await it.bridge.pool.query(`select from compliance.mails where kind = 'receipt'`);
    expect(mails.rowCount).toBe(1);
  });

  test.each(['POSTAL_PAYMENT', 'BANK_TRANSFER', 'FISCAL_RECEIPT', 'OTHER'] as const)(
    'gets no request for the receipt of an order paid by %s',
    async (paymentType) => {
      await using it = await world({ embeddedService: true });
      const { connected, call } = await connect(it, { payments: { stripe: { paymentType } } });

      await recorded(it, connected, '1');

      const order = await it.bridge.settled(connected, '1', 'recorded');
      expect(order.receipt).toBeNull();
      expect(await call('POST', `/order/${order.complianceId}/receipt`)).toMatchObject({ status: 422 });
    },
  );

  longTest('has one receipt although each reply is lost, or is 502, or says to wait', async () => {
    await using it = await world({ embeddedService: true, config: { complianceFaults: true } });
    const { connected } = await connect(it, {});
    await injectFaults(
      it,
      { on: 'receipt', do: 'lose-reply', times: 2 },
      { on: 'receipt', do: 'status', status: 502, times: 2 },
      { on: 'receipt', do: 'status', status: 429, retryAfter: 1 },
    );

    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    const order = await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(await receiptsOf(it)).toEqual([{ order_id: order.complianceId }]);
    expect(order.state).toBe('recorded');
  });
});
