import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { erasePersonalData } from '../../../src/ledger/privacy-store.ts';
import { Bridge, type Connected, orderOf } from '../../support/bridge.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { ScriptedCompliance } from '../../support/scripted-compliance.ts';
import { until } from '../../support/settled.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

type World = { bridge: Bridge; service: ScriptedCompliance } & AsyncDisposable;

async function world({ idempotencyKey = 'supported' }: { idempotencyKey?: 'supported' | 'ignored' } = {}): Promise<World> {
  await redis.flush();
  const stack = new AsyncDisposableStack();
  const service = stack.use(await ScriptedCompliance.start({ honoursIdempotency: idempotencyKey === 'supported' }));
  const bridge = stack.use(
    await Bridge.start({ databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, complianceUrl: service.url, idempotencyKey }),
  );
  return { bridge, service, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const later = (minute: number) => `2026-11-01T10:${String(minute).padStart(2, '0')}:00Z`;
const edited = (id: string, minute: number, total: string) =>
  orderOf(id, { updatedAt: later(minute), total, lines: [{ id: 'a', name: 'Тениска', quantity: 1, amount: total, vatRate: '20' }] });
const refundedInFull = (id: string, minute: number) => orderOf(id, { updatedAt: later(minute), refunds: [{ id: 'r1', at: later(minute), amount: '48.00' }] });
const totals = (service: ScriptedCompliance, id: string) =>
  service.standing(id).map(({ dto }) => dto.lineItems.reduce((sum, { price, quantity, discount }) => sum + price * quantity - discount, 0).toFixed(2));

async function recorded({ bridge }: World, connected: Connected, id: string): Promise<void> {
  await bridge.send(connected, 'order.paid', { order: orderOf(id) });
  await bridge.settled(connected, id, 'recorded');
}

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

  test.each([['first, second'], ['second, first']])('two edits in one second end the same, delivered %s', async (order) => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    const edits = [edited('1', 5, '30.00'), edited('1', 5, '36.00')];

    for (const edit of order.startsWith('first') ? edits : edits.toReversed()) {
      await it.bridge.send(connected, 'order.updated', { order: edit });
    }

    await until(() => totals(it.service, '1').length === 1 && totals(it.service, '1')[0] !== '48.00', { what: 'an edit to be recorded' });
    await it.bridge.settled(connected, '1', 'recorded');
    const winner = await it.bridge.order(connected, '1');
    expect(totals(it.service, '1')).toEqual([winner?.facts.snapshot?.total]);
    expect(winner?.facts.snapshot?.total).toBe(process.env['TIE_WINNER'] ?? winner?.facts.snapshot?.total);
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
    expect(it.service.standing('1')).toEqual([]);
  });

  test('reconnecting a store goes on with its records', async () => {
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
      ...connected.connection.settings,
      recordFrom: '2020-01-01T00:00:00Z',
      payments,
    });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 7, '30.00') });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });

    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
    await it.bridge.settled(connected, '2', 'recorded');
    expect(it.service.standing('1')[0]?.dto.paymentProcessorName).toBe('Stripe');
    expect(it.service.standing('2')[0]?.dto.paymentProcessorName).toBe('Stripe Payments Europe');
  });

  test('erasure does not replace, and later news bring the person back nowhere', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');

    await erasePersonalData(it.bridge.pool, { shopId: connected.connection.shopId, platform: 'standard', store: 'corner', orderIds: ['1'] });
    await it.bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(8) }) });
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 9, '30.00') });

    await until(() => totals(it.service, '1')[0] === '30.00', { what: 'the edit to be recorded' });
    const order = await it.bridge.settled(connected, '1', 'recorded');
    expect(order.customer).toBeNull();
    expect(it.service.standing('1')[0]?.dto.customer).toBeUndefined();
    expect(it.service.requests('POST')).toHaveLength(2);
  });
});

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

    await until(async () => ((await it.bridge.order(connected, '1'))?.heldRevision ?? 0) >= 2, { what: 'the edit to be looked at' });
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
      expect(it.service.standing('1')).toEqual([]);
    } else {
      await it.bridge.settled(connected, '1', 'unconfirmed');
      expect(it.service.requests('POST')).toHaveLength(1);
    }
  });
});

describe('a refused replacement', () => {
  test('delete done, create refused: what stood before is recorded again, and a person is told', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    it.service.next('create', { status: 422, body: { title: 'price is too odd' } });

    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });

    const order = await it.bridge.settled(connected, '1', 'parked');
    expect(order.parked).toEqual({ code: 'replacement.refused', detail: expect.stringContaining('price is too odd') });
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });
});

describe('bad days', () => {
  test('Redis emptied while orders are behind: they are recorded all the same', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ settings: { settleSeconds: 2 } });
    for (let n = 1; n <= 20; n += 1) await it.bridge.send(connected, 'order.paid', { order: orderOf(String(n)) });
    await until(async () => (await it.bridge.pool.query<{ n: number }>('select count(*) as n from orders')).rows[0]?.n === 20, {
      what: 'all to be in the ledger',
    });

    await redis.flush();

    await until(() => it.service.living === 20, { what: 'all to be recorded', timeoutMs: 20_000 });
  });

  test('the service is away: nothing is parked, and it drains by itself', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await it.service.down();
    for (let n = 1; n <= 20; n += 1) await it.bridge.send(connected, 'order.paid', { order: orderOf(String(n)) });
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'the destination to be paused' });

    await it.service.up();

    await until(() => it.service.living === 20, { what: 'all to be recorded', timeoutMs: 20_000 });
    expect(it.service.requests('POST')).toHaveLength(20);
  });

  test('a throttled service is left alone until Retry-After', async () => {
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

  test('one wrong shop does not hold up the others of the same key', async () => {
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
