import { randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { findDelivery, noteDelivery } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { erase, eraseUnread, finishErasures, type PrivacyScope } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { listExports, storeExport } from '../../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { joinOrder } from '../../../../src/bridge/ledger/review/split-or-merge.ts';
import type { OrderNews, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { reserveConnection } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import type { Bridge } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { cap, coat } from '../../../support/worlds/two-of-one-id.ts';

const world = useSharedWorlds();
const NOON = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T12:00:00.001Z';
/** A delivery is inserted once the test has given up its lock. */
const SLOW = `select pg_advisory_lock(4711);
  create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
  create trigger wait before insert on deliveries for each row execute function wait()`;
const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
const ALL = { olderThanMs: -1_000, size: 100 };
const body = zstdCompressSync('{"order_id": 700, "name": "Мария"}').toString('base64');

/** One store; `record` merges a batch whose deliveries arrived at an instant. */
async function corner(bridge: Bridge) {
  const { connection } = await bridge.connect();
  const { id: connectionId, shopId, platform } = connection;
  const delivery = (arrivedAt: string, about: Partial<AcceptedDelivery> = {}): AcceptedDelivery => ({
    ...{ id: randomUUID(), connectionId, arrivedAt, topic: 'order.updated', platformDeliveryId: null, store: null, body },
    ...{ normalized: { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: 'a test' }] }, ...about },
  });
  const record = (arrivedAt: string, ...news: OrderNews[]) =>
    recordOrders(
      bridge.pool,
      news.map((one) => ({
        delivery: delivery(arrivedAt, { normalized: { kind: 'order', news: one } }),
        key: { shopId, platform, store: 'corner', orderId: one.orderId },
        news: one,
        quietSeconds: 0,
      })),
    );
  const scope = (...orderIds: string[]): PrivacyScope => ({ shopId, platform, store: 'corner', orderIds, until: NOON });
  const wholeStore: PrivacyScope = { shopId, platform, store: 'corner', orderIds: null, until: NOON };
  return { connectionId, delivery, record, scope, wholeStore };
}

const counts = rowsOf('all', z.object({ buyers: z.int(), bodies: z.int(), erased: z.int(), orders: z.int() }));
const left = (bridge: Bridge) =>
  readOne(bridge.pool, counts, {
    text: `select (select count(*) from customers where data is not null) as buyers, (select count(*) from deliveries where body is not null) + (select count(*) from bodies) as bodies,
      (select count(*) from customers where erased_at is not null) as erased, (select count(*) from orders) as orders`,
  });

