import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openRecordAccess } from '../../../src/app/record-access.ts';
import { resumeAt } from '../../../src/bridge/ledger/database-acts.ts';
import { keepOrderTriggers } from '../../../src/bridge/ledger/order-triggers.ts';
import { saveSettings } from '../../../src/operations/connections/change-settings.ts';
import { listConnections } from '../../../src/operations/connections/list-connections.ts';
import { addEndpoint, removeEndpoint } from '../../../src/operations/events.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { resolveOrder } from '../../../src/operations/orders/resolve-order.ts';
import { stopRecording } from '../../../src/platform/postgres/database-place.ts';
import { reserveConnection } from '../../../src/platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { withLink } from '../../support/connect/merchant.ts';
import { startedOn } from '../../support/connect/started-merchant.ts';
import { TRIGGERS } from '../../support/events/events-world.ts';
import type { Bridge } from '../../support/worlds/bridge.ts';
import { startLiveWooStore } from '../../support/worlds/live-woo-store.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const config = { retryScale: 0.01 };
const on = { settings: { notes: true } };
const by = 'cli:test';
const triggerRows = rowsOf('pg_trigger', z.object({ tgname: z.string() }));

type Shop = Awaited<ReturnType<typeof startLiveWooStore>>;

/** What the notes of an order say to programs, without the change, once there are so many. */
async function statesOf({ store }: Shop, id: string, count: number): Promise<string[]> {
  return until(
    () => {
      const notes = store.notes.of(Number(id));
      if (notes.length < count) throw new Error(`the notes are ${JSON.stringify(notes)}`);
      return notes.map(({ note }) => /\n\(orderbridge: (\S+ \S+) \d+-\d+\)$/.exec(note)?.[1] ?? note);
    },
    { what: `${count} notes at order ${id}` },
  );
}

const isNote = ({ method, path }: { method: string; path: string }) => method === 'POST' && path.includes('/notes');
const posted = ({ store }: Shop) => store.asked.filter(isNote).length;

/** Rows that wait for their note, and jobs that write them. */
async function waiting({ pool }: Bridge): Promise<number> {
  const rows = rowsOf('store_notes', z.object({ count: z.int() }));
  const text = `select (select count(*) from store_notes where written_at is null)::int + (select count(*) from jobs where kind = 'notes')::int as count`;
  return (await readOne(pool, rows, { text })).count;
}

async function allWritten(bridge: Bridge): Promise<void> {
  await until(async () => (await waiting(bridge)) === 0, { what: 'no note to wait' });
}

test('each change of an order is one private note, in order, with the document’s number and in the merchant’s language; none comes back as a new revision', async () => {
  await using it = await world({ embeddedService: true, config });
  const { bridge } = it;
  const { shopId } = await ownShop(it);
  await using shop = await startLiveWooStore(it, { ...on, shopId });
  await startedOn(bridge, shop.connected, { lang: 'en' });
  const id = await shop.sell();
  const document = /^recorded (\d{10})$/.exec((await statesOf(shop, id, 1))[0] ?? '')?.[1];

  shop.floor.refund(Number(id), { cents: 1200 });
  await shop.webhooks.runQueue();
  await statesOf(shop, id, 2);
  shop.floor.refund(Number(id));
  await shop.webhooks.runQueue();

  expect(await statesOf(shop, id, 3)).toEqual([`recorded ${document}`, `replaced ${document}`, 'removed -']);
  expect(shop.store.notes.of(Number(id)).map(({ note, customer_note }) => [note.split('\n')[0], customer_note])).toEqual([
    [`Recorded as document ${document}.`, false],
    [`Recorded anew as document ${document}; the record before was deleted.`, false],
    ['Nothing is recorded of this order any more.', false],
  ]);
  await allWritten(bridge);
  const before = await bridge.settled(shop.connected, id, 'removed');
  // Notes have no webhook. A save has, such as of what a plugin keeps of them.
  shop.floor.save(Number(id), { meta_data: [{ key: '_orderbridge_state', value: 'removed' }] } as object);
  await shop.webhooks.runQueue();
  const after = await bridge.settled(shop.connected, id, 'removed');
  expect([after.revision, posted(shop)]).toEqual([before.revision, 3]);
});

