import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { createAlertOutbox } from '../../../../src/bridge/ledger/alerts/alert-outbox.ts';
import {
  deliveryOfId,
  dismissDelivery,
  dropOldArrivals,
  dropOldBodies,
  markReplayed,
  noteDelivery,
} from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { erase, forgetOldBuyers } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { dropOldExports, listExports, storeExport } from '../../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { readOne, readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { type Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { jobsLeft } from '../../../support/worlds/jobs.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { coat } from '../../../support/worlds/two-of-one-id.ts';
import { edited, later, recorded, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
/** So many days from now, and a moment. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000);
const body = zstdCompressSync('{}').toString('base64');

const scopeOf = ({ connection: { shopId, platform } }: Connected, orderId: string) => ({
  ...{ shopId, platform, store: 'corner', orderIds: [orderId], until: new Date().toISOString() },
});

describe('the buyer of an order', () => {
  test('is kept for its days, then gone; the record stays, and no webhook brings the buyer back', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await bridge.connect();
    await recorded(it, connected, '1');
    const before = await bridge.order(connected, '1');

    expect(await forgetOldBuyers(bridge.pool, { days: 365, now: inDays(364) })).toBe(0);
    expect((await bridge.order(connected, '1'))?.customer).toEqual(before?.customer);
    expect(await forgetOldBuyers(bridge.pool, { days: 365, now: inDays(365) })).toBe(1);
    expect(await forgetOldBuyers(bridge.pool, { days: 365, now: inDays(365) })).toBe(0);
    await bridge.send(connected, 'order.updated', { order: orderOf('1', { updatedAt: later(3) }) });
    await until(async () => (await bridge.pool.query('select from deliveries')).rowCount === 2, { what: 'the webhook to be recorded' });

    const kept = await bridge.settled(connected, '1', 'recorded');
    expect(kept).toMatchObject({ customer: { kind: 'erased' }, complianceId: before?.complianceId });
    expect(service.requests('DELETE')).toEqual([]);
    expect(await jobsLeft(bridge.pool)).toEqual([]);
  });

  test('a change after that replaces the record, without a buyer', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await bridge.connect();
    await recorded(it, connected, '1');
    await forgetOldBuyers(bridge.pool, { days: 365, now: inDays(365) });

    await bridge.send(connected, 'order.updated', { order: edited('1', 5, '30.00') });

    await until(() => service.requests('POST').length === 2, { what: 'the replacement' });
    await bridge.settled(connected, '1', 'recorded');
    const [current] = service.current('1');
    expect(current?.dto).not.toHaveProperty('customer');
  });

  test('who asks to be forgotten after that is told of to the service all the same', async () => {
    await using it = await world({ config: { sweepSeconds: 60 } });
    const { bridge } = it;
    const connected = await bridge.connect();
    await recorded(it, connected, '1');
    await forgetOldBuyers(bridge.pool, { days: 365, now: inDays(365) });
    const store = (await bridge.order(connected, '1'))?.store ?? '';

    await erase(bridge.pool, { ...scopeOf(connected, '1'), store });
    await erase(bridge.pool, { ...scopeOf(connected, '1'), store });

    expect((await bridge.pool.query(`select from jobs where kind = 'forget-buyer'`)).rowCount).toBe(1);
  });
});

describe('that a webhook came', () => {
  const drop = ({ pool }: Bridge, days: number) => dropOldArrivals(pool, { days: 400, now: inDays(days) });
  const left = ({ pool }: Bridge) => readRows(pool, rowsOf('deliveries', z.object({ outcome: z.string() })), { text: 'select outcome from deliveries' });

  test('is kept for its days, and as long as its body is there; its order and steps stay, and so does what waits for a person', async () => {
    await using it = await world({ config: { sweepSeconds: 60 } });
    const { bridge } = it;
    const connected = await bridge.connect();
    await recorded(it, connected, '1');
    const before = await bridge.order(connected, '1');
    await noteDelivery(bridge.pool, { delivery: unreadable(connected), outcome: 'review', code: null, detail: null });

    expect(await drop(bridge, 401)).toBe(0);
    await bridge.pool.query('delete from bodies');
    expect(await drop(bridge, 399)).toBe(0);
    expect(await drop(bridge, 400)).toBe(1);

    expect(await left(bridge)).toEqual([{ outcome: 'review' }]);
    expect(await bridge.order(connected, '1')).toEqual(before);
    expect((await bridge.pool.query('select from steps')).rowCount).toBe(1);
  });

  test('is not needed to erase the buyers of a whole store', async () => {
    await using it = await world({ config: { sweepSeconds: 60 } });
    const { bridge } = it;
    const connected = await bridge.connect();
    await recorded(it, connected, '1');
    await bridge.pool.query('delete from deliveries');
    const store = (await bridge.order(connected, '1'))?.store ?? '';

    await erase(bridge.pool, { ...scopeOf(connected, '1'), store, orderIds: null });

    expect(await bridge.order(connected, '1')).toMatchObject({ customer: { kind: 'erased' } });
  });

  test('that another process drops or changes at the moment is not waited for', async () => {
    await using it = await world({ config: { sweepSeconds: 60 } });
    const { bridge } = it;
    const connected = await bridge.connect();
    for (let n = 0; n < 2; n += 1) await noteDelivery(bridge.pool, { delivery: unreadable(connected), outcome: 'warning', code: null, detail: null });
    await bridge.pool.query('update deliveries set body = null');
    const client = await bridge.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from deliveries limit 1 for update');

      expect(await drop(bridge, 400)).toBe(1);
    } finally {
      await client.query('rollback');
      client.release();
    }
    expect(await drop(bridge, 400)).toBe(1);
  });
});

function unreadable({ connection }: Connected): AcceptedDelivery {
  return {
    ...{ id: randomUUID(), connectionId: connection.id, arrivedAt: new Date().toISOString(), topic: 'x', platformDeliveryId: null, store: null, body },
    normalized: { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: 'a test' }] },
  };
}

test('an export is kept for its days', async () => {
  await using it = await world();
  const { bridge } = it;
  const connected = await bridge.connect();
  await storeExport(bridge.pool, scopeOf(connected, '1'), { connectionId: connected.connection.id, requestId: '9' });

  expect(await dropOldExports(bridge.pool, { days: 30, now: inDays(29) })).toBe(0);
  expect(await listExports(bridge.pool)).toHaveLength(1);
  expect(await dropOldExports(bridge.pool, { days: 30, now: inDays(30) })).toBe(1);
  expect(await listExports(bridge.pool)).toEqual([]);
});

describe('the body of a webhook', () => {
  async function note(bridge: Bridge, connected: Connected, outcome: 'review' | 'warning'): Promise<string> {
    const delivery = unreadable(connected);
    await noteDelivery(bridge.pool, { delivery, outcome, code: null, detail: null });
    return delivery.id;
  }

  const withBody = async ({ pool }: Bridge) =>
    (await readRows(pool, rowsOf('deliveries', z.object({ id: z.string() })), { text: 'select id from deliveries where body is not null' })).map(
      ({ id }) => id,
    );

  test('is kept for KEEP_DELIVERIES_DAYS; what could not be read, for KEEP_UNREADABLE_DAYS from when a person decided; what waits stays', async () => {
    await using it = await world({ config: { sweepSeconds: 60 } });
    const { bridge } = it;
    const connected = await bridge.connect();
    const waiting = await note(bridge, connected, 'review');
    const dismissed = await note(bridge, connected, 'review');
    const replayed = await note(bridge, connected, 'review');
    await note(bridge, connected, 'warning');
    await bridge.pool.query(`update deliveries set arrived_at = now() - interval '200 days' where id = any($1)`, [[waiting, dismissed, replayed]]);
    await dismissDelivery(bridge.pool, dismissed, { by: 'cli:a@b', why: 'a test' });
    await markReplayed(bridge.pool, replayed);
    const drop = (days: number) => dropOldBodies(bridge.pool, { days: 30, decidedDays: 90, now: inDays(days) });

    expect(await drop(29)).toBe(0);
    expect(await drop(30)).toBe(1);
    expect((await withBody(bridge)).toSorted()).toEqual([waiting, dismissed, replayed].toSorted());
    expect(await drop(89)).toBe(0);
    expect(await drop(90)).toBe(2);
    expect(await withBody(bridge)).toEqual([waiting]);
  });

  const bodies = rowsOf('bodies', z.object({ id: z.string() }));
  const ofOrders = async ({ pool }: Bridge) => (await readRows(pool, bodies, { text: 'select delivery_id as id from bodies' })).length;
  const dropDays = ({ pool }: Bridge, days: number) => dropOldBodies(pool, { days: 30, decidedDays: 90, now: inDays(days) });

  const daysOf = async ({ pool }: Bridge) => {
    const text = `select relname::text as id from pg_class where relname like 'bodies\\_until\\_%' and relkind = 'r' order by 1`;
    return (await readRows(pool, bodies, { text })).map(({ id }) => id);
  };

  /** Of an order, told by one delivery; returned is how that is recorded again. */
  async function told({ bridge }: World, times = 1): Promise<() => Promise<unknown>> {
    const connected = await bridge.connect();
    const { shopId, platform } = connected.connection;
    const [news, key] = [coat(), { shopId, platform, store: 'corner', orderId: '700' }];
    const delivery = { ...unreadable(connected), id: randomUUIDv7(), headers: { 'webhook-id': 'w' }, normalized: { kind: 'order', news } as const };
    const record = () => recordOrders(bridge.pool, Array(times).fill({ delivery, key, news, quietSeconds: 0 }));
    await record();
    return record;
  }

  test('of an order goes with all of its day, and the headers with it; that it came stays', async () => {
    await using it = await world({ role: 'receiver' });
    const { bridge } = it;
    await told(it);
    const { id } = await readOne(bridge.pool, rowsOf('deliveries', z.object({ id: z.string() })), { text: 'select id from deliveries' });
    const shown = () => deliveryOfId(bridge.pool, id);

    await dropDays(bridge, 29);
    expect(await shown()).toMatchObject({ outcome: 'merged', kept: true, headers: { 'webhook-id': 'w' } });
    await dropDays(bridge, 31);
    expect(await ofOrders(bridge)).toBe(0);
    expect(await shown()).toMatchObject({ outcome: 'merged', kept: false, headers: null });
  });

  test('is recorded once, also if its delivery comes again on another day', async () => {
    await using it = await world({ role: 'receiver' });
    const { pool } = it.bridge;
    const record = await told(it);
    for (const table of ['deliveries', 'bodies']) await pool.query(`update ${table} set kept_at = kept_at - interval '1 day'`);

    await record();

    expect((await pool.query('select from deliveries')).rowCount).toBe(1);
    expect(await ofOrders(it.bridge)).toBe(1);
  });

  test('is recorded once, also if its delivery is twice in what is recorded at once, as from the queue and the inbox', async () => {
    await using it = await world({ role: 'receiver' });
    await told(it, 2);

    const rows = rowsOf('deliveries', z.object({ outcome: z.string() }));
    expect(await readRows(it.bridge.pool, rows, { text: 'select outcome from deliveries' })).toEqual([{ outcome: 'merged' }]);
    expect(await ofOrders(it.bridge)).toBe(1);
  });

  test('is recorded once, also if its delivery is about two orders', async () => {
    await using it = await world({ role: 'receiver' });
    const connected = await it.bridge.connect();
    const { shopId, platform } = connected.connection;
    const delivery = unreadable(connected);
    const about = (orderId: string) => {
      const news = { ...coat(), orderId };
      return {
        delivery: { ...delivery, normalized: { kind: 'order', news } as const },
        key: { shopId, platform, store: 'corner', orderId },
        news,
        quietSeconds: 0,
      };
    };

    await recordOrders(it.bridge.pool, ['700', '701'].map(about));

    expect((await it.bridge.pool.query('select from deliveries')).rowCount).toBe(1);
    expect(await ofOrders(it.bridge)).toBe(1);
  });

  test('goes after the days that are set now, though its day was made as wide as those that were set before; younger ones of that day stay', async () => {
    await using it = await world({ role: 'receiver' });
    const { bridge } = it;
    for (const name of await daysOf(bridge)) await bridge.pool.query(`drop table ${name}`);
    await dropOldBodies(bridge.pool, { days: 365, decidedDays: 90, now: new Date() });
    await told(it);
    const younger = randomUUIDv7();
    await bridge.pool.query(`insert into bodies (delivery_id, kept_at, body) values ($1, now() + interval '1 hour', 'a test')`, [younger]);

    await dropDays(bridge, 30);
    expect(await ofOrders(bridge)).toBe(2);
    await dropDays(bridge, 31);
    expect(await readRows(bridge.pool, bodies, { text: 'select delivery_id as id from bodies' })).toEqual([{ id: younger }]);
  });

  test('comes on a day that was not made in time, and goes after its days', async () => {
    await using it = await world({ role: 'receiver' });
    const { bridge } = it;
    const made = await daysOf(bridge);
    expect(made).toHaveLength(3);
    for (const name of made) await bridge.pool.query(`drop table ${name}`);
    await told(it);

    await dropDays(bridge, 0);
    // Of this day some is elsewhere already.
    expect(await daysOf(bridge)).toEqual(made.slice(1));
    expect(await ofOrders(bridge)).toBe(1);
    await dropDays(bridge, 30);
    expect(await ofOrders(bridge)).toBe(0);
  });

  test.each([
    ['a backup reads', 'select from bodies', 'a transaction that reads them does not end'],
    ['a recorder writes', 'delete from bodies where false', 'canceling statement due to lock timeout'],
  ])('stays with its day while %s, which is not waited for; after two days that is reported', async (_what, statement, why) => {
    await using it = await world({ role: 'receiver' });
    const { bridge } = it;
    await told(it);
    const made = await daysOf(bridge);
    // 30 days after the end of this day, when nothing of it is a day late.
    const dayIsOver = new Date((Math.floor(Date.now() / 86_400_000) + 31) * 86_400_000);
    const dropAt = (now: Date) => dropOldBodies(bridge.pool, { days: 30, decidedDays: 90, now });
    const client = await bridge.pool.connect();
    try {
      await client.query('begin');
      await client.query(statement);

      await dropAt(dayIsOver);
      expect(await ofOrders(bridge)).toBe(1);
      await expect(dropDays(bridge, 34)).rejects.toThrow(why);
    } finally {
      await client.query('rollback');
      client.release();
    }
    await dropAt(dayIsOver);
    expect(await daysOf(bridge)).toEqual(made.slice(1));
  });

  test('that another process drops or erases at the moment is not waited for', async () => {
    await using it = await world({ config: { sweepSeconds: 60 } });
    const { bridge } = it;
    const connected = await bridge.connect();
    const [held] = [await note(bridge, connected, 'warning'), await note(bridge, connected, 'warning')];
    const client = await bridge.pool.connect();
    try {
      await client.query('begin');
      await client.query('update deliveries set body = body where id = $1', [held]);

      expect(await dropOldBodies(bridge.pool, { days: 30, decidedDays: 90, now: inDays(30) })).toBe(1);
      expect(await withBody(bridge)).toEqual([held]);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

test('alerts that were sent are kept for their days, and what waits for the three days of its tries', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const message = (channel: string, at: string) =>
    pool
      .query(`insert into alert_messages (id, channel, kind, body, created_at) values (gen_random_uuid(), $1, 'raised', '{}', now())`, [channel])
      .then(() => pool.query(`update alert_messages set ${at} where channel = $1`, [channel]));
  await message('waits', 'attempts = 1');
  await message('sent', 'sent_at = now()');
  const outbox = createAlertOutbox(pool);
  const left = async (now: Date, days: number) => {
    await outbox.prune({ days, now });
    const channels = rowsOf('alert_messages', z.object({ channel: z.string() }));
    return (await readRows(pool, channels, { text: 'select channel from alert_messages order by channel' })).map(({ channel }) => channel);
  };

  expect(await left(inDays(0), 1)).toEqual(['sent', 'waits']);
  expect(await left(inDays(1), 1)).toEqual(['waits']);
  expect(await left(inDays(2), 1)).toEqual(['waits']);
  expect(await left(inDays(3), 30)).toEqual([]);
});
