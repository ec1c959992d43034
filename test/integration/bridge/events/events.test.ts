import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openService } from '../../../../src/app/embedded-service.ts';
import { healthDeps } from '../../../../src/app/health-reader.ts';
import { openQueues } from '../../../../src/app/queues.ts';
import { eventBody } from '../../../../src/bridge/events/event.ts';
import { BRIDGE_AUDIT_LOG } from '../../../../src/bridge/ledger/bridge-acts.ts';
import { dropOldEvents, listEvents } from '../../../../src/bridge/ledger/events/event-store.ts';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { addEndpoint, enableEndpoint, removeEndpoint, replayEvent, rotateEndpoint } from '../../../../src/operations/events.ts';
import { readHealth } from '../../../../src/operations/health/read-health.ts';
import { readActs } from '../../../../src/platform/audit-log/audit-log.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { generateMonth } from '../../../../src/service/audit/month/generate-month.ts';
import { EventReceiver, found, isTrusted, type ReceivedEvent } from '../../../support/events/event-receiver.ts';
import { firstEndpoint, QUICK, TRIGGERS } from '../../../support/events/events-world.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { ownShop } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, later, recorded, refundedInFull, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const months = rowsOf('compliance.orders', z.object({ month: z.string() }));
const by = 'cli:test';

let receiver: EventReceiver;
beforeEach(async () => {
  receiver = await EventReceiver.start();
});
afterEach(() => receiver[Symbol.asyncDispose]());

type Added = Partial<Parameters<typeof addEndpoint>[1]>;
const add = (it: World, given: Added = {}) => addEndpoint(it.bridge.app.core, { url: receiver.url, withBuyers: false, by, ...given });
const came = (count: number, of: EventReceiver = receiver) => until(() => of.received.length >= count, { what: `${count} events` });

const actsOf = async (it: World, subject: string) =>
  (await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { subject, limit: 10 })).map(({ act, who }) => [act, who]).toReversed();

/** An order in review, until its payment method is one that has a type. */
const unmapped = (id: string) => orderOf(id, { payment: { method: 'shells', transactionId: 'pi_9' } });
const mapped = (id: string) => orderOf(id, { updatedAt: later(1), payment: { method: 'stripe', transactionId: 'pi_9' } });

test('what becomes of an order is sent in order, signed, as the schema says, and without its buyer', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const { secret } = await add(it);

  await recorded(it, connected, '1');
  const { complianceId } = await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
  await until(() => receiver.typesOf('1').length === 2, { what: 'the replacement' });
  await it.bridge.send(connected, 'order.updated', { order: refundedInFull('1', 2) });
  await it.bridge.settled(connected, '1', 'removed');
  await it.bridge.send(connected, 'order.paid', { order: unmapped('2') });
  await it.bridge.settled(connected, '2', 'review');
  await it.bridge.send(connected, 'order.updated', { order: mapped('2') });
  await it.bridge.settled(connected, '2', 'recorded');

  await until(() => receiver.typesOf('1').length === 3 && receiver.typesOf('2').length === 3, { what: 'all events' });
  expect(receiver.typesOf('1')).toEqual(['order.recorded', 'order.replaced', 'order.removed']);
  expect(receiver.typesOf('2')).toEqual(['order.needs_review', 'order.resolved', 'order.recorded']);
  const [first] = receiver.received;
  expect(first?.data).toMatchObject({
    ...{ order: { id: '1', number: '#1', platform: 'standard' }, connectionId: connected.connection.id, state: 'recorded', review: null },
    ...{ recordId: complianceId, total: '48.00', currency: 'EUR' },
  });
  for (const event of receiver.received) {
    expect(eventBody.safeParse(JSON.parse(event.body.toString()))).toMatchObject({ success: true });
    expect([event.headers.get('content-type'), isTrusted(event, secret)]).toEqual(['application/json', true]);
    expect(event.body.toString()).not.toMatch(/maria|Мария|buyer/);
  }
});

