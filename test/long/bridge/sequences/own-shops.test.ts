import { describe, expect, test } from 'vitest';
import { deliveriesInReview } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { changeSettings } from '../../../../src/operations/connections/change-settings.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { later, recorded, totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

describe('B1: a 2xx to an own shop means that the message is kept', () => {
  test.each(['order.created', 'order.completed', 'Order.Paid'])('a paid order that is sent as %s is recorded', async (type) => {
    await using it = await world();
    const connected = await it.bridge.connect();

    expect(await it.bridge.send(connected, type, { order: orderOf('1') })).toBe(200);

    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('a message without an order waits for a person', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();

    expect(await it.bridge.send(connected, 'product.updated', { product: {} })).toBe(200);

    await until(
      async () => {
        const kept = { code: 'payload.unreadable', detail: expect.stringContaining('data.order'), kept: true };
        expect(await deliveriesInReview(it.bridge.pool)).toMatchObject([kept]);
        return true;
      },
      { what: 'the message to be kept' },
    );
  });
});

describe('B2: the record of a sale stays until its money is proven to be back', () => {
  test.each([
    ['cancelled', {}, 'removal.unproven'],
    ['pending', {}, 'payment.outstanding'],
    ['cancelled', { test: true }, 'removal.unproven'],
  ])('%s without its moment of payment, %j', async (status, also, code) => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { status, ...also, paidAt: null, refunds: undefined, updatedAt: later(5) }) });

    expect((await it.bridge.settled(connected, '1', 'review')).review).toMatchObject({ code });
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});

test('B6: a cancelled order of which a part went back ends with the rest, and nobody is asked', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');

  const refunds = [{ id: 'r1', at: later(5), amount: '43.00' }];
  await it.bridge.send(connected, 'order.cancelled', { order: orderOf('1', { status: 'cancelled', refunds, updatedAt: later(5) }) });

  await until(() => totals(it.service, '1').join() === '5.00', { what: 'the rest to be recorded' });
  await it.bridge.settled(connected, '1', 'recorded');
});

test('live L8: a refund by lines comes off, although a later one without lines waits for a person', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' } } });
  const amounts = { a: { amount: '9.99', vatRate: '20' }, b: { amount: '22.35', vatRate: '9' }, s: { amount: '4.90', vatRate: '20' } };
  const sale = { total: '37.24', lines: Object.entries(amounts).map(([id, line]) => ({ id, name: id, ...line })) };
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', sale) });
  await it.bridge.settled(connected, '1', 'recorded');

  const refunds = [
    { id: 'r1', at: later(5), amount: '10.00', lines: [{ lineId: 'a', quantity: 1, amount: '10.00' }] },
    { id: 'r2', at: later(6), amount: '1.00' },
  ];
  await it.bridge.send(connected, 'order.refunded', { order: orderOf('1', { ...sale, refunds, updatedAt: later(6) }) });

  expect((await it.bridge.settled(connected, '1', 'review')).review).toMatchObject({ code: 'refund.unattributed' });
  expect(totals(it.service, '1')).toEqual(['27.24']);
});

test('new settings decide again about parcels that came back, and orders in the merchant’s own statuses', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const connected = await it.bridge.connect({ settings: { payments: { cod: { paymentType: 'POSTAL_PAYMENT' } } } });
  const payment = { method: 'cod' };
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment }) });
  await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.send(connected, 'order.cancelled', { order: orderOf('1', { payment, status: 'cancelled', updatedAt: later(5) }) });
  await it.bridge.settled(connected, '1', 'review');
  await it.bridge.send(connected, 'order.updated', { order: orderOf('2', { payment, status: 'on-delivery', paidAt: null }) });
  await it.bridge.settled(connected, '2', 'waiting');

  const notify = () => undefined;
  const { id, settings } = connected.connection;
  const changed = { ...settings, codCancelled: 'remove' as const, paidStatuses: ['on-delivery'] };
  const { again } = await changeSettings({ pool: core.pool, connections: core.connections, notify }, { id, by: 'test', settings: changed });
  expect(again).toEqual({ released: 1 });

  await it.bridge.settled(connected, '1', 'removed');
  await it.bridge.settled(connected, '2', 'recorded');
  expect([totals(it.service, '1'), totals(it.service, '2')]).toEqual([[], ['48.00']]);
});
