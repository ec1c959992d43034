import { describe, expect, test } from 'vitest';
import { openQueues } from '../../../../src/app/queues.ts';
import type { KeptOrder } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { orderText } from '../../../../src/cli/text/order-text.ts';
import { leftToDo } from '../../../../src/operations/orders/left-to-do.ts';
import { orderReport } from '../../../../src/operations/orders/order-report.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { ONE_CALL, receiptOf } from '../../../support/worlds/receipts.ts';
import { until } from '../../../support/worlds/settled.ts';
import { recorded, totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

const settings = { receipts: true };

/** The line of `orderbridge order` about the receipt. */
async function shown({ bridge }: World, { connection }: Connected, view: KeptOrder): Promise<string | undefined> {
  const report = orderReport({ view, connection, deliveries: [], steps: await bridge.steps(view) });
  return orderText(report).find((line) => line.startsWith('receipt'));
}

async function metrics({ bridge }: World): Promise<string> {
  return (await fetch(`${bridge.app.url}/metrics`)).text();
}

describe('a service that gives no receipts', () => {
  test.each([
    [404, 'no such operation'],
    [409, 'in conflict'],
    [422, 'receipt-not-due'],
  ] as const)('and answers %i is not called again: the order shows it, and stays recorded', async (status, title) => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', { status, body: { title } });

    await recorded(it, connected, '1');
    const order = await receiptOf(it.bridge, connected, ['1', 'refused']);

    expect(order).toMatchObject({ state: 'recorded', review: null, receipt: { detail: `${status} ${title}` } });
    expect(await shown(it, connected, order)).toMatch(
      new RegExp(`^receipt +refused at \\S+ \\S+: ${status} ${title}. The service’s message says why; issue the receipt there`),
    );
    expect(await metrics(it)).toContain('orderbridge_submissions_total{kind="receipt",outcome="receipt-refused"} 1');
    expect(await it.bridge.app.core.destinations.pauses()).toEqual([]);
    await using queues = openQueues(it.bridge.app.core);
    expect(await leftToDo(it.bridge.app.core, queues)).toMatchObject({ pending: 0, submissions: 0 });
    expect(it.service.receiptsAsked).toHaveLength(1);
  });

  test.each([401, 403, 503])('and answers %i gets no such requests for a while, and records go on', async (status) => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', { status, headers: { 'retry-after': '2' } });
    await recorded(it, connected, '1');
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'receipts to be paused' });
    expect(await it.bridge.app.core.destinations.pauses()).toMatchObject([{ callType: 'receipts' }]);

    await recorded(it, connected, '2');
    expect(it.service.receiptsAsked).toHaveLength(1);

    await receiptOf(it.bridge, connected, ['1', 'got']);
    await receiptOf(it.bridge, connected, ['2', 'got']);
    expect(await it.bridge.app.core.destinations.pauses()).toEqual([]);
    expect(it.service.receiptsAsked).toHaveLength(3);
  });

  test('and fails for every order is probed by one, and records go on', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings });
    it.service.next('receipt', ...Array.from({ length: 4 }, () => ONE_CALL).flat());
    for (const id of ['1', '2', '3', '4']) await recorded(it, connected, id);
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'receipts to be paused' });

    await recorded(it, connected, '5');

    for (const id of ['1', '2', '3', '4', '5']) await receiptOf(it.bridge, connected, [id, 'got']);
  });
});

describe('a lost receipt', () => {
  test('Redis emptied between create and receipt: the sweeper finds it', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: settings });
    it.service.next('receipt', ...ONE_CALL, ...ONE_CALL, ...ONE_CALL);
    await recorded(it, connected, '1');
    await until(() => it.service.receiptsAsked.length >= 9, { what: 'the receipt to fail three times' });
    await it.bridge.pool.query(`update bridge.orders set due_at = now() - interval '1 hour'`);

    await it.redis.flush();

    await receiptOf(it.bridge, connected, ['1', 'got']);
  });

  test('a lease that ends while the service gives the receipt: it is requested again, and is the same', async () => {
    const config = { leaseSeconds: 0.3, stalledSeconds: 30, timeouts: { connectMs: 1_000, headersMs: 15_000, totalMs: 15_000 } };
    await using it = await world({ config });
    const connected = await it.bridge.connect({ settings });
    await recorded(it, connected, '0');
    await receiptOf(it.bridge, connected, ['0', 'got']);
    it.service.next('receipt', { hangMs: 2_500 });

    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });

    const order = await receiptOf(it.bridge, connected, ['1', 'got']);
    await it.bridge.settled(connected, '1', 'recorded');
    expect(new Set(it.service.receiptsAsked.slice(1))).toEqual(new Set([order.complianceId]));
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});