describe('an order with a tombstone', () => {
  test('that the ledger did not know is recorded without its buyer and body', async () => {
    await using it = await world({ role: 'receiver' });
    const { record, scope } = await corner(it.bridge);
    await erase(it.bridge.pool, scope('700'));

    await record(LATER, coat());
    await record(LATER, coat({ updatedAt: '2026-11-20T09:00:00Z' }));

    expect(await left(it.bridge)).toEqual({ buyers: 0, bodies: 0, erased: 1, orders: 1 });
  });

  test('takes no body once it is erased', async () => {
    await using it = await world({ role: 'receiver' });
    const { record, scope } = await corner(it.bridge);
    await record(NOON, coat());
    await erase(it.bridge.pool, scope('700'));
    expect(await left(it.bridge)).toEqual({ buyers: 0, bodies: 0, erased: 1, orders: 1 });

    await record(LATER, coat({ updatedAt: '2026-11-20T09:00:00Z' }));

    expect(await left(it.bridge)).toEqual({ buyers: 0, bodies: 0, erased: 1, orders: 1 });
  });

  test('is erased under ID~2, too; those beside it are not', async () => {
    await using it = await world({ role: 'receiver' });
    const { record, scope } = await corner(it.bridge);
    await record(NOON, coat());
    await erase(it.bridge.pool, scope('700'));

    await record(LATER, cap());
    await record(LATER, { ...coat(), orderId: '7001' });

    expect(await left(it.bridge)).toEqual({ buyers: 1, bodies: 1, erased: 2, orders: 3 });
  });

  test('that was being inserted while the tombstone was made is erased by the second pass', async () => {
    await using it = await world({ role: 'receiver' });
    const { record, scope } = await corner(it.bridge);
    using holder = await reserveConnection(it.bridge.pool);
    await holder.client.query(SLOW);
    const recording = record(NOON, coat());
    await until(async () => (await it.bridge.pool.query(WAITING)).rowCount === 1, { what: 'the order to be all but recorded' });
    await erase(it.bridge.pool, scope('700'));
    await holder.client.query('select pg_advisory_unlock(4711)');
    await recording;
    expect(await left(it.bridge)).toMatchObject({ buyers: 1, bodies: 1, erased: 0 });

    expect(await finishErasures(it.bridge.pool, { olderThanMs: 60_000, size: 100 })).toBe(0);

    expect(await left(it.bridge)).toMatchObject({ buyers: 0, bodies: 0, erased: 1 });
  });

  test('is looked at again until what was being merged is merged for sure', async () => {
    await using it = await world({ role: 'receiver' });
    const { scope } = await corner(it.bridge);
    await erase(it.bridge.pool, scope('700', '700', '701'));

    expect(await finishErasures(it.bridge.pool, { olderThanMs: 60_000, size: 100 })).toBe(0);
    expect(await finishErasures(it.bridge.pool, { ...ALL, size: 1 })).toBe(2);
    expect(await finishErasures(it.bridge.pool, ALL)).toBe(0);
  });
});

describe('the erasure of a whole store', () => {
  const exported = async ({ pool }: Bridge) => JSON.stringify(await listExports(pool));

  test('reaches what arrived until then, whenever it is merged, and nothing that arrived later', async () => {
    await using it = await world({ role: 'receiver' });
    const { record, wholeStore } = await corner(it.bridge);
    const order = (orderId: string, values: Partial<Snapshot> = {}) => ({ ...coat(values), orderId });
    await record(NOON, order('1'));
    await record(LATER, order('2'));

    await erase(it.bridge.pool, wholeStore);
    await record(NOON, order('3'));
    await record(LATER, order('4'));
    // It waited for long.
    await record(NOON, order('4', { updatedAt: '2026-11-20T09:00:00Z' }));

    const text = 'select order_id as id, erased_at is not null as erased, data is null as gone from orders o join customers c on c.order_ref = o.id order by 1';
    const buyers = async () => ((await it.bridge.pool.query(text)) as unknown as { rows: unknown }).rows;
    const expected = [
      { id: '1', erased: true, gone: true },
      { id: '2', erased: false, gone: false },
      { id: '3', erased: true, gone: true },
      { id: '4', erased: true, gone: true },
    ];
    // At once, and after the second pass.
    expect(await buyers()).toEqual(expected);
    await finishErasures(it.bridge.pool, ALL);
    expect(await buyers()).toEqual(expected);
  });

  test('empties the exports of its orders', async () => {
    await using it = await world({ role: 'receiver' });
    const { connectionId, record, scope, wholeStore } = await corner(it.bridge);
    await it.bridge.app.core.connections.pinStore(connectionId, 'corner');
    await record(NOON, coat());
    await record(LATER, { ...cap(), orderId: '701' });
    await storeExport(it.bridge.pool, scope('700', '701'), { connectionId, requestId: 'r1' });

    await erase(it.bridge.pool, wholeStore);

    const data = await exported(it.bridge);
    expect(data).toContain('Иван');
    expect(data).not.toContain('Мария');
  });

  test('empties an export of an order that was joined to the first one of its id since', async () => {
    await using it = await world({ role: 'receiver' });
    const { connectionId, record, scope, wholeStore } = await corner(it.bridge);
    await it.bridge.app.core.connections.pinStore(connectionId, 'corner');
    await record(NOON, coat());
    await record(NOON, cap());
    await storeExport(it.bridge.pool, scope('700'), { connectionId, requestId: 'r1' });
    const second = rowsOf('orders', z.object({ id: z.int() }));
    const { id } = await readOne(it.bridge.pool, second, { text: `select id from orders where order_id = '700~2'` });
    expect(await joinOrder(it.bridge.pool, id)).toMatchObject({ is: 'done' });

    await erase(it.bridge.pool, wholeStore);

    const data = await exported(it.bridge);
    expect(data).toContain('700~2');
    expect(data).not.toMatch(/Иван|Мария/);
  });
});