test('without an endpoint an order writes no event and no job, and from the first one on it does', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  const isSilent = async () => {
    await until(async () => (await pool.query(TRIGGERS)).rowCount === 0, { what: 'the triggers to be disabled' });
    expect((await pool.query(`select from jobs where kind = 'events'`)).rowCount).toBe(0);
  };
  await isSilent();
  await recorded(it, connected, '1');
  expect((await pool.query('select from events')).rowCount).toBe(0);

  const { id } = await add(it);
  expect((await pool.query(TRIGGERS)).rowCount).toBe(2);
  await recorded(it, connected, '2');
  await came(1);
  await removeEndpoint(it.bridge.app.core, { id, by });
  await recorded(it, connected, '3');

  await until(async () => (await pool.query(`select from jobs where kind = 'events'`)).rowCount === 0, { what: 'its job to go' });
  await isSilent();
  expect(receiver.received.map(({ subject }) => subject)).toEqual(['2']);
});

describe('an endpoint', () => {
  test('that fails is sent the same event again, under the same id, and nothing later of its order before', async () => {
    await using it = await world(QUICK);
    const connected = await it.bridge.connect();
    let failures = 4;
    receiver.reply = ({ subject }) => (subject === '1' && failures-- > 0 ? { status: 500, body: 'broken <b>' } : 204);
    await add(it);

    await recorded(it, connected, '1');
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 1, '30.00') });
    await recorded(it, connected, '2');

    await until(() => receiver.typesOf('1').length === 2 && receiver.typesOf('2').length === 1, { what: 'all events' });
    const of = receiver.received.filter(({ subject }) => subject === '1');
    expect(of.map(({ type }) => type)).toEqual([...Array(5).fill('order.recorded'), 'order.replaced']);
    expect(new Set(of.map(({ id }) => id)).size).toBe(2);
    await until(async () => (await firstEndpoint(it)).waiting === 0, { what: 'all to be noted' });
    expect(await firstEndpoint(it)).toMatchObject({ isFailing: false, disabledAt: null, deliveredAt: expect.any(String) });
  });

  test('that refuses one order alone is sent the others meanwhile', async () => {
    await using it = await world(QUICK);
    const connected = await it.bridge.connect();
    receiver.reply = ({ subject }) => (subject === '1' ? 422 : 204);
    await add(it);

    await recorded(it, connected, '1');
    await came(2);
    for (const id of ['2', '3', '4']) await recorded(it, connected, id);

    await until(() => ['2', '3', '4'].every((id) => receiver.typesOf(id).length === 1), { what: 'the others' });
    const refused = (await listEvents(it.bridge.pool, (await firstEndpoint(it)).id, 10)).at(-1);
    expect(refused).toMatchObject({ type: 'order.recorded', outcome: null, status: 422 });
  });

  test('is sent the others while one can’t be read or is not what the schema says, which is shown, waits longer each time, and is given up after three days', async () => {
    await using it = await world(QUICK);
    const { pool } = it.bridge;
    const connected = await it.bridge.connect();
    const { id } = await add(it, { withBuyers: true });
    for (const order of ['1', '2', '3']) await recorded(it, connected, order);
    await until(async () => (await firstEndpoint(it)).deliveredAt !== null && (await firstEndpoint(it)).waiting === 0, { what: 'all to be delivered' });
    // In the form of a later release; and of an order that has no state now.
    await pool.query(`update customers set data = set_byte(data, 0, 15) where order_ref = (select id from orders where order_id = '1')`);
    await pool.query(`update events set data = data - 'state' where data -> 'order' ->> 'id' = '2'`);
    receiver.received.length = 0;
    await pool.query('update events set ended_at = null, outcome = null, attempts = 0, due_at = now()');

    const of = async (order: string) => (await listEvents(pool, id, 5)).find(({ data }) => (data['order'] as { id: string }).id === order);
    const tried = async (order: string) => found(async () => [await of(order)].find((event) => (event?.attempts ?? 0) > 1), 'two tries');
    expect(await tried('1')).toMatchObject({ outcome: null, status: null, answer: expect.stringContaining('customer.sealed') });
    expect(await tried('2')).toMatchObject({ outcome: null, status: null, answer: expect.stringContaining('can’t be read') });
    await until(async () => (await of('3'))?.outcome === 'delivered', { what: 'the third' });
    expect(receiver.received.map(({ subject }) => subject)).toEqual(['3']);

    const age = (set: string) => pool.query(`update events set ${set}, due_at = now() where data -> 'order' ->> 'id' = '2' and ended_at is null`);
    await age(`attempts = 3, tried_at = tried_at - interval '73 hours'`);
    await until(async () => ((await of('2'))?.attempts ?? 0) > 3, { what: 'a try after three days in which it was not tried' });
    expect(await of('2')).toMatchObject({ outcome: null });
    await age('attempts = 20');
    await until(async () => (await of('2'))?.outcome === 'given-up', { what: 'it to be given up' });
    expect(await firstEndpoint(it)).toMatchObject({ disabledAt: null, waiting: 1 });
    await pool.query(`update customers set data = set_byte(data, 0, 1) where order_ref = (select id from orders where order_id = '1')`);
    await came(2);
    expect(receiver.received[1]).toMatchObject({ subject: '1', data: { buyer: { email: 'maria@example.invalid' } } });
  });

  test('that hangs, or is slow, holds up no other', async () => {
    await using it = await world(QUICK);
    await using other = await EventReceiver.start();
    const connected = await it.bridge.connect();
    receiver.reply = () => 'hang';
    await add(it);
    await add(it, { url: other.url });

    for (const id of ['1', '2', '3']) await recorded(it, connected, id);

    await came(3, other);
    expect(other.received.map(({ subject }) => subject).toSorted()).toEqual(['1', '2', '3']);
    await came(1);
    expect(receiver.received.length).toBeLessThanOrEqual(3);
  });

  test('that answers 410 is sent nothing more at once, which the health status says, until it is enabled: then it gets what it missed', async () => {
    await using it = await world(QUICK);
    const { app } = it.bridge;
    const connected = await it.bridge.connect();
    receiver.reply = () => 410;
    const { id } = await add(it);
    await recorded(it, connected, '1');
    const disabled = await until(async () => ((await firstEndpoint(it)).disabledAt === null ? null : firstEndpoint(it)), { what: 'it to be disabled' });
    await recorded(it, connected, '2');

    expect(disabled).toMatchObject({ disabledAs: 'gone', waiting: 1 });
    await using queues = openQueues(app.core);
    const { failedChecks } = await readHealth(healthDeps(app.core, { ...queues, every: [] }));
    expect(failedChecks).toContainEqual(expect.objectContaining({ code: 'events.disabled', subject: id, verb: `events enable ${id}` }));
    expect(receiver.received).toHaveLength(1);

    receiver.reply = () => 200;
    await enableEndpoint(app.core, { id: id.slice(0, 8), by });
    await came(2);
    await recorded(it, connected, '3');
    await came(3);
    expect(receiver.received.map(({ subject }) => subject)).toEqual(['1', '1', '3']);
    expect(await actsOf(it, id)).toEqual([
      ['endpoint.added', by],
      ['endpoint.disabled', 'orderbridge'],
      ['endpoint.enabled', by],
    ]);
  });

  test('that takes no event for three days is disabled, and what waits is kept for it', async () => {
    await using it = await world(QUICK);
    const { pool } = it.bridge;
    const connected = await it.bridge.connect();
    receiver.reply = () => 500;
    const { id } = await add(it);
    await recorded(it, connected, '1');
    await recorded(it, connected, '2');
    await until(async () => (await listEvents(pool, id, 5)).filter(({ attempts }) => attempts > 0).length === 2, { what: 'both to be noted as refused' });
    expect((await firstEndpoint(it)).disabledAt).toBeNull();

    await pool.query(`update events set attempts = 3, tried_at = tried_at - interval '73 hours', due_at = now()`);
    const triedAgain = async () => (await listEvents(pool, id, 5)).some(({ attempts }) => attempts > 3);
    await until(triedAgain, { what: 'a try after three days in which nothing was sent' });
    expect((await firstEndpoint(it)).disabledAt).toBeNull();
    await pool.query('update events set attempts = 20, due_at = now()');

    await until(async () => (await firstEndpoint(it)).disabledAt !== null, { what: 'it to be disabled' });
    expect(await firstEndpoint(it)).toMatchObject({ disabledAs: 'failing', waiting: 2 });
    expect((await listEvents(pool, id, 5)).map(({ outcome }) => outcome)).toEqual([null, null]);
  });

  test('whose secret is rotated is sent signatures by both, until the old one ends', async () => {
    await using it = await world(QUICK);
    const { core } = it.bridge.app;
    const connected = await it.bridge.connect();
    const first = await add(it);
    const next = async (id: string): Promise<ReceivedEvent> => {
      await recorded(it, connected, id);
      return found(() => receiver.received.find(({ subject }) => subject === id), 'its event');
    };

    const second = await rotateEndpoint(core, { id: first.id, revokeNow: false, by });
    const both = await next('1');
    expect(both.headers.get('webhook-signature')?.split(' ')).toHaveLength(2);
    expect([isTrusted(both, first.secret), isTrusted(both, second.secret), second.oldUntil === null]).toEqual([true, true, false]);

    const third = await rotateEndpoint(core, { id: first.id, revokeNow: true, by });
    const only = await next('2');
    expect([first, second, third].map(({ secret }) => isTrusted(only, secret))).toEqual([false, false, true]);
    const { rowCount } = await it.bridge.pool.query('select from event_endpoints where secrets like $1', ['%whsec%']);
    expect(rowCount).toBe(0);
  });
});

