import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openQueues } from '../../../src/app/queues.ts';
import { openRecordAccess } from '../../../src/app/record-access.ts';
import { countHours } from '../../../src/bridge/ledger/counts/count-hours.ts';
import { noteDelivery } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { countOrdersSince, ordersSince, recordedSince } from '../../../src/bridge/ledger/orders/orders-since.ts';
import { confirmOrder } from '../../../src/operations/orders/confirm-order.ts';
import { listOrders } from '../../../src/operations/orders/find-orders.ts';
import { listWaiting } from '../../../src/operations/orders/list-review.ts';
import { everyOrder, ordersWanted } from '../../../src/operations/orders/orders-wanted.ts';
import { releaseCode, releaseOrder } from '../../../src/operations/orders/release-orders.ts';
import { showOrder } from '../../../src/operations/orders/show-order.ts';
import { splitOrder } from '../../../src/operations/orders/split-or-merge.ts';
import { recordedOrdersOf } from '../../../src/operations/service/recorded-orders.ts';
import { replayDelivery } from '../../../src/operations/webhooks/kept-webhook.ts';
import { BY } from '../../support/samples/by.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { recorded, type World } from '../../support/worlds/world.ts';

const compress = promisify(zstdCompress);
const world = useClearedWorlds();
const notifyNobody = async (): Promise<void> => undefined;

async function review({ bridge }: World, connected: Connected, id: string): Promise<void> {
  await bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: 'shells' } }) });
  await bridge.settled(connected, id, 'review');
}

test('orders are listed up to a limit, with a flag whether there are more', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  await recorded(it, connected, '2');

  expect(await listOrders(it.bridge.app.core, { limit: 1 })).toMatchObject({ orders: [{ orderId: '2', recordedTotal: '48.00' }], more: true });
  expect(await listOrders(it.bridge.app.core, { limit: 2 })).toMatchObject({ orders: [{ orderId: '2' }, { orderId: '1' }], more: false });
});

test('of the orders that were recorded or came into review since an instant, the newest of the chosen stores count', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const [a, b] = [await it.bridge.connect({ name: 'a' }), await it.bridge.connect({ name: 'b' })];
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const idOf = async (connected: Connected, id: string) => (await it.bridge.order(connected, id))?.id;
  for (const connected of [a, b]) {
    await recorded(it, connected, '1');
    await review(it, connected, '2');
  }

  for (const [became, id] of [
    ['recorded', '1'],
    ['asked', '2'],
  ] as const) {
    const newest = (...stores: Connected[]) =>
      ordersSince(pool, { became, since, connections: stores.length === 0 ? null : stores.map(({ connection }) => connection.id), most: 1 });
    const [ofA, ofB] = [await idOf(a, id), await idOf(b, id)];
    expect(await newest()).toEqual([ofB]);
    expect(await newest(a, b)).toEqual([ofB]);
    expect(await newest(a)).toEqual([ofA]);
    expect(await ordersSince(pool, { became, since, connections: [], most: 1 })).toEqual([]);
  }
  const connections = await it.bridge.app.core.connections.list();
  const wanted = { ...everyOrder, since: `recorded_${since}`, store: 'a' };
  expect((await ordersWanted({ pool, connections, isAll: true, now: new Date() }, wanted)).ids).toEqual([await idOf(a, '1')]);
});