describe('a body of no known order', () => {
  const review = { outcome: 'review', code: 'payload.unreadable', detail: 'a test' } as const;
  const isKept = async (bridge: Bridge, { id }: AcceptedDelivery) => (await findDelivery(bridge.pool, id))?.body !== null;

  test('that names an erased order is erased, whether it came before the request or after it', async () => {
    await using it = await world({ role: 'receiver' });
    const { delivery, scope } = await corner(it.bridge);
    const other = delivery(NOON, { body: zstdCompressSync('{"order_id": 12}').toString('base64') });
    const [before, after] = [delivery(NOON), delivery(LATER)];
    for (const one of [before, other]) await noteDelivery(it.bridge.pool, { delivery: one, ...review });
    expect(await eraseUnread(it.bridge.pool, 10_000)).toBe(0);

    await erase(it.bridge.pool, scope('700'));
    expect(await eraseUnread(it.bridge.pool, 10_000)).toBe(2);
    await noteDelivery(it.bridge.pool, { delivery: after, ...review });
    await eraseUnread(it.bridge.pool, 10_000);

    expect([await isKept(it.bridge, before), await isKept(it.bridge, after), await isKept(it.bridge, other)]).toEqual([false, false, true]);
  });

  test('is searched once, not for each sweep', async () => {
    await using it = await world({ role: 'receiver' });
    const { delivery, scope } = await corner(it.bridge);
    await noteDelivery(it.bridge.pool, { delivery: delivery(NOON), ...review });
    await erase(it.bridge.pool, scope('12'));
    await it.bridge.pool.query(`update tombstones set made_at = made_at - interval '5 minutes'`);

    expect(await eraseUnread(it.bridge.pool, 10_000)).toBe(1);
    expect(await eraseUnread(it.bridge.pool, 10_000)).toBe(0);
  });

  test('of a whole store that is erased goes if it arrived before', async () => {
    await using it = await world({ role: 'receiver' });
    const { delivery, wholeStore } = await corner(it.bridge);
    const [before, after] = [delivery(NOON), delivery(LATER)];
    for (const one of [before, after]) await noteDelivery(it.bridge.pool, { delivery: one, ...review });

    await erase(it.bridge.pool, wholeStore);
    await eraseUnread(it.bridge.pool, 10_000);

    expect([await isKept(it.bridge, before), await isKept(it.bridge, after)]).toEqual([false, true]);
  });

  test('of another merchant is not searched, and many of one merchant do not keep that of another waiting', async () => {
    await using it = await world({ role: 'receiver' });
    const [busy, quiet, foreign] = [await corner(it.bridge), await corner(it.bridge), await corner(it.bridge)];
    for (let n = 0; n < 100; n += 1) await noteDelivery(it.bridge.pool, { delivery: busy.delivery(NOON), ...review });
    const [one, theirs] = [quiet.delivery(NOON), foreign.delivery(NOON)];
    for (const delivery of [one, theirs]) await noteDelivery(it.bridge.pool, { delivery, ...review });
    for (const { scope } of [busy, quiet]) await erase(it.bridge.pool, scope('700'));

    expect(await eraseUnread(it.bridge.pool, 60_000)).toBe(101);

    expect([await isKept(it.bridge, one), await isKept(it.bridge, theirs)]).toEqual([false, true]);
    const { bodies } = await left(it.bridge);
    expect(bodies).toBe(1);
  });
});
