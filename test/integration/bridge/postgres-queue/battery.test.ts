import { describe, expect, test } from 'vitest';
import { longTest } from '../../../support/long-test.ts';
import { addressOf, post } from '../../../support/samples/signed-webhooks.ts';
import { startKillable } from '../../../support/servers/killable-program.ts';
import { orderOf, standardHeaders } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, recorded, refundedInFull, totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const ON_POSTGRES = { onRedis: false } as const;

describe('with the queue on PostgreSQL', () => {
  test('a paid order is recorded once, however often it is delivered', async () => {
    await using it = await world(ON_POSTGRES);
    const connected = await it.bridge.connect();

    const answers = await Promise.all(Array.from({ length: 10 }, () => it.bridge.send(connected, 'order.paid', { order: orderOf('1') })));

    expect(new Set(answers)).toEqual(new Set([200]));
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
    expect(it.service.requests('POST')).toHaveLength(1);
  });

  test('an edit replaces the record, a full refund removes it', async () => {
    await using it = await world(ON_POSTGRES);
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(() => totals(it.service, '1').join() === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.send(connected, 'order.refunded', {
      order: { ...refundedInFull('1', 2), refunds: [{ id: 'r1', at: '2026-11-01T10:02:00Z', amount: '48.00' }] },
    });

    await it.bridge.settled(connected, '1', 'removed');
    expect(totals(it.service, '1')).toEqual([]);
  });

  test('news that comes while the order is being sent is submitted afterwards', async () => {
    await using it = await world(ON_POSTGRES);
    const connected = await it.bridge.connect();
    it.service.holdAnswers();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.service.requests('POST').length === 1, { what: 'the create to arrive' });
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await until(async () => (await it.bridge.order(connected, '1'))?.revision === 2, { what: 'the edit to be merged' });

    it.service.letGo();

    await until(() => totals(it.service, '1').join() === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.settled(connected, '1', 'recorded');
  });

  longTest('NUL in a name', async () => {
    await using it = await world(ON_POSTGRES);
    const connected = await it.bridge.connect();

    const order = orderOf('1', { lines: [{ id: 'a', name: 'Чаша \u0000', quantity: 2, amount: '48.00', vatRate: '20' }] });
    expect(await it.bridge.send(connected, 'order.paid', { order })).toBe(200);

    await it.bridge.settled(connected, '1', 'recorded');
    expect(await inboxed(it.bridge.app.url)).toBe(0);
  });

  test('the service goes down and comes back: everything is recorded once', async () => {
    await using it = await world(ON_POSTGRES);
    const connected = await it.bridge.connect();
    await it.service.down();
    const ids = Array.from({ length: 15 }, (_, n) => String(n + 1));
    for (const id of ids) await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'the destination to be paused' });

    await it.service.up();

    await until(() => it.service.living === ids.length, { what: 'all to be recorded' });
    for (const id of ids) await it.bridge.settled(connected, id, 'recorded');
    expect(it.service.requests('POST')).toHaveLength(ids.length);
  });

  longTest('kill -9 while the service answers, and a start: one record', async () => {
    // Of role compliance: it knows the ledger, and takes no jobs.
    await using it = await world({ ...ON_POSTGRES, role: 'compliance' });
    const connected = await it.bridge.connect();
    const program = () => startKillable({ databaseUrl: it.databaseUrl, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'all' });
    const killed = await program();
    it.service.holdAnswers();
    const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf('1') } });
    expect((await post(addressOf(killed.url, connected), body, standardHeaders(connected.secret, body))).status).toBe(200);
    await until(() => it.service.requests('POST').length === 1, { what: 'the create to arrive' });

    await killed.kill();
    it.service.letGo();

    await using _second = await program();
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});

/** How many deliveries the queue did not take. */
async function inboxed(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^orderbridge_deliveries_inboxed_total (\d+)/m.exec(metrics)?.[1] ?? Number.NaN);
}