test('how many orders were recorded since an instant is what a list of them has: whole hours, and what was before and after them', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  await pool.query(`update connections set created_at = now() - interval '1 day'`);
  const ids = ['1', '2', '3', '4'];
  const journal = async (id: string, { seq = 1, hoursAgo }: { seq?: number; hoursAgo: number }) =>
    pool.query(
      `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, total, currency, state) values ($1, 'standard', 's', $2, $3, 10, 'EUR', 'recorded')
          on conflict (shop_id, platform, store, order_id) do update set state = 'recorded' returning id)
        insert into steps (order_ref, seq, kind, revision, destination_id, outcome, began_at, ended_at)
          select id, $4, 'create', 1, $5, 'recorded', now() - $6 * interval '1 hour', now() - $6 * interval '1 hour' from o`,
      [connected.connection.shopId, id, connected.connection.id, seq, connected.connection.destinationId, hoursAgo],
    );
  const since = new Date(Date.now() - 5.5 * 3_600_000).toISOString();
  const same = async () => {
    const count = await countOrdersSince(pool, { became: 'recorded', since, most: 100 });
    expect((await ordersSince(pool, { became: 'recorded', since, connections: null, most: 100 })).length).toBe(count);
    expect(await recordedSince(pool, since)).toEqual({ count, totals: count === 0 ? [] : [{ currency: 'EUR', total: `${count * 10}` }] });
    return count;
  };
  for (const [place, hoursAgo] of [9, 5.4, 3, 0.1].entries()) await journal(ids[place] ?? '', { hoursAgo });
  expect(await same()).toBe(3);

  await countHours(pool, new AbortController().signal);
  expect(await same()).toBe(3);

  // It ended before it was counted, and was committed after that.
  await journal('6', { hoursAgo: 0.02 });
  expect(await same()).toBe(4);

  // A record that was replaced is no new one.
  await journal('1', { seq: 2, hoursAgo: 0 });
  await journal('5', { hoursAgo: 0 });
  expect(await same()).toBe(5);
  expect(await countOrdersSince(pool, { became: 'recorded', since, most: 2 })).toBe(2);
});

test('an order is found by number or id, or by its store’s id', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  const { id: connectionId } = connected.connection;

  const shown = await showOrder(core, { connectionId, orderId: '1' });

  expect(shown).toMatchObject({ state: 'recorded', orderId: '1', deliveries: [{ outcome: 'merged' }], submissions: [{ outcome: 'recorded' }] });
  for (const named of ['1', '#1', `id:${shown.id}`]) expect(await showOrder(core, { named })).toEqual(shown);
  await expect(showOrder(core, { named: '#2' })).rejects.toMatchObject({
    kind: 'missing',
    what: expect.stringMatching(/^no webhook of an order #2 has come \(last webhook of \S.*: (\d+ s ago|none)\)$/),
  });
  await expect(showOrder(core, { connectionId, orderId: '2' })).rejects.toMatchObject({ kind: 'missing' });
  await expect(showOrder(core, { connectionId: 'c_none', orderId: '1' })).rejects.toMatchObject({ kind: 'missing' });
});

test('if a name fits several orders, it is refused with a table of them', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  await recorded(it, await it.bridge.connect(), '1');
  await recorded(it, await it.bridge.connect(), '1');

  const [first, second] = (await listOrders(core, { limit: 2 })).orders.map(({ id }) => [`id:${id}`, expect.any(String), '1', '#1', 'recorded']);

  await expect(showOrder(core, { named: '#1' })).rejects.toMatchObject({ kind: 'conflict', choices: { rows: [second, first] } });
});

test('an order is found by what people say', async () => {
  await using it = await world({ embeddedService: true });
  const { core } = it.bridge.app;
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  await it.bridge.send(connected, 'order.paid', { order: orderOf('7001', { number: 'BG-1042/26' }) });
  const { id, complianceId } = await it.bridge.settled(connected, '7001', 'recorded');
  await it.bridge.send(connected, 'order.paid', { order: orderOf('7002', { number: '#1043' }) });
  await it.bridge.settled(connected, '7002', 'recorded');
  const [document] = (await recordedOrdersOf(it.bridge, { shop: shopId, limit: 1 })).orders.map(({ documentNumber }) => documentNumber);

  for (const named of ['BG-1042/26', '7001', '#7001', complianceId ?? '', document ?? '', `id:${id}`]) {
    expect((await listOrders(it.bridge.app.core, { number: named, limit: 9 })).orders).toMatchObject([{ id }]);
    expect(await showOrder(core, { named })).toMatchObject({ id });
  }
  for (const named of ['1043', '#1043']) expect(await showOrder(core, { named })).toMatchObject({ orderId: '7002' });
});