describe('an address that is not public', () => {
  test('is refused, and one whose name leads there is not called', async () => {
    await using it = await world({ config: { allowPrivateAddresses: false, retryScale: 0.02 } });
    const connected = await it.bridge.connect();
    for (const url of [
      receiver.url,
      'https://[::1]/',
      'https://0x7f.1/',
      'https://10.1.2.3/',
      'ftp://a.example',
      'https://a:b@a.example/',
      'http://a.example/',
      'a',
    ])
      await expect(add(it, { url })).rejects.toThrow('no events can be sent to this address');

    await add(it, { url: receiver.url.replace('127.0.0.1', 'localhost') });
    await recorded(it, connected, '1');

    const { id } = await firstEndpoint(it);
    const tried = await found(async () => (await listEvents(it.bridge.pool, id, 1)).find(({ attempts }) => attempts > 1), 'two attempts');
    expect(tried).toMatchObject({ status: null, outcome: null });
    expect(tried.answer).toContain('not a public address');
    expect(receiver.received).toEqual([]);
  });
});

describe('buyers', () => {
  test('are sent only to an endpoint that was given them, and are neither kept nor sent again once they are erased', async () => {
    await using it = await world(QUICK);
    const { pool, app } = it.bridge;
    const connected = await it.bridge.connect();
    const maria = { email: 'maria@example.invalid', firstName: 'Мария', lastName: 'Иванова' };
    receiver.reply = ({ data }) => ({ status: 200, body: `thanks, ${JSON.stringify(data['buyer'])}` });
    const { id } = await add(it, { withBuyers: true });
    await recorded(it, connected, '1');
    const first = await found(() => receiver.received[0], 'the event');
    const event = await found(async () => (await listEvents(pool, id, 1)).find(({ outcome }) => outcome === 'delivered'), 'it to be noted');

    expect(first.data['buyer']).toEqual(maria);
    expect([event.answer?.includes('maria@example.invalid'), JSON.stringify(event.data).includes('maria')]).toEqual([true, false]);
    expect((await readActs(pool, BRIDGE_AUDIT_LOG, { subject: id, limit: 1 }))[0]).toMatchObject({
      who: by,
      act: 'endpoint.added',
      after: { withBuyers: true },
    });

    const { shopId, platform } = connected.connection;
    const order = await it.bridge.order(connected, '1');
    await erase(pool, { shopId, platform, store: order?.store ?? '', orderIds: ['1'], until: new Date().toISOString() });
    expect((await listEvents(pool, id, 1))[0]?.answer).toBeNull();
    await replayEvent(app.core, { id: event.id, by });
    await came(2);
    expect(receiver.received[1]).toMatchObject({ id: event.id, data: { buyer: null } });
    await until(async () => (await firstEndpoint(it)).waiting === 0, { what: 'it to be noted' });
    expect((await listEvents(pool, id, 1))[0]).toMatchObject({ outcome: 'delivered', answer: null });
  });
});

