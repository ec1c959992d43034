import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { disableEndpoint, listEndpoints } from '../../../../src/bridge/ledger/events/endpoint-store.ts';
import { listEvents } from '../../../../src/bridge/ledger/events/event-store.ts';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { addEndpoint, enableEndpoint, removeEndpoint } from '../../../../src/operations/events.ts';
import { reserveConnection } from '../../../../src/platform/postgres/postgres.ts';
import { EventReceiver } from '../../../support/events/event-receiver.ts';
import { firstEndpoint, QUICK, TRIGGERS } from '../../../support/events/events-world.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, recorded, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const by = 'cli:test';

let receiver: EventReceiver;
beforeEach(async () => {
  receiver = await EventReceiver.start();
});
afterEach(() => receiver[Symbol.asyncDispose]());

const add = (it: World, withBuyers = false) => addEndpoint(it.bridge.app.core, { url: receiver.url, withBuyers, by });
const came = (count: number) => until(() => receiver.received.length >= count, { what: `${count} events` });

test.each([
  ['that changed orders', 'update orders set number = number'],
  ['that adds another', `select pg_advisory_xact_lock(hashtext('orderbridge order triggers'))`],
])('while a transaction %s does not end, no first endpoint is added, nor one beside it, and nothing is kept of them', async (_what, statement) => {
  await using it = await world();
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  await until(async () => (await pool.query(TRIGGERS)).rowCount === 0, { what: 'the triggers to be disabled' });
  {
    using open = await reserveConnection(pool);
    await open.client.query('begin');
    await open.client.query(statement);
    const adding = await Promise.allSettled([add(it), add(it)]);
    await open.client.query('rollback');

    expect(adding).toMatchObject(Array(2).fill({ status: 'rejected', reason: { kind: 'unavailable', what: expect.stringContaining('does not end') } }));
    expect([await listEndpoints(pool), (await pool.query(TRIGGERS)).rowCount]).toEqual([[], 0]);
    expect((await pool.query(`select from jobs where kind = 'events'`)).rowCount).toBe(0);
  }
  await Promise.all([add(it), add(it)]);
  expect((await pool.query(TRIGGERS)).rowCount).toBe(2);
});

test('an endpoint is sent no second copy of an event while the first is on its way, also where another could not be noted', async () => {
  await using it = await world(QUICK);
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  await add(it);
  for (const id of ['1', '2']) await recorded(it, connected, id);
  await until(async () => (await pool.query(`select from events where outcome = 'delivered'`)).rowCount === 2, { what: 'both to be delivered' });
  await pool.query(`create function cannot_note() returns trigger language plpgsql as $$ begin raise 'it can’t be noted'; end $$`);
  await pool.query(`create trigger cannot_note before update on events for each row
    when (new.data -> 'order' ->> 'id' = '2' and new.sent_at is distinct from old.sent_at) execute function cannot_note()`);
  const onTheWay: string[] = [];
  const doubled: string[] = [];
  receiver.reply = async ({ id, subject }) => {
    if (onTheWay.includes(id)) doubled.push(subject);
    onTheWay.push(id);
    if (subject === '1') await setTimeout(2_000);
    onTheWay.splice(onTheWay.indexOf(id), 1);
    return 204;
  };

  await pool.query('update events set ended_at = null, outcome = null, due_at = now()');
  await until(() => receiver.received.filter(({ subject }) => subject === '2').length > 2, { what: 'one that can’t be noted to be sent again' });
  await pool.query('drop function cannot_note cascade');

  await until(async () => (await firstEndpoint(it)).waiting === 0, { what: 'all to be noted' });
  expect(doubled).toEqual([]);
});

test('buyers who are erased while they are sent the first time are not kept in what is answered', async () => {
  await using it = await world(QUICK);
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  using erasing = await reserveConnection(pool);
  receiver.reply = async ({ data }) => {
    await erasing.client.query('begin');
    await erasing.client.query('update customers set data = null, erased_at = now()');
    return { status: 200, body: `thanks, ${JSON.stringify(data['buyer'])}` };
  };
  const { id } = await add(it, true);
  await recorded(it, connected, '1');
  await came(1);

  const isNoted = async () => (await listEvents(pool, id, 1))[0]?.outcome === 'delivered';
  const waits = async () => (await pool.query('select from pg_locks where not granted')).rowCount !== 0;
  await until(async () => (await isNoted()) || (await waits()), { what: 'it to be noted, or to wait for the erasure' });
  await erasing.client.query('commit');

  await until(isNoted, { what: 'it to be noted' });
  expect(receiver.received[0]?.data['buyer']).toMatchObject({ email: 'maria@example.invalid' });
  expect((await listEvents(pool, id, 1))[0]?.answer).toBeNull();
});

/** Others that change orders may wait behind it. */
const ENABLING = `select from pg_locks where not granted and mode = 'ShareRowExclusiveLock'`;