test('a bare ledger id is no name, and is listed if nothing else is called so', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '800');
  const { id } = await it.bridge.settled(connected, '800', 'recorded');

  const refused = {
    kind: 'conflict',
    what: `no order is called ${id}`,
    choices: { rows: [[`id:${id}`, expect.any(String), '800', '#800', 'recorded']] },
  };
  // Anyone who names the order of that number, of which no webhook came, does not mean this one.
  await expect(releaseOrder({ pool: it.bridge.pool, notify: () => undefined }, String(id), { by: BY })).rejects.toMatchObject(refused);
  await expect(showOrder(it.bridge.app.core, { named: String(id) })).rejects.toMatchObject(refused);
  expect((await listOrders(it.bridge.app.core, { number: String(id), limit: 9 })).orders).toMatchObject([{ orderId: '800' }]);
  await recorded(it, connected, String(id));
  expect(await showOrder(it.bridge.app.core, { named: String(id) })).toMatchObject({ orderId: String(id) });
  expect(await showOrder(it.bridge.app.core, { named: `id:${id}` })).toMatchObject({ orderId: '800' });
});

test('the digits of a number are no name of its order, since another one that ends so may have come: they are listed', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const [first, second] = [await it.bridge.connect(), await it.bridge.connect()];
  const send = (connected: Connected, id: string, number: string) =>
    it.bridge.send(connected, 'order.paid', { order: orderOf(id, { number, payment: { method: 'shells' } }) });
  await send(first, '71', 'A-91001');
  const { id } = await it.bridge.settled(first, '71', 'review');
  await until(async () => (await listOrders(core, { number: '91001', limit: 9 })).orders.length === 1, { what: 'the search to be filled' });
  // The job that fills it waits, as if it were slow.
  await using blocked = await it.bridge.pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));
  await blocked.client.query('begin; lock table order_search in exclusive mode');
  await send(second, '72', 'B-91001');
  await it.bridge.settled(second, '72', 'review');

  const refused = { kind: 'conflict', what: 'no order is called 91001', choices: { rows: [[`id:${id}`, expect.any(String), '71', 'A-91001', 'review']] } };
  const deps = { pool: it.bridge.pool, notify: () => undefined };
  await expect(showOrder(core, { named: '91001' })).rejects.toMatchObject(refused);
  await expect(releaseOrder(deps, '91001', { by: BY })).rejects.toMatchObject(refused);
  await expect(splitOrder(deps, '91001')).rejects.toMatchObject(refused);
  for (const [named, orderId] of [
    ['A-91001', '71'],
    ['B-91001', '72'],
  ] as const)
    expect(await showOrder(core, { named })).toMatchObject({ orderId });
  await blocked.client.query('rollback');
});

describe('releasing', () => {
  test('wakes the order, and counts it', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await review(it, connected, '1');
    const notified: number[] = [];
    const deps = { pool: it.bridge.pool, notify: (orders: readonly { id: number }[]) => void notified.push(...orders.map(({ id }) => id)) };

    expect(await releaseOrder(deps, '#1', { by: 'cli:test@here' })).toEqual({ released: 1 });

    expect(notified).toEqual([(await it.bridge.order(connected, '1'))?.id]);
  });

  test('refuses an order that is not in review, and a code without orders in review', async () => {
    await using it = await world();
    await recorded(it, await it.bridge.connect(), '1');
    await using access = await openRecordAccess(it.bridge.app.core);
    const deps = { ...access, pool: it.bridge.pool, notify: notifyNobody };

    await expect(releaseOrder(deps, '1', { by: 'cli:test@here' })).rejects.toMatchObject({
      kind: 'conflict',
      what: 'the order 1 is recorded, not in review: there is nothing to release',
    });
    await expect(confirmOrder(deps, { named: '1', recorded: null, by: 'cli:test@here' })).rejects.toMatchObject({ kind: 'conflict' });
    await expect(
      releaseCode({ ...it.bridge.app.core, notify: notifyNobody }, { code: 'compliance.throttled', connection: null, by: 'test', firstTry: null }),
    ).rejects.toMatchObject({ kind: 'invalid' });
  });
});