test('what was answered to an event goes with the order that is deleted, and is not kept later', async () => {
  await using it = await world(QUICK);
  const { pool, app } = it.bridge;
  const connected = await it.bridge.connect();
  receiver.reply = ({ data }) => ({ status: 200, body: `thanks, ${JSON.stringify(data['buyer'])}` });
  const { id } = await add(it, { withBuyers: true });
  await recorded(it, connected, '1');
  const event = await found(async () => (await listEvents(pool, id, 1)).find(({ outcome }) => outcome === 'delivered'), 'it to be noted');
  expect(event.answer).toContain('maria');

  for (const table of ['steps', 'deliveries', 'orders']) await pool.query(`delete from ${table}`);

  expect((await listEvents(pool, id, 1))[0]?.answer).toBeNull();
  await replayEvent(app.core, { id: event.id, by });
  await came(2);
  await until(async () => (await firstEndpoint(it)).waiting === 0, { what: 'it to be noted' });
  expect((await listEvents(pool, id, 1))[0]).toMatchObject({ outcome: 'delivered', answer: null });
});

describe('of a store, or of a company', () => {
  test('only their events are sent, also that a month was filed', async () => {
    await using it = await world({ embeddedService: true, ...QUICK });
    await using ofCompany = await EventReceiver.start();
    await using ofOther = await EventReceiver.start();
    const { core } = it.bridge.app;
    const { shopId } = await ownShop(it);
    const connected = await it.bridge.connect({ shopId });
    const other: Connected = await it.bridge.connect({ name: 'other' });
    await add(it, { connection: connected.connection.id });
    await add(it, { url: ofCompany.url, company: '206770508' });
    await add(it, { url: ofOther.url, connection: 'other' });
    await expect(add(it, { company: '206770508', connection: 'other' })).rejects.toThrow('not both');
    await expect(add(it, { company: '123' })).rejects.toThrow('check digit');

    await it.bridge.send(other, 'order.paid', { order: unmapped('9') });
    await it.bridge.settled(other, '9', 'review');
    await recorded(it, connected, '1');
    const { month } = await readOne(core.pool, months, { text: `select to_char(max(month), 'YYYY-MM') as month from compliance.orders` });
    const then = () => new Date(Date.now() + 45 * 86_400_000);
    await using service = await openService(core, then);
    await generateMonth(service.audit, { shopId, month, now: true });
    expect(await service.months.filed({ shopId, month, version: 1, asIs: true, withoutOutstanding: true, said: { by } })).toMatchObject({ ok: true });

    for (const of of [receiver, ofCompany]) {
      await came(2, of);
      expect(of.received.map(({ type, subject }) => [type, subject])).toEqual([
        ['order.recorded', '1'],
        ['month.filed', month],
      ]);
      expect(of.received[1]?.data).toEqual({ shopId, month, version: 1, filedOn: null, incomingNumber: null });
      expect(eventBody.safeParse(JSON.parse(String(of.received[1]?.body)))).toMatchObject({ success: true });
    }
    await came(1, ofOther);
    expect(ofOther.received.map(({ type, subject }) => [type, subject])).toEqual([['order.needs_review', '9']]);
  });
});

test('events go after their days, but for those that wait', async () => {
  await using it = await world(QUICK);
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  receiver.reply = ({ subject }) => (subject === '1' ? 500 : 200);
  const { id } = await add(it);
  for (const order of ['1', '2']) await recorded(it, connected, order);
  await until(() => receiver.typesOf('2').length === 1, { what: 'one to be delivered' });
  await until(async () => (await firstEndpoint(it)).waiting === 1, { what: 'that to be noted' });
  await pool.query(`update events set created_at = created_at - interval '31 days'`);

  await dropOldEvents(pool, { days: 30, now: new Date() });

  expect((await listEvents(pool, id, 5)).map(({ data }) => data['order'])).toMatchObject([{ id: '1' }]);
});
