import { describe, expect, test } from 'vitest';
import { longTest } from '../../../support/long-test.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { edited, recorded, refundedInFull, totals, useWorlds } from '../../../support/worlds/world.ts';

const world = useWorlds();

describe('a lost reply', () => {
  test('of a create, then an edit: the service that honours keys ends with the edit alone', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    it.service.next('create', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.service.requests('POST').length > 0, { what: 'the create to be sent' });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['30.00']);
  });

  test('of a create, then an edit: without keys a person is asked, and nothing is doubled', async () => {
    await using it = await world({ idempotencyKey: 'ignored' });
    const connected = await it.bridge.connect();
    it.service.next('create', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await it.bridge.settled(connected, '1', 'unconfirmed');

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

    await until(async () => ((await it.bridge.order(connected, '1'))?.reviewRevision ?? 0) >= 2, { what: 'the edit to be looked at' });
    await it.bridge.settled(connected, '1', 'unconfirmed');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test.each(['supported', 'ignored'] as const)('of a create, then a full refund (keys %s)', async (idempotencyKey) => {
    await using it = await world({ idempotencyKey });
    const connected = await it.bridge.connect();
    it.service.next('create', 'lose-reply');
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.service.requests('POST').length > 0, { what: 'the create to be sent' });

    await it.bridge.send(connected, 'order.refunded', { order: refundedInFull('1', 1) });

    if (idempotencyKey === 'supported') {
      await it.bridge.settled(connected, '1', 'removed');
      expect(it.service.current('1')).toEqual([]);
    } else {
      await it.bridge.settled(connected, '1', 'unconfirmed');
      expect(it.service.requests('POST')).toHaveLength(1);
    }
  });
});

describe('a refused replacement', () => {
  test('delete done, create refused: the previous content is recorded again, and the order needs review', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

    const order = await it.bridge.settled(connected, '1', 'review');
    expect(order.review).toEqual({ code: 'replacement.refused', detail: expect.stringContaining('price is too odd') });
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});

describe('bad days', () => {
  test('Redis emptied while orders are pending: they are recorded all the same', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: { quietSeconds: 2 } });
    for (let n = 1; n <= 20; n += 1) await it.bridge.send(connected, 'order.paid', { order: orderOf(String(n)) });
    await until(async () => (await it.bridge.pool.query('select from orders')).rowCount === 20, { what: 'all to be in the ledger' });

    await it.redis.flush();

    await until(() => it.service.living === 20, { what: 'all to be recorded' });
  });

  test('the service is down: nothing needs review, and the backlog drains automatically', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await it.service.down();
    for (let n = 1; n <= 20; n += 1) await it.bridge.send(connected, 'order.paid', { order: orderOf(String(n)) });
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'the destination to be paused' });

    await it.service.up();

    await until(() => it.service.living === 20, { what: 'all to be recorded' });
    expect(it.service.requests('POST')).toHaveLength(20);
  });

  longTest('a throttled service is paused until Retry-After', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    it.service.next('create', { status: 429, headers: { 'retry-after': '2' } });

    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await until(() => it.service.requests('POST').length === 1, { what: 'the first try' });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });

    await Promise.all([it.bridge.settled(connected, '1', 'recorded'), it.bridge.settled(connected, '2', 'recorded')]);
    const [first, second] = it.service.requests('POST');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  test('one wrong shop does not delay the others of the same key', async () => {
    await using it = await world();
    const wrong = await it.bridge.connect();
    const right = await it.bridge.connect();
    it.service.next('create', { status: 404, body: { title: 'no such shop' } });
    await it.bridge.send(wrong, 'order.paid', { order: orderOf('1') });
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'the shop to be paused' });

    await it.bridge.send(right, 'order.paid', { order: orderOf('2') });

    await it.bridge.settled(right, '2', 'recorded');
  });
});
