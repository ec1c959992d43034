import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { eraseFromLedger } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { wooOrder } from '../../../support/samples/woo-order.ts';
import { type Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, later, recorded, refundedInFull, totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

describe('a record stays right', () => {
  test('a paid order is recorded once, however often it is delivered', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();

    const answers = await Promise.all(Array.from({ length: 10 }, () => it.bridge.send(connected, 'order.paid', { order: orderOf('1') })));

    expect(new Set(answers)).toEqual(new Set([200]));
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
    expect(it.service.requests('POST')).toHaveLength(1);
  });

  test('edit A → B → A ends with one record of A', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'B to be recorded' });
    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(2) }) });

    await until(() => totals(it.service, '1')[0] === '48.00', { what: 'A to be recorded again' });
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
    const keys = it.service.requests('POST').map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(3);
  });

  const winners = new Set<string>();
  test.each([['first, second'], ['second, first']])('two edits in one second end the same, delivered %s', async (order) => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    const edits = [edited('1', 5, '30.00'), edited('1', 5, '36.00')];

    for (const edit of order.startsWith('first') ? edits : edits.toReversed()) {
      await it.bridge.send(connected, 'order.updated', { order: edit });
    }

    const taken = async () => (await it.bridge.pool.query('select from deliveries where connection_id = $1', [connected.connection.id])).rowCount;
    await until(async () => (await taken()) === 3, { what: 'the ledger to know both edits' });
    await until(() => totals(it.service, '1').length === 1 && totals(it.service, '1')[0] !== '48.00', { what: 'an edit to be recorded' });
    await it.bridge.settled(connected, '1', 'recorded');
    const winner = await it.bridge.order(connected, '1');
    expect(totals(it.service, '1')).toEqual([winner?.facts.snapshot?.total]);
    winners.add(totals(it.service, '1')[0] ?? '');
    expect(winners.size).toBe(1);
  });

  test('a refund before its order waits for it', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();

    await it.bridge.send(connected, 'order.refunded', {
      orderId: '1',
      refund: { id: 'r1', at: later(3), amount: '24.00', lines: [{ lineId: 'a', quantity: 1, amount: '24.00' }] },
    });
    await it.bridge.settled(connected, '1', 'waiting');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { refunds: undefined }) });

    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['24.00']);
  });

  test('a full refund removes the record', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 4) });

    await it.bridge.settled(connected, '1', 'removed');
    expect(it.service.current('1')).toEqual([]);
  });

  test('a store that is connected again keeps its records', async () => {
    await using it = await world();
    const first = await it.bridge.connect({ settings: {} });
    await recorded(it, first, '1');
    await it.bridge.app.core.connections.close(first.connection.id);

    const second = await it.bridge.connect({ shopId: first.connection.shopId, settings: { recordFrom: '2026-11-20T00:00:00Z' } });
    await it.bridge.send(second, 'order.updated', { order: edited('1', 6, '30.00') });

    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.settled(second, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['30.00']);
  });

  test('a tag edit of an order paid before recordFrom records nothing', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: { recordFrom: '2026-11-15T00:00:00Z' } });

    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: '2026-11-20T00:00:00Z' }) });

    await it.bridge.settled(connected, '1', 'ignored');
    expect(it.service.seen).toEqual([]);
  });

  test('a changed processor name does not touch recorded orders', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    const payments = { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe Payments Europe' } };
    await it.bridge.app.core.connections.changeSettings(connected.connection.id, {
      by: 'test',
      edit: () => ({ ...connected.connection.settings, recordFrom: '2020-01-01T00:00:00Z', payments }),
    });
    const known = async () => (await it.bridge.app.core.cache.get(connected.connection.id))?.settings.payments;
    await until(async () => isDeepStrictEqual(await known(), payments), { what: 'the process to learn of the new settings' });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 7, '30.00') });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });

    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.settled(connected, '2', 'recorded');
    expect(it.service.current('1')[0]?.dto.paymentProcessorName).toBe('Stripe');
    expect(it.service.current('2')[0]?.dto.paymentProcessorName).toBe('Stripe Payments Europe');
  });

  test('erasure replaces no record, and later news do not bring the person back', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await eraseFromLedger(it.bridge.pool, {
      shopId: connected.connection.shopId,
      platform: 'standard',
      store: 'corner',
      orderIds: ['1'],
      until: new Date().toISOString(),
    });
    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(8) }) });
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 9, '30.00') });

    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
    const order = await it.bridge.settled(connected, '1', 'recorded');
    expect(order.customer).toEqual({ kind: 'erased' });
    expect(it.service.current('1')[0]?.dto.customer).toBeUndefined();
    expect(it.service.requests('POST')).toHaveLength(2);
  });
});

/** Sends a WooCommerce webhook, signed with the connection's secret. */
async function sendWoo({ bridge, connected: { connection, secret } }: { bridge: Bridge; connected: Connected }, topic: string, order: object): Promise<number> {
  const body = JSON.stringify(order);
  const signature = createHmac('sha256', secret).update(body).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'x-wc-webhook-topic': topic,
    'x-wc-webhook-source': 'https://corner.example/',
    'x-wc-webhook-signature': signature,
  };
  const { status } = await fetch(`${bridge.app.url}/webhooks/woocommerce/${connection.id}`, { method: 'POST', body, headers });
  return status;
}

describe('an order in the trash', () => {
  test('trash then restore ends with a record', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ platform: 'woocommerce', settings: { removeWithoutRefund: 'remove' } });
    const order = wooOrder({ id: 44 });
    await sendWoo({ bridge: it.bridge, connected }, 'order.updated', order);
    await it.bridge.settled(connected, '44', 'recorded');

    await sendWoo({ bridge: it.bridge, connected }, 'order.deleted', { id: 44 });
    await it.bridge.settled(connected, '44', 'removed');
    expect(it.service.current('44')).toEqual([]);
    await sendWoo({ bridge: it.bridge, connected }, 'order.restored', { ...order, date_modified_gmt: '2026-11-21T02:00:05' });

    await it.bridge.settled(connected, '44', 'recorded');
    expect(totals(it.service, '44')).toEqual(['24.00']);
  });
});