test('nothing is written while notes are off, as they are until somebody chooses them, and nothing of before when they are on', async () => {
  await using it = await world({ config });
  await using shop = await startLiveWooStore(it);
  const id = await shop.sell();
  await it.bridge.settled(shop.connected, id, 'recorded');
  expect(await waiting(it.bridge)).toBe(0);

  await saveSettings(it.bridge.app.core, { id: shop.connected.connection.id, by, changes: { set: ['notes=true'], unset: [] } });
  shop.floor.save(Number(id));
  const other = await shop.sell();
  expect(await statesOf(shop, other, 1)).toEqual(['recorded -']);
  shop.floor.refund(Number(id));
  await shop.webhooks.runQueue();

  expect(await statesOf(shop, id, 1)).toEqual(['removed -']);
});

test('the triggers of notes and of events are enabled only while a live connection wants notes, and while there is an endpoint', async () => {
  await using it = await world({ config });
  const { core } = it.bridge.app;
  const enabled = async () => (await readRows(core.pool, triggerRows, { text: TRIGGERS })).map(({ tgname }) => tgname);
  await until(async () => (await enabled()).length === 0, { what: 'the triggers of other tests to be disabled' });
  await using shop = await startLiveWooStore(it);
  const { id } = shop.connected.connection;
  const notes = (is: boolean) => saveSettings(core, { id, by, changes: { set: [`notes=${is}`], unset: [] } });
  const [ofNotes, ofEvents] = [
    ['notes_when_changed', 'notes_when_made'],
    ['events_when_changed', 'events_when_made'],
  ];
  expect(await enabled()).toEqual([]);

  await notes(true);
  expect(await enabled()).toEqual(ofNotes);
  const endpoint = await addEndpoint(core, { url: 'http://127.0.0.1:9/', withBuyers: false, by });
  expect(await enabled()).toEqual([...ofEvents, ...ofNotes]);
  await notes(false);
  expect(await enabled()).toEqual(ofEvents);
  await removeEndpoint(core, { id: endpoint.id, by });
  expect(await enabled()).toEqual([]);

  await notes(true);
  await core.connections.close(id);
  expect(await enabled()).toEqual([]);
  const { platform, name, shopId, destinationId, store } = shop.connected.connection;
  const again = { platform, name, shopId, destinationId, store, secret: shop.connected.secret, access: null, settings: null, ownShop: false, hosts: [] };
  const reopened = await core.connections.create({ ...again, identity: null, claim: { is: 'same', connectionId: id }, recordFrom: null });
  expect(reopened).toMatchObject({ connection: { id, settings: { notes: true } } });
  expect(await enabled()).toEqual(ofNotes);
});

test('notes are switched on at once while a transaction that changed orders does not end, keep others waiting for a moment only, and begin after it', async () => {
  await using it = await world({ config });
  const { core } = it.bridge.app;
  const enabled = async () => (await readRows(core.pool, triggerRows, { text: TRIGGERS })).length;
  await until(async () => (await enabled()) === 0, { what: 'the triggers of other tests to be disabled' });
  await using shop = await startLiveWooStore(it);
  using open = await reserveConnection(core.pool);
  await open.client.query('begin');
  await open.client.query('update orders set number = number');

  const { after } = await saveSettings(core, { id: shop.connected.connection.id, by, changes: { set: ['notes=true'], unset: [] } });
  expect([after.notes, await enabled()]).toEqual([true, 0]);
  const began = performance.now();
  await keepOrderTriggers(core.pool);
  expect(performance.now() - began).toBeLessThan(2_000);
  await open.client.query('commit');

  await until(async () => (await enabled()) === 2, { what: 'a sweep to enable them' });
});

