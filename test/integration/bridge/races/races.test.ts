import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openQueues } from '../../../../src/app/queues.ts';
import { reevaluate } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import { inTransaction } from '../../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { longTest } from '../../../support/long-test.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { dueLedger, idsOf, PAGE } from '../../../support/worlds/due-ledger.ts';
import { otherWorker } from '../../../support/worlds/other-worker.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, recorded, totals, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

/** The lease ends long before the service answers. */
const SLOW_SERVICE = { leaseSeconds: 0.3, stalledSeconds: 30, timeouts: { connectMs: 1_000, headersMs: 15_000, totalMs: 15_000 } };

const creates = ({ service }: World) => service.requests('POST').length;

describe('two workers with one order', () => {
  test('a page that another claims beside a running attempt has not its order', async () => {
    await using it = await world({ idempotencyKey: 'ignored', config: { ...SLOW_SERVICE, leaseSeconds: 10 } });
    const connected = await it.bridge.connect();
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    const other = dueLedger(it, connected);

    const pages = [await other.claim(PAGE), await other.claim({ ...PAGE, roundRobin: true })];
    const before = await readRows(it.bridge.pool, rowsOf('orders', z.object({ fence: z.int() })), { text: 'select fence from orders' });
    it.service.letGo();

    await it.bridge.settled(connected, '1', 'recorded');
    expect([pages.flatMap(idsOf), before]).toEqual([[], [{ fence: 1 }]]);
    expect(creates(it)).toBe(1);
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('a lease that ends while the service answers: under one key there is one record', async () => {
    await using it = await world({ config: SLOW_SERVICE });
    const connected = await it.bridge.connect();
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    await using _other = await otherWorker(it);

    await until(() => creates(it) === 2, { what: 'the create to be sent again' });
    it.service.letGo();

    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('without keys a person is asked, and the late reply answers the question', async () => {
    await using it = await world({ idempotencyKey: 'ignored', config: SLOW_SERVICE });
    const connected = await it.bridge.connect();
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    await using _other = await otherWorker(it);

    await it.bridge.settled(connected, '1', 'unconfirmed');
    it.service.letGo();

    await it.bridge.settled(connected, '1', 'recorded');
    expect([creates(it), totals(it.service, '1')]).toEqual([1, ['48.00']]);
  });

  test('two records of one order park it, and it stays in review until a person has looked', async () => {
    await using it = await world({ idempotencyKey: 'ignored', config: { ...SLOW_SERVICE, leaseSeconds: 1 } });
    const connected = await it.bridge.connect({ settings: { unknownOutcome: 'resend' } });
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    await using _other = await otherWorker(it);
    await until(() => creates(it) === 2, { what: 'the create to be sent again' });
    it.service.letGo();

    const doubled = await it.bridge.settled(connected, '1', 'review');
    expect(doubled.review?.code).toBe('record.doubled');
    const [other] = it.service.current('1').filter(({ id }) => id !== doubled.complianceId);
    expect(doubled.review?.detail).toContain(other?.id);

    // News of the order must not hide it.
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(async () => ((await it.bridge.order(connected, '1'))?.revision ?? 0) === 2, { what: 'the edit to be merged' });
    expect((await it.bridge.settled(connected, '1', 'review')).review).toEqual(doubled.review);
    expect(totals(it.service, '1')).toEqual(['48.00', '48.00']);

    await fetch(`${it.service.url}/public-api/v1/order/${other?.id}`, { method: 'DELETE' });
    await reevaluate(it.bridge.pool, { ids: [doubled.id] });
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['30.00']);
  });
});

describe('news that comes during an attempt at its order', () => {
  test('does not wait out the backoff that the attempt ends with', async () => {
    await using it = await world({ config: { ...SLOW_SERVICE, leaseSeconds: 20 } });
    const connected = await it.bridge.connect();
    await it.bridge.pool.query('alter table orders alter column attempts set default 9');
    it.service.next('create', 'lose-reply');
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(async () => ((await it.bridge.order(connected, '1'))?.revision ?? 0) === 2, { what: 'the edit to be merged' });

    it.service.letGo();

    await until(() => totals(it.service, '1').join() === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['30.00']);
  });

  test('is submitted though the change before it was refused', async () => {
    await using it = await world({ config: { ...SLOW_SERVICE, leaseSeconds: 20 } });
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(() => it.service.requests('DELETE').length === 1, { what: 'the delete to arrive' });
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 2, '36.00') });
    await until(async () => ((await it.bridge.order(connected, '1'))?.revision ?? 0) === 3, { what: 'the second edit to be merged' });

    it.service.letGo();

    await until(() => totals(it.service, '1').join() === '36.00', { what: 'the second edit to be recorded' });
    expect((await it.bridge.settled(connected, '1', 'recorded')).review).toBeNull();
  });

  longTest('an order whose row is locked holds up no other, and does not wait for seconds once it is free', async () => {
    await using it = await world();
    await using queues = openQueues(it.bridge.app.core);
    const connected = await it.bridge.connect();
    await queues.submissions.pause();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.bridge.order(connected, '1'), { what: 'the order to be known' });

    await inTransaction(it.bridge.pool, async (tx) => {
      await tx.query('select 1 from orders for update');
      await queues.submissions.resume();
      await recorded(it, connected, '2');
    });
    expect(totals(it.service, '1')).toEqual([]);
    const free = performance.now();
    await it.bridge.settled(connected, '1', 'recorded');

    expect(performance.now() - free).toBeLessThan(10_000);
  });
});

describe('settings', () => {
  test('that were changed a moment ago are seen before an order needs review for the old ones', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: { payments: {} } });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1', { payment: { method: 'barter' } }) });
    expect((await it.bridge.settled(connected, '1', 'review')).review?.code).toBe('payment.unmapped');

    // The caches get no message: as if it were still on its way.
    await it.bridge.pool.query(`update connections set settings = jsonb_set(settings, '{payments}', '{"barter": {"paymentType": "OTHER"}}')`);
    await it.bridge.send(connected, 'order.paid', { order: orderOf('2', { payment: { method: 'barter' } }) });

    await it.bridge.settled(connected, '2', 'recorded');
    expect(totals(it.service, '2')).toEqual(['48.00']);
  });
});

describe('a shop of one’s own', () => {
  test('that is connected again under another name keeps its records', async () => {
    await using it = await world();
    const first = await it.bridge.connect({ name: 'corner' });
    await recorded(it, first, '1');
    await it.bridge.app.core.connections.close(first.connection.id);

    const second = await it.bridge.connect({ name: 'corner shop', shopId: first.connection.shopId });
    await it.bridge.send(second, 'order.updated', { order: edited('1', 1, '30.00') });

    await until(() => totals(it.service, '1').includes('30.00'), { what: 'the edit to be recorded' });
    await it.bridge.settled(second, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['30.00']);
  });
});
