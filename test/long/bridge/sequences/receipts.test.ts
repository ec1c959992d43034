import { describe, expect, test } from 'vitest';
import { openQueues } from '../../../../src/app/queues.ts';
import { confirmOrder } from '../../../../src/bridge/ledger/review/resolutions.ts';
import { leftToDo } from '../../../../src/operations/orders/left-to-do.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { otherWorker } from '../../../support/worlds/other-worker.ts';
import { ONE_CALL, receiptOf } from '../../../support/worlds/receipts.ts';
import { until } from '../../../support/worlds/settled.ts';
import { edited, recorded, refundedInFull, totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

const settings = { receipts: true };

const idOf = ({ service }: World, order: string) => service.current(order)[0]?.id;

describe('a receipt is requested', () => {
  test('once, after the create, of the record that was made', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });

    await recorded(it, connected, '1');
    const order = await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(it.service.receiptsAsked).toEqual([idOf(it, '1')]);
    expect(order).toMatchObject({ state: 'recorded', receipt: { state: 'got', complianceId: idOf(it, '1'), id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    expect(await it.bridge.steps(order)).toMatchObject([
      { kind: 'create', outcome: 'recorded' },
      { kind: 'receipt', outcome: 'receipt-got', status: 200, complianceId: idOf(it, '1') },
    ]);
  });

  test('again after a replacement, of the new record', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    await recorded(it, connected, '1');
    const first = await receiptOf(it.bridge, connected, ['1', 'got']);

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(() => totals(it.service, '1').join() === '30.00', { what: 'the edit to be recorded' });
    await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(it.service.receiptsAsked).toEqual([first.complianceId, idOf(it, '1')]);
  });

  test('of the previous record, when the replacement is refused and the order needs review', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    await recorded(it, connected, '1');
    const first = await receiptOf(it.bridge, connected, ['1', 'got']);
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await it.bridge.settled(connected, '1', 'review');
    const order = await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(order).toMatchObject({ state: 'review', review: { code: 'replacement.refused' } });
    expect(it.service.receiptsAsked).toEqual([first.complianceId, idOf(it, '1')]);
  });

  test('of a record that a person reports', async () => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect({ settings });
    it.service.next('create', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    const lost = await it.bridge.settled(connected, '1', 'unconfirmed');
    expect(lost.receipt).toBeNull();

    await confirmOrder(it.bridge.pool, lost.id, { seq: 1, recorded: idOf(it, '1') ?? '', by: 'cli:test@here' });

    await receiptOf(it.bridge, connected, ['1', 'got']);
    expect(it.service.receiptsAsked).toEqual([idOf(it, '1')]);
  });

  test('of a record that a late reply reports', async () => {
    const config = { leaseSeconds: 0.3, stalledSeconds: 30, timeouts: { connectMs: 1_000, headersMs: 15_000, totalMs: 15_000 } };
    await using it = await world({ idempotencyKey: 'ignored', config });
    const connected = await it.bridge.connect({ settings });
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.service.requests('POST').length === 1, { what: 'the create to arrive' });
    await using _other = await otherWorker(it);
    await it.bridge.settled(connected, '1', 'unconfirmed');

    it.service.letGo();

    await receiptOf(it.bridge, connected, ['1', 'got']);
    // A request whose short lease ends on a busy machine is repeated.
    expect([...new Set(it.service.receiptsAsked)]).toEqual([idOf(it, '1')]);
  });

  test('no more once its record is deleted', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    await recorded(it, connected, '1');
    await receiptOf(it.bridge, connected, ['1', 'got']);

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 1) });

    expect((await it.bridge.settled(connected, '1', 'removed')).receipt).toBeNull();
    expect(it.service.receiptsAsked).toHaveLength(1);
  });
});

describe('no receipt is requested', () => {
  test('of an order paid by postal payment', async () => {
    await using it = await world();
    const payments = { stripe: { paymentType: 'POSTAL_PAYMENT' } };
    const connected = await it.bridge.connect({ settings: { ...settings, payments } });

    await recorded(it, connected, '1');

    expect((await it.bridge.order(connected, '1'))?.receipt).toBeNull();
    expect(it.service.receiptsAsked).toEqual([]);
  });

  test('while the setting is off, nor afterwards of what was recorded meanwhile', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await it.bridge.app.core.connections.changeSettings(connected.connection.id, {
      by: 'test',
      edit: () => ({ ...connected.connection.settings, ...settings }),
    });
    await until(
      async () => {
        await it.bridge.send(connected, 'order.paid', { order: orderOf(`n${Date.now()}`) });
        return it.service.receiptsAsked.length > 0;
      },
      { what: 'the new setting to be in use', everyMs: 200 },
    );

    expect((await it.bridge.order(connected, '1'))?.receipt).toBeNull();
    expect(it.service.receiptsAsked).not.toContain(idOf(it, '1'));
  });
});

describe('a receipt that does not come at once', () => {
  test('is requested again after 502, while the order stays recorded', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', ...ONE_CALL, ...ONE_CALL);

    await recorded(it, connected, '1');
    const due = await receiptOf(it.bridge, connected, ['1', 'due']);
    expect(due).toMatchObject({ state: 'recorded', recordedRevision: 1 });
    const order = await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(order.state).toBe('recorded');
    expect(await it.bridge.steps(order)).toMatchObject([{ kind: 'create' }, { kind: 'receipt', outcome: 'receipt-got', attempts: 3 }]);
    expect(it.service.requests('POST')).toHaveLength(1);
  });

  test('and whose reply was lost is requested again, and is the same', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', 'lose-reply', 'lose-reply', 'lose-reply');

    await recorded(it, connected, '1');
    await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(new Set(it.service.receiptsAsked)).toEqual(new Set([idOf(it, '1')]));
    expect(it.service.receiptsAsked).toHaveLength(4);
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('is what is left to do', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', ...Array.from({ length: 10 }, () => ONE_CALL).flat());
    await recorded(it, connected, '1');
    await receiptOf(it.bridge, connected, ['1', 'due']);

    await using queues = openQueues(it.bridge.app.core);
    expect(await leftToDo(it.bridge.app.core, queues)).toMatchObject({ pending: 1 });
  });

  test('is not waited for when an edit replaces the record', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', ...ONE_CALL, ...ONE_CALL, ...ONE_CALL);
    await recorded(it, connected, '1');
    const first = idOf(it, '1');
    await until(() => it.service.receiptsAsked.length >= 6, { what: 'the receipt to fail twice' });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await it.bridge.settled(connected, '1', 'recorded');
    const order = await receiptOf(it.bridge, connected, ['1', 'got']);

    expect(totals(it.service, '1')).toEqual(['30.00']);
    expect(it.service.receiptsAsked.at(-1)).toBe(order.complianceId);
    expect(order.complianceId).not.toBe(first);
  });
});