test('nobody waits for a store that is connected again with its notes while its orders are moved', async () => {
  await using it = await world({ config });
  const { core } = it.bridge.app;
  await using shop = await startLiveWooStore(it, on);
  await using other = await startLiveWooStore(it, { shopId: randomUUID() });
  const order = await shop.sell();
  await it.bridge.settled(shop.connected, order, 'recorded');
  const { id, platform, name, shopId, destinationId } = shop.connected.connection;
  const store = (await core.connections.close(id))?.store ?? null;
  await core.pool.query('update orders set connection_id = $1', [other.connected.connection.id]);
  using open = await reserveConnection(core.pool);
  await open.client.query('begin');
  await open.client.query('select from orders for update');

  const given = { platform, name, shopId, destinationId, store, secret: shop.connected.secret, access: null, settings: null, ownShop: false, hosts: [] };
  const again = core.connections.create({ ...given, identity: null, claim: { is: 'same', connectionId: id }, recordFrom: null });
  const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'order_search' and datname = current_database()`;
  await until(async () => (await core.pool.query(waits)).rowCount === 1, { what: 'it to move the order' });
  expect((await core.pool.query(`select from pg_locks where relation = 'orders'::regclass and mode = 'ShareRowExclusiveLock'`)).rowCount).toBe(0);
  await open.client.query('commit');

  expect(await again).toMatchObject({ connection: { id, settings: { notes: true } } });
  expect((await core.pool.query(TRIGGERS)).rowCount).toBe(2);
});

test('an order in review says why, in Bulgarian if nobody chose, and what became of it', async () => {
  await using it = await world({ config });
  // Of two saves in one second nobody knows which is the later one.
  let saves = 0;
  await using shop = await startLiveWooStore(it, { ...on, now: () => Date.now() + saves * 1_000 });
  const { id: number } = shop.floor.buy({ gateway: 'econt_pay' });
  const id = String(number);
  await shop.webhooks.runQueue();
  expect(await statesOf(shop, id, 1)).toEqual(['review -']);
  // Asked again for the same reason: nothing new is to be said.
  saves = 1;
  shop.floor.edit(number, { quantity: 2 });
  await shop.webhooks.runQueue();
  await until(async () => (await it.bridge.order(shop.connected, id))?.revision === 2, { what: 'the edit to be known' });
  await it.bridge.settled(shop.connected, id, 'review');

  const changes = { set: ['payments.econt_pay.paymentType=BANK_TRANSFER'], unset: [] };
  await saveSettings(it.bridge.app.core, { id: shop.connected.connection.id, by, changes });
  saves = 2;
  shop.floor.edit(number, { quantity: 3 });
  await shop.webhooks.runQueue();

  expect(await statesOf(shop, id, 2)).toEqual(['review -', 'recorded -']);
  expect(shop.store.notes.of(number)[0]?.note).toContain('Нужна е проверка. Начинът на плащане „econt_pay“ няма вид.\n');
});

test('of an order that never had a record no note says that it has none any more', async () => {
  await using it = await world({ config });
  await using shop = await startLiveWooStore(it, on);
  const { id: number } = shop.floor.buy({ gateway: 'econt_pay' });
  const id = String(number);
  await shop.webhooks.runQueue();
  await statesOf(shop, id, 1);

  const { core } = it.bridge.app;
  await using records = await openRecordAccess(core);
  const deps = { ...records, pool: core.pool, connections: core.connections, notify: () => undefined, now: Date.now };
  await resolveOrder(deps, { named: id, outcome: { how: 'elsewhere' }, by: 'cli:test', why: 'made by hand' });

  expect(await statesOf(shop, id, 2)).toEqual(['review -', 'unrecorded -']);
});

test('a note whose answer was lost is looked for before it is repeated, and is not while the notes can’t be read', async () => {
  await using it = await world({ config });
  await using shop = await startLiveWooStore(it, on);
  const { host } = shop.store;
  let isReadable = false;
  let looks = 0;
  host.intercept = async (request) => {
    if (!request.path.includes('/notes')) return undefined;
    if (request.method === 'POST') {
      await request.handled();
      return { status: 504, body: '<h1>Gateway Timeout</h1>' };
    }
    looks += 1;
    return isReadable ? undefined : { status: 200, body: '<h1>Maintenance</h1>' };
  };
  const id = await shop.sell();

  await until(() => looks > 1, { what: 'two looks at the notes' });
  expect(posted(shop)).toBe(1);
  isReadable = true;
  await allWritten(it.bridge);

  expect([await statesOf(shop, id, 1), posted(shop)]).toEqual([['recorded -'], 1]);
});

test('orders whose notes can’t be looked for keep no later one from its own, however many they are', async () => {
  await using it = await world({ config });
  const { pool } = it.bridge;
  await using shop = await startLiveWooStore(it, on);
  const ids = [await shop.sell(), await shop.sell(), await shop.sell(), await shop.sell()];
  for (const id of ids) await statesOf(shop, id, 1);
  await allWritten(it.bridge);
  const last = ids.at(-1) ?? '';
  shop.store.host.intercept = ({ method, path }) =>
    method === 'GET' && path.includes('/notes') && !path.includes(`/${last}/`) ? { status: 200, body: '<h1>Broken</h1>' } : undefined;

  // Calls that may have written them, that of the last order after the others.
  await pool.query(`update store_notes set written_at = null, tried_at = now() - interval '1 hour' + order_ref * interval '1 ms'`);
  const left = rowsOf('store_notes', z.object({ orderId: z.string() }));
  const text = `select o.order_id as "orderId" from store_notes n join orders o on o.id = n.order_ref where n.written_at is null order by 1`;
  await until(async () => expect((await readRows(pool, left, { text })).map(({ orderId }) => orderId)).toEqual(ids.slice(0, 3).toSorted()), {
    what: 'the note of the last order to be found',
  });
  expect(posted(shop)).toBe(4);
});

test('a copy of the database writes no notes; once a person resumed, those that it lacks are looked for in the store', async () => {
  await using it = await world({ config, fresh: true });
  const { pool, app } = it.bridge;
  await using shop = await startLiveWooStore(it, on);
  const id = await shop.sell();
  await statesOf(shop, id, 1);
  await allWritten(it.bridge);
  const seen = (isStopped: boolean) => until(() => expect(app.core.recording.isStopped).toBe(isStopped), { what: 'the program to see it' });

  await stopRecording(pool, 'copied');
  await seen(true);
  await pool.query('update store_notes set written_at = null, tried_at = null');
  const job = rowsOf('jobs', z.object({ waits: z.boolean() }));
  const text = `select coalesce(bool_or(lease is null and due_at > now() + interval '30 seconds'), false) as waits from jobs where kind = 'notes'`;
  await until(async () => expect(await readOne(pool, job, { text })).toEqual({ waits: true }), { what: 'its job to wait' });
  expect(posted(shop)).toBe(1);

  await resumeAt(pool, { said: { by: 'cli:test', why: 'it is the only one' }, dataDir: null, epoch: 0 }, async () => undefined);
  await seen(false);
  await pool.query(`update jobs set due_at = now() where kind = 'notes'`);
  await allWritten(it.bridge);

  expect([await statesOf(shop, id, 1), posted(shop)]).toEqual([['recorded -'], 1]);
});

test('a note that was not written is written once the store is back, and a store that names a time is called then', async () => {
  await using it = await world({ config });
  await using shop = await startLiveWooStore(it, on);
  let refusedAt = 0;
  const writtenAt: number[] = [];
  shop.store.host.intercept = (request) => {
    if (!isNote(request)) return undefined;
    if (refusedAt > 0) {
      writtenAt.push(Date.now());
      return undefined;
    }
    refusedAt = Date.now();
    return { status: 429, body: { code: 'too_many', message: 'Slower.' }, headers: { 'retry-after': '6' } };
  };
  const ids = [await shop.sell(), await shop.sell()];

  for (const id of ids) expect(await statesOf(shop, id, 1)).toEqual(['recorded -']);
  expect(Math.min(...writtenAt) - refusedAt).toBeGreaterThanOrEqual(6_000);
});

test('an order that is gone from the store gets no note, and keeps no other from its own', async () => {
  await using it = await world({ config });
  await using shop = await startLiveWooStore(it, on);
  const gone = await shop.sell();
  shop.floor.orders.delete(Number(gone));
  const id = await shop.sell();

  expect(await statesOf(shop, id, 1)).toEqual(['recorded -']);
  await allWritten(it.bridge);
  expect(shop.store.notes.of(Number(gone))).toEqual([]);
});

test('notes of records at a service that can’t be read keep none of another service waiting', async () => {
  await using it = await world({ config });
  const { pool, app } = it.bridge;
  await using shop = await startLiveWooStore(it, on);
  const ids = [await shop.sell(), await shop.sell(), await shop.sell(), await shop.sell(), await shop.sell()];
  for (const id of ids) await statesOf(shop, id, 1);
  await allWritten(it.bridge);
  const gone = await app.core.destinations.ensure('http://127.0.0.1:9', { apiKey: 'key', apiSecret: 'secret' });

  const last = `order_ref = (select max(order_ref) from store_notes)`;
  const text = `update store_notes set written_at = null, tried_at = null, destination_id = case when ${last} then destination_id else $1 end`;
  await pool.query(text, [gone]);

  await until(() => expect(posted(shop)).toBe(6), { what: 'the note of the last order' });
  // Who is the last is not who was sold last, where two are recorded at once.
  expect(ids.map((id) => shop.store.notes.of(Number(id)).length).toSorted()).toEqual([1, 1, 1, 1, 2]);
});

test('a key that may not write switches notes off, with the reason for the merchant and the operator; the merchant switches them on again', async () => {
  await using it = await world({ config: { ...config, publicUrl: 'https://bridge.example' } });
  const { bridge } = it;
  await using shop = await startLiveWooStore(it, { ...on, key: 'read' });
  const id = await startedOn(bridge, shop.connected, { lang: 'en' });
  const merchant = withLink(bridge, { id, token: await newOnboardingLink({ pool: bridge.pool }, { id }, { scope: { kind: 'status' }, days: null }) });
  expect((await merchant.get('/status')).text).toContain('Stop writing notes');
  const order = await shop.sell();

  const deps = bridge.app.core;
  const report = await until(
    async () => {
      const [found] = await listConnections(deps, 'https://bridge.example');
      if (found?.settings.notes !== false) throw new Error('they are on');
      return found;
    },
    { what: 'notes to be off' },
  );
  expect(report.warnings).toEqual([expect.stringContaining('notes at its orders are off since the store refused one')]);
  await allWritten(bridge);
  const page = (await merchant.get('/status')).text;
  expect(page).toContain('Notes were switched off, because the key of your store may only read, or something before the store refuses them');
  // What reads with the same key goes on.
  expect(report.storePauses).toEqual([]);
  await bridge.settled(shop.connected, order, 'recorded');

  shop.store.keys.set('ck_read', { secret: 'cs_read', permissions: 'read_write', mayView: true });
  expect((await merchant.post('/status/notes', { act: 'on' })).location).toBe(`/connect/${merchant.token}/status`);
  expect((await listConnections(deps, 'https://bridge.example'))[0]).toMatchObject({ warnings: [], settings: { notes: true } });
  expect(await statesOf(shop, await shop.sell(), 1)).toEqual(['recorded -']);
  await merchant.post('/status/notes', { act: 'off' });
  expect((await merchant.get('/status')).text).toContain('If you like, we write a private note at each order');
});

test('stores of a platform in which we ask for no right to write can’t have notes', async () => {
  await using it = await world({ config });
  const { connection } = await it.bridge.connect({ platform: 'shopify', name: 'corner.myshopify.com' });

  const changed = saveSettings(it.bridge.app.core, { id: connection.id, by, changes: { set: ['notes=true'], unset: [] } });

  await expect(changed).rejects.toThrow('no notes are written in stores of shopify');
});
