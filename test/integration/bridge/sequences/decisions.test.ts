import { describe, expect, test } from 'vitest';
import { reevaluate } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import { confirmOrder } from '../../../../src/bridge/ledger/review/resolutions.ts';
import { readBridgeActs } from '../../../support/samples/bridge-acts.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { later, totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

const refundedInPart = (id: string) => orderOf(id, { updatedAt: later(5), refunds: [{ id: 'r1', at: later(5), amount: '12.00' }] });

describe('a person resolves an order', () => {
  test('reported as recorded, it is as safe from later settings as any other record', async () => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect();
    it.service.next('create', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    const lost = await it.bridge.settled(connected, '1', 'unconfirmed');
    expect(await confirmOrder(it.bridge.pool, lost.id, { seq: 1, recorded: it.service.current('1')[0]?.id ?? '', by: 'cli:test@here' })).toBe('confirmed');
    expect(await readBridgeActs(it.bridge.pool)).toMatchObject([
      { who: 'cli:test@here', act: 'order.confirmed', orderRef: lost.id, before: { step: 'create' } },
    ]);
    await it.bridge.settled(connected, '1', 'recorded');

    const payments = { stripe: { paymentType: 'OTHER' } };
    await it.bridge.app.core.connections.changeSettings(connected.connection.id, {
      by: 'test',
      edit: () => ({ recordFrom: '2026-11-20T00:00:00Z', payments, transactionWaitSeconds: 0 }),
    });
    await it.bridge.send(connected, 'order.updated', { order: refundedInPart('1') });

    await until(() => totals(it.service, '1')[0] === '36.00', { what: 'the refund to be recorded' });
    const order = await it.bridge.settled(connected, '1', 'recorded');
    expect(order.record?.paymentType).toBe('PAYMENT_PROCESSOR');
    expect(order.mapping?.payments['stripe']).toEqual({ paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' });
  });

  test('what was seen of an earlier step is not said of the one that is open', async () => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect();
    it.service.next('create', 'lose-request', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    const { id } = await it.bridge.settled(connected, '1', 'unconfirmed');
    const confirm = (seq: number) => confirmOrder(it.bridge.pool, id, { seq, recorded: null, by: 'cli:test@here' });
    expect(await confirm(1)).toBe('confirmed');
    await it.bridge.settled(connected, '1', 'unconfirmed');

    expect(await confirm(1)).toBe('not-unconfirmed');
    expect(await confirm(2)).toBe('confirmed');
  });

  test('a create that is under way can’t be resolved', async () => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect();
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.service.requests('POST').length === 1, { what: 'the create to be sent' });

    const order = await it.bridge.order(connected, '1');

    expect(await confirmOrder(it.bridge.pool, order?.id ?? 0, { seq: 1, recorded: null, by: 'cli:test@here' })).toBe('not-unconfirmed');
    it.service.letGo();
  });
});

test('orders that wrong settings left out are decided again when the settings are corrected', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { recordFrom: '2026-11-15T00:00:00Z' } });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
  await it.bridge.settled(connected, '1', 'ignored');
  const divided = await it.bridge.settled(connected, '2', 'ignored');
  await it.bridge.pool.query("update orders set state = 'review', review_code = 'payment.divided', review_detail = '' where id = $1", [divided.id]);

  const { settings } = connected.connection;
  await it.bridge.app.core.connections.changeSettings(connected.connection.id, {
    by: 'test',
    edit: () => ({ ...settings, recordFrom: '2026-10-01T00:00:00Z' }),
  });
  expect(await reevaluate(it.bridge.pool, { unrecordedOf: connected.connection.id })).toHaveLength(2);

  for (const id of ['1', '2']) {
    await it.bridge.settled(connected, id, 'recorded');
    expect(totals(it.service, id)).toEqual(['48.00']);
  }
});
