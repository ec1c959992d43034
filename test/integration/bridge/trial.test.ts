import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { previewStart } from '../../../src/operations/trial/preview-start.ts';
import { startRecording } from '../../../src/operations/trial/start-recording.ts';
import { readRow, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { longTest } from '../../support/long-test.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { edited, later, refundedInFull, totals, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const BEFORE = '2026-11-01T00:00:00.000Z';

const creates = ({ service }: World) => service.requests('POST').length;

function start({ bridge }: World, { connection }: Connected, from: string) {
  const { connections } = bridge.app.core;
  return startRecording({ connections, notify: () => undefined }, { id: connection.id, from, by: 'cli:test@here' });
}

async function clientOf({ databaseUrl }: World) {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'by-hand' });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

async function untilWaiting(it: World, statement: string): Promise<number> {
  return until(
    async () => {
      const text = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`;
      const found = await readRow(it.bridge.pool, rowsOf('pg_stat_activity', z.object({ pid: z.int() })), { text, values: [statement] });
      return found?.pid ?? 0;
    },
    { what: `a statement like ${statement} to wait` },
  );
}

describe('a store on trial', () => {
  test('has its webhooks taken and kept, and nothing submitted; started, what counts is recorded once, and what was paid before is not', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ trial: true });
    const { connection } = connected;
    for (const id of ['1', '2', '3']) expect(await it.bridge.send(connected, 'order.paid', { order: orderOf(id) })).toBe(200);
    await it.bridge.send(connected, 'order.updated', { order: edited('2', 5, '36.00') });
    await it.bridge.send(connected, 'order.updated', { order: refundedInFull('3', 5) });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('old', { paidAt: '2026-10-30T10:00:00Z', payment: { method: 'barter' } }) });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('odd', { payment: { method: 'barter' } }) });
    for (const id of ['1', '2', '3', 'old', 'odd']) await it.bridge.settled(connected, id, 'ignored');
    expect(creates(it)).toBe(0);

    const deps = { pool: it.bridge.pool, knownSummaries: async () => new Map(), openStore: async () => null };
    const preview = {
      ...{ from: BEFORE, known: { orders: 2, sum: '84.00 EUR' }, asked: [{ code: 'payment.unmapped', orders: 1 }] },
      ...{ unknown: null, whyUnknown: null },
    };
    // An order is ignored before its later webhook is recorded, and after it.
    await until(async () => expect(await previewStart(deps, connection, BEFORE)).toEqual(preview) ?? true, { what: 'the later webhooks to be recorded' });
    for (const id of ['2', '3']) await it.bridge.settled(connected, id, 'ignored');
    const { again } = await start(it, connected, BEFORE);

    expect(again).toBe(5);
    await it.bridge.settled(connected, '1', 'recorded');
    await it.bridge.settled(connected, '2', 'recorded');
    await it.bridge.settled(connected, '3', 'removed');
    await it.bridge.settled(connected, 'odd', 'review');
    await it.bridge.settled(connected, 'old', 'ignored');
    expect([creates(it), totals(it.service, '1'), totals(it.service, '2')]).toEqual([2, ['48.00'], ['36.00']]);
    expect(await readBridgeActs(it.bridge.pool)).toMatchObject([
      { who: 'cli:test@here', act: 'store.started', before: { trialSince: connection.trialSince }, after: { recordFrom: BEFORE } },
    ]);
    await expect(start(it, connected, BEFORE)).rejects.toThrow('is not on trial: it is recorded since 2026-11-01T00:00:00.000Z');
  });

  test('that its settings’ day names is recorded from the day of the start, and stays so when they change', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ trial: true, settings: { recordFrom: '2020-01-01T00:00:00Z' } });
    await start(it, connected, later(30));
    const { connections } = it.bridge.app.core;

    await connections.changeSettings(connected.connection.id, { by: 'test', edit: ({ settings }) => ({ ...settings, transactionWaitSeconds: 0 }) });

    expect(await connections.find(connected.connection.id)).toMatchObject({ trialSince: null, recordFrom: '2026-11-01T10:30:00.000Z' });
  });
});

describe('a store that recorded, was disconnected and comes back on trial', () => {
  test('has recorded what waited then, and not what was paid in between', async () => {
    await using it = await world();
    const { connections } = it.bridge.app.core;
    const shopId = randomUUID();
    const before = await it.bridge.connect({ shopId });
    await it.bridge.send(before, 'order.paid', { order: orderOf('review', { payment: { method: 'barter' } }) });
    await it.bridge.settled(before, 'review', 'review');
    await connections.changeSettings(before.connection.id, { by: 'test', edit: ({ settings }) => ({ ...settings, quietSeconds: 300 }) });
    // The notice of the change may come after the next webhook.
    it.bridge.app.core.cache.forget();
    await it.bridge.send(before, 'order.paid', { order: orderOf('queued') });
    await until(async () => (await it.bridge.order(before, 'queued'))?.state === 'queued', { what: 'the order to wait for its quiet time' });
    const closed = await connections.close(before.connection.id);

    const back = await it.bridge.connect({ shopId, trial: true });
    expect(back.connection).toMatchObject({ id: before.connection.id, recordedUntil: closed?.closedAt });
    await it.bridge.send(back, 'order.updated', { order: orderOf('review', { updatedAt: later(5) }) });
    await it.bridge.pool.query('update orders set due_at = now() - interval $$1 minute$$');
    await it.bridge.send(back, 'order.paid', { order: orderOf('between', { paidAt: new Date().toISOString() }) });
    for (const id of ['review', 'queued', 'between']) await it.bridge.settled(back, id, 'ignored');
    const from = new Date().toISOString();
    const deps = { pool: it.bridge.pool, knownSummaries: async () => new Map(), openStore: async () => null };
    expect(await previewStart(deps, back.connection, from)).toMatchObject({ known: { orders: 2, sum: '96.00 EUR' } });
    await start(it, back, from);

    for (const id of ['review', 'queued']) await it.bridge.settled(back, id, 'recorded');
    await it.bridge.settled(back, 'between', 'ignored');
    expect([creates(it), totals(it.service, 'review'), totals(it.service, 'queued')]).toEqual([2, ['48.00'], ['48.00']]);
    const { recordFrom } = before.connection;
    expect(await connections.find(back.connection.id)).toMatchObject({ recordFrom, recordedUntil: null, gaps: [{ from: closed?.closedAt, until: from }] });
  });

  test('begins with the start, as before, if it never recorded', async () => {
    await using it = await world();
    const shopId = randomUUID();
    const fresh = await it.bridge.connect({ shopId, trial: true });
    await it.bridge.send(fresh, 'order.paid', { order: orderOf('1') });
    await it.bridge.settled(fresh, '1', 'ignored');
    await it.bridge.app.core.connections.close(fresh.connection.id);
    const back = await it.bridge.connect({ shopId, trial: true });

    const from = new Date().toISOString();
    expect((await start(it, back, from)).connection).toMatchObject({ recordFrom: from, recordedUntil: null });
    await it.bridge.settled(back, '1', 'ignored');
    expect(creates(it)).toBe(0);
  });
});

describe('nothing is submitted too early, and nothing is lost', () => {
  longTest('where a process knows the connection as it was before its trial', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await it.bridge.settled(connected, '1', 'recorded');
    // Nobody says it to the caches.
    await it.bridge.pool.query('update connections set trial_since = now()');

    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
    await it.bridge.send(connected, 'order.updated', { order: edited('1', 5, '36.00') });

    // What was recorded before goes on.
    await until(() => totals(it.service, '1').join() === '36.00', { what: 'the recorded order to be replaced' });
    await it.bridge.settled(connected, '2', 'ignored');
    expect(it.service.current('2')).toEqual([]);
  });

  test('where a process knows it as it was before the start', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ trial: true });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await it.bridge.settled(connected, '1', 'ignored');
    await it.bridge.pool.query(`update connections set trial_since = null, record_from = '2020-01-01'`);

    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });

    await it.bridge.settled(connected, '2', 'recorded');
    expect(totals(it.service, '2')).toEqual(['48.00']);
  });

  test('where a process knows its settings as they were before', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await it.bridge.pool.query(`update connections set record_from = '2030-01-01'`);
    it.bridge.app.core.cache.forget();
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await it.bridge.settled(connected, '1', 'ignored');
    await it.bridge.pool.query(`update connections set record_from = '2020-01-01'`);

    await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });

    await it.bridge.settled(connected, '2', 'recorded');
    expect(totals(it.service, '2')).toEqual(['48.00']);
  });

  test('of an order that is left out in the middle of the start', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ trial: true });
    await it.bridge.send(connected, 'order.paid', { order: orderOf('0') });
    await it.bridge.settled(connected, '0', 'ignored');
    await using client = await clientOf(it);
    await client.query('begin');
    // As the start does, before it decides again.
    await client.query(`update bridge.connections set trial_since = null, record_from = '2020-01-01'`);
    await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
    await untilWaiting(it, '%trial_since is not null for share%');

    await client.query('commit');

    await it.bridge.settled(connected, '1', 'recorded');
    expect(totals(it.service, '1')).toEqual(['48.00']);
  });

  test('where anyone who starts it dies in the middle: it is on trial as before, and starting it again records each order once', async () => {
    await using it = await world();
    const connected = await it.bridge.connect({ trial: true });
    for (const id of ['1', '2']) await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
    for (const id of ['1', '2']) await it.bridge.settled(connected, id, 'ignored');
    await using client = await clientOf(it);
    await client.query('begin');
    await client.query('select from bridge.orders for update');
    const dying = start(it, connected, BEFORE);
    dying.catch(() => undefined);
    const pid = await untilWaiting(it, '%with was as materialized%');

    await client.query('select pg_terminate_backend($1)', [pid]);
    await expect(dying).rejects.toThrow();
    await client.query('rollback');

    expect(await it.bridge.app.core.connections.find(connected.connection.id)).toMatchObject({ trialSince: connected.connection.trialSince });
    expect(creates(it)).toBe(0);
    await start(it, connected, BEFORE);
    for (const id of ['1', '2']) await it.bridge.settled(connected, id, 'recorded');
    expect([creates(it), totals(it.service, '1'), totals(it.service, '2')]).toEqual([2, ['48.00'], ['48.00']]);
  });
});