test('everything that waits for a person is listed with advice: orders, and webhooks that could not be read', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await review(it, connected, '1');
  await it.bridge.send(connected, 'order.paid', { order: { id: '2' } });
  await until(async () => (await listWaiting(it.bridge)).deliveries.length === 1, { what: 'the webhook to be noted' });

  const { orders, deliveries, cutAt } = await listWaiting(it.bridge);

  expect(orders).toMatchObject([{ orderId: '1', review: { code: 'payment.unmapped' }, todo: expect.stringContaining('payments') }]);
  expect(deliveries).toMatchObject([{ code: 'payload.unreadable', kept: true, todo: expect.any(String) }]);
  expect(cutAt).toBeNull();
});

test('a list of what waits that is cut says so, also if rows of it can’t be read', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await review(it, connected, '1');
  await review(it, connected, '2');
  await it.bridge.pool.query(`update order_facts set facts = jsonb_set(facts, '{snapshot,total}', '48') from orders where id = order_ref and order_id = '1'`);

  expect(await listWaiting(it.bridge, 2)).toMatchObject({ orders: [{ orderId: '2' }], cutAt: 2 });
  expect(await listWaiting(it.bridge, 3)).toMatchObject({ orders: [{ orderId: '2' }], cutAt: null });
});

describe('replaying', () => {
  async function kept({ bridge }: World, connected: Connected, body: object | null): Promise<string> {
    const id = randomUUID();
    const bytes = body === null ? null : (await compress(JSON.stringify(body))).toString('base64');
    const of = { id, connectionId: connected.connection.id, arrivedAt: new Date().toISOString(), topic: '', platformDeliveryId: null, store: null };
    const delivery = { ...of, body: bytes, normalized: { kind: 'ignored', why: '' } as const };
    await noteDelivery(bridge.pool, { delivery, outcome: 'review', code: 'payload.unreadable', detail: '' });
    return id;
  }

  test('puts the webhook on the queue again', async () => {
    await using it = await world();
    const { core } = it.bridge.app;
    const connected = await it.bridge.connect();
    await using queues = openQueues(core);
    const id = await kept(it, connected, { type: 'order.paid', timestamp: new Date().toISOString(), data: { order: orderOf('1') } });

    expect(await replayDelivery({ ...core, addDeliveries: queues.addDeliveries, by: BY }, id)).toEqual({ ignored: null });

    await it.bridge.settled(connected, '1', 'recorded');
    expect((await listWaiting(core)).deliveries).toEqual([]);
  });

  test('of one that needs nothing says why, and opens no queue', async () => {
    await using it = await world();
    const { core } = it.bridge.app;
    const id = await kept(it, await it.bridge.connect({ platform: 'shopify' }), { id: 7 });
    const addDeliveries = () => Promise.reject(new Error('the queue was asked'));

    expect(await replayDelivery({ ...core, addDeliveries, by: BY }, id)).toEqual({ ignored: expect.stringContaining('says nothing that a tax record needs') });
    expect((await listWaiting(core)).deliveries).toEqual([]);
  });

  test('refuses an order from the future, by the moment at which it came', async () => {
    await using it = await world();
    const { core } = it.bridge.app;
    const data = { order: orderOf('1', { updatedAt: '2099-01-01T00:00:00Z' }) };
    const id = await kept(it, await it.bridge.connect(), { type: 'order.paid', data });

    await expect(replayDelivery({ ...core, addDeliveries: notifyNobody, by: BY }, id)).rejects.toMatchObject({
      what: expect.stringContaining('more than a day ahead'),
    });
  });

  test('refuses one whose body is gone, and an unknown one', async () => {
    await using it = await world();
    const { core } = it.bridge.app;
    const deps = { ...core, addDeliveries: notifyNobody, by: BY };
    const id = await kept(it, await it.bridge.connect(), null);

    await expect(replayDelivery(deps, id)).rejects.toMatchObject({ kind: 'conflict', what: expect.stringContaining('is gone') });
    await expect(replayDelivery(deps, randomUUID())).rejects.toMatchObject({ kind: 'missing' });
    await expect(replayDelivery(deps, 'nonsense')).rejects.toMatchObject({ kind: 'missing' });
  });
});