test('buyers are erased while their endpoint is enabled, and while a transaction that changed orders erases one: nobody waits for the other for ever', async () => {
  await using it = await world(QUICK);
  const { pool, app } = it.bridge;
  const connected = await it.bridge.connect();
  receiver.reply = () => ({ status: 500, body: 'broken' });
  const { id } = await add(it);
  // They are erased in the order of their ids, and their events came the other way round.
  for (const order of ['2', '1']) await recorded(it, connected, order);
  const bothTried = () => until(async () => (await listEvents(pool, id, 5)).filter(({ answer }) => answer !== null).length === 2, { what: 'both to be tried' });
  await bothTried();
  await disableEndpoint(pool, id, 'failing');
  await pool.query('create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$');
  await pool.query('create trigger slow before update on events for each row execute function slow()');

  const { shopId, platform } = connected.connection;
  const store = (await it.bridge.order(connected, '1'))?.store ?? '';
  const before = new Date().toISOString();
  await Promise.all([erase(pool, { shopId, platform, store, orderIds: ['1', '2'], until: before }), enableEndpoint(app.core, { id, by })]);
  await pool.query('drop function slow cascade');
  await until(async () => (await listEvents(pool, id, 5)).every(({ attempts, answer }) => attempts > 0 && answer === null), { what: 'both to be tried again' });

  await disableEndpoint(pool, id, 'failing');
  await pool.query(`update events set answer = 'broken'`);
  using changing = await reserveConnection(pool);
  await changing.client.query('begin');
  await changing.client.query('update orders set number = number');
  const enabling = enableEndpoint(app.core, { id, by });
  await until(async () => (await pool.query(ENABLING)).rowCount === 1, { what: 'it to wait' });
  await changing.client.query('update events set answer = null where answer is not null');
  await changing.client.query('commit');
  await enabling;
  expect(await firstEndpoint(it)).toMatchObject({ disabledAt: null, waiting: 2 });
});

test('to disable and enable an endpoint changes none of the events that were not tried, however many wait; one that could not be enabled lost none, and then gets all in order', async () => {
  await using it = await world(QUICK);
  const { pool, app } = it.bridge;
  const connected = await it.bridge.connect();
  receiver.reply = () => 503;
  const { id } = await add(it);
  await recorded(it, connected, '1');
  await until(async () => (await firstEndpoint(it)).isFailing, { what: 'it to be tried' });
  await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
  await until(async () => (await firstEndpoint(it)).waiting === 2, { what: 'what became of it then' });
  await pool.query(`insert into events (endpoint, subject, type, data) select endpoint, 'many ' || n, type, jsonb_set(data, '{order,id}', to_jsonb('m' || n))
    from events, generate_series(1, 100) n, generate_series(1, 2) where type = 'order.recorded'`);
  await pool.query(`create function untried() returns trigger language plpgsql as $$ begin raise 'it was not tried'; end $$`);
  await pool.query('create trigger untried before update on events for each row when (old.attempts = 0 and new.attempts = 0) execute function untried()');

  await disableEndpoint(pool, id, 'failing');
  expect(await firstEndpoint(it)).toMatchObject({ disabledAs: 'failing', waiting: 202 });
  expect((await listEvents(pool, id, 1))[0]).toMatchObject({ outcome: null, dueAt: null });
  {
    using open = await reserveConnection(pool);
    await open.client.query('begin');
    await open.client.query('update orders set number = number');
    await expect(enableEndpoint(app.core, { id, by })).rejects.toMatchObject({ kind: 'unavailable' });
    await open.client.query('rollback');
  }
  expect(await firstEndpoint(it)).toMatchObject({ disabledAs: 'failing', waiting: 202 });
  receiver.reply = () => 204;
  receiver.received.length = 0;
  await enableEndpoint(app.core, { id, by });

  await until(async () => (await firstEndpoint(it)).waiting === 0, { what: 'all to be delivered' });
  expect([receiver.typesOf('1'), receiver.typesOf('m1'), receiver.received.length]).toEqual([
    ['order.recorded', 'order.replaced'],
    Array(2).fill('order.recorded'),
    202,
  ]);
});

test('an endpoint is gone before its events are, a page at a time: they may be too many for one statement', async () => {
  await using it = await world();
  const { pool, app } = it.bridge;
  const connected = await it.bridge.connect();
  receiver.reply = () => 503;
  const { id } = await add(it);
  await recorded(it, connected, '1');
  await pool.query(`insert into events (endpoint, subject, type, data) select endpoint, 'many ' || n, type, data from events, generate_series(1, 10000) n`);
  await pool.query(`create table pages (events int)`);
  await pool.query(`create function page() returns trigger language plpgsql as $$ begin insert into pages select count(*) from gone; return null; end $$`);
  await pool.query('create trigger page after delete on events referencing old table as gone for each statement execute function page()');
  {
    using open = await reserveConnection(pool);
    await open.client.query('begin');
    await open.client.query('select from events order by seq limit 1 for update');
    const removing = removeEndpoint(app.core, { id, by });
    await until(async () => (await listEndpoints(pool)).length === 0, { what: 'it to be gone' });
    await open.client.query('rollback');
    await removing;
  }

  expect((await pool.query('select from events')).rowCount).toBe(0);
  for (const events of [10_000, 1]) expect((await pool.query('select from pages where events = $1', [events])).rowCount).toBe(1);
});

test('a database that is stopped, as one that was restored, sends nothing', async () => {
  await using it = await world({ ...QUICK, fresh: true });
  const { pool, app } = it.bridge;
  const connected = await it.bridge.connect();
  await add(it);
  await recorded(it, connected, '1');
  await until(async () => (await firstEndpoint(it)).deliveredAt !== null, { what: 'it to be delivered' });

  await pool.query(`update jobs.database set stopped = 'copied', since = now()`);
  await until(() => app.core.recording.isStopped, { what: 'the program to see it' });
  const waits = `select from jobs where kind = 'events' and lease is null and due_at > now() + interval '30 s'`;
  const isWaiting = async () => (await pool.query(waits)).rowCount === 1;
  await until(isWaiting, { what: 'its job to wait' });
  await pool.query('update events set ended_at = null, outcome = null, due_at = now()');
  await pool.query(`update jobs set due_at = now() where kind = 'events'`);

  await until(isWaiting, { what: 'its job to wait again' });
  expect([receiver.received.length, (await firstEndpoint(it)).waiting]).toEqual([1, 1]);
});
