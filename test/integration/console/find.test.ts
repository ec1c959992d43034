import { expect, test } from 'vitest';
import { z } from 'zod';
import { sealedBuyer } from '../../../src/bridge/ledger/buyers.ts';
import { fillSearch, fillSearchAnew, markSearchStale } from '../../../src/bridge/ledger/orders/order-search.ts';
import { eraseFromLedger, forgetOldBuyers } from '../../../src/bridge/ledger/privacy/erasures.ts';
import { joinOrder } from '../../../src/bridge/ledger/review/split-or-merge.ts';
import { inTransaction, type Pool } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { cap, coat, kept, store } from '../../support/worlds/two-of-one-id.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** Orders of a store, which are in the search. */
async function known(it: World, name: string, orders: readonly Record<string, unknown>[]): Promise<Connected> {
  const connected = await it.bridge.connect({ name });
  for (const order of orders) await it.bridge.send(connected, 'order.paid', { order });
  for (const { id } of orders) await it.bridge.settled(connected, String(id), 'recorded');
  await until(async () => (await searched(it, connected)).length === orders.length, { what: 'the search to be filled' });
  return connected;
}

const rows = rowsOf('order_search', z.object({ id: z.int(), number: z.string(), total: z.string(), buyer: z.string().nullable() }));

function searched({ bridge: { pool } }: World, { connection }: { connection: Pick<Connected['connection'], 'id'> }): Promise<z.output<typeof rows.schema>[]> {
  const text = 'select order_ref as id, number, total::text as total, buyer from order_search where connection_id = $1 order by order_ref';
  return readRows(pool, rows, { text, values: [connection.id] });
}

const address = (q: string) => `/console/find?q=${encodeURIComponent(q)}`;
const headings = (text: string) => [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
const listed = (text: string) => [...text.matchAll(/href="\/console\/orders\/\d+">([^<]+)</g)].map(([, number]) => number);
const MARIA = 'maria@example.invalid';

test('an order is found by a beginning and an end of its number, and not by less than three characters or the middle', async () => {
  await using it = await world();
  await known(it, 'Corner', [orderOf('1', { number: 'BG-104217/A' }), orderOf('2', { number: '#204219' }), orderOf('3', { number: '204100' })]);
  const browser = await signIn(it.bridge, { role: 'viewer' });
  const found = async (q: string) => listed((await browser.get(`${address(q)}&list=1`)).text);

  for (const q of ['bg-1042', 'bg-104217/a', '17/A', '1042', '104217', '#1042']) expect([q, await found(q)]).toEqual([q, ['BG-104217/A']]);
  for (const q of ['2042', '#2042', '219']) expect([q, await found(q)]).toEqual([q, ['#204219']]);
  expect((await found('204')).toSorted()).toEqual(['#204219', '204100']);
  for (const q of ['19', '0421', 'g-1', '%%%', '___']) expect([q, await found(q)]).toEqual([q, []]);
  expect(headings((await browser.get(address('204'))).text)).toEqual(['Orders whose number starts or ends with this']);
  expect((await browser.get(address('219'))).location).toMatch(/^\/console\/orders\/\d+$/);
});

test('letters of a number count alike, large or small, of every alphabet, whatever the locale of the database', async () => {
  await using it = await world();
  const numbers = ['ПОР-0417/Я', 'Straße-77', 'İzmir-88', 'ΟΔΟΣ-99'];
  await known(
    it,
    'Corner',
    [...numbers, 'пор-0418'].map((number, at) => orderOf(String(at + 1), { number })),
  );
  const browser = await signIn(it.bridge, { role: 'viewer' });
  const found = async (q: string) => listed((await browser.get(`${address(q)}&list=1`)).text);

  for (const q of ['ПОР-041', 'пор-041', 'Пор-041']) expect([q, (await found(q)).toSorted()]).toEqual([q, ['ПОР-0417/Я', 'пор-0418']]);
  for (const [at, typed] of [
    [0, ['417/я', '417/Я']],
    [1, ['straß', 'STRAẞE', 'STRASSE', 'straße-7']],
    [2, ['İzm', 'İZMIR', 'i\u0307zmir']],
    [3, ['οδοσ', 'Οδος-', 'ΟΔΟΣ']],
  ] as const)
    for (const q of typed) expect([q, await found(q)]).toEqual([q, [numbers[at]]]);
});

test('what a text may mean is shown by kind: an amount, a store, a page in either language; each only to who may see it', async () => {
  await using it = await world();
  const corner = await known(it, 'Today Flowers', [orderOf('5048', { number: '48' }), orderOf('2'), orderOf('3', { total: '36.00', lines: [line('36.00')] })]);
  const other = await known(it, 'Corner', [orderOf('4')]);
  const [owner, accountant] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'accountant', shops: [other.connection.shopId] })];

  const { text } = await owner.get(address('48'));
  expect(headings(text)).toEqual(['Orders', 'Orders of this amount']);
  expect(listed(text).toSorted()).toEqual(['#2', '#4', '48', '48']);
  for (const q of ['48,00', '€48', '48.00 EUR']) expect([q, listed((await owner.get(address(q))).text).toSorted()]).toEqual([q, ['#2', '#4', '48']]);
  expect((await owner.get(address('36.00'))).location).toMatch(/^\/console\/orders\/\d+$/);
  expect(headings((await owner.get(address('today'))).text)).toEqual(['Stores', 'Pages']);
  expect((await owner.get(address('flow'))).location).toBe(`/console/stores/${corner.connection.id}`);
  for (const q of ['месец', 'Months']) expect((await owner.get(address(q))).location).toBe('/console/months');
  expect((await owner.get(address('orders'))).location).toBe('/console/orders');

  expect(listed((await accountant.get(`${address('48')}&list=1`)).text)).toEqual(['#4']);
  for (const q of ['Flowers', 'Stores', '#2', '5048']) expect((await accountant.get(address(q))).text).toContain(`Nothing found for “${q}”.`);
});

const line = (amount: string) => ({ id: 'a', name: 'Тениска', quantity: 1, amount, vatRate: '20' });

test('nothing found says what was searched and what can’t be, and blames no store', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  await it.bridge.pool.query(`insert into refusals (connection_id, at, code, topic, counts) values ($1, now(), 'signature.mismatch', '', true)`, [
    connection.id,
  ]);
  const [owner, viewer] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'viewer' })];

  const { text } = await owner.get(address('<b>1042'));
  expect(text).toContain('Nothing found for “&lt;b&gt;1042”.');
  expect(text).toContain('at least three characters of its beginning or end');
  expect(text).toContain('A buyer’s whole e-mail address finds their orders.');
  expect(text).toContain('Buyers’ names, phones and addresses can’t be searched');
  expect(text).not.toMatch(/Corner|lost|refused/);
  expect((await viewer.get(address('1042'))).text).toContain('only these can search: owner, operator');
  expect((await owner.get('/console/find')).text).toContain('What can be found: an order by its number');
});

test('a buyer’s orders are found by their whole address, however it is written, by who may see buyers, and that is noted without it', async () => {
  await using it = await world();
  const connected = await known(it, 'Corner', [orderOf('1'), orderOf('2', { customer: { email: ' Ivan@Example.invalid' } })]);
  const [owner, viewer] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'viewer' })];

  // The search of each page sends what was typed by POST, so that without a script no buyer's address stands in an address of a page.
  const { text } = await owner.get('/console/activity');
  expect(text).toContain('<form class="search" role="search" action="/console/find" method="post">');
  expect(listed((await owner.post('/console/find', { q: MARIA })).text)).toEqual(['#1']);
  for (const [q, location] of [
    [' #1 ', '/console/find?q=%231'],
    ['48', '/console/find?q=48'],
  ] as const)
    expect(await owner.post('/console/find', { q })).toMatchObject({ status: 303, location });
  const asked = (await owner.get(address('MARIA@example.invalid'))).text;
  expect(asked).toContain('This is an e-mail address.');
  expect(listed(asked)).toEqual([]);
  const form = asked.slice(asked.indexOf('<main'));
  expect(listed((await owner.post('/console/find', formOf(form, '/console/find'))).text)).toEqual(['#1']);
  expect(listed((await owner.post('/console/find', { q: 'ivan@example.INVALID ' })).text)).toEqual(['#2']);
  expect((await owner.post('/console/find', { q: 'maria@example' })).text).toContain('This is not a whole e-mail address.');
  expect((await owner.post('/console/find', { q: 'nobody@example.invalid' })).text).toContain('No order has this e-mail address');
  const looks = (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'buyer.sought');
  const marias = await it.bridge.order(connected, '1');
  expect(looks.map(({ who }) => who)).toEqual(Array(4).fill(`person:${owner.person.id}`));
  expect(looks[0]).toMatchObject({ after: { orders: [marias?.id] } });
  expect(JSON.stringify(looks)).not.toContain('@');
  expect(JSON.stringify(await searched(it, connected))).not.toMatch(/maria|@/i);

  expect((await viewer.get(address(MARIA))).text).toContain('only these can search');
  expect((await viewer.post('/console/find', { q: MARIA })).status).toBe(403);
});

const idRows = rowsOf('orders', z.object({ id: z.int() }));

async function writeMaria(pool: Pool, id: number): Promise<void> {
  await pool.query(`insert into customers (order_ref, data) values ($1, decode($2, 'base64')) on conflict (order_ref) do update set data = excluded.data`, [
    id,
    sealedBuyer(pool, id, { email: MARIA }),
  ]);
}

test('whoever forgets a buyer empties the search in the same transaction, and nothing fills it again', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  const { shopId, platform } = connected.connection;
  await pool.query(
    `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, number, total, currency, state)
        select $1, $2, 'corner.example', n::text, $3, '#' || n, 48, 'EUR', 'waiting' from generate_series(1, 3) n returning id, order_id),
      f as (insert into order_facts select id, '{}' from o)
    insert into deliveries (id, connection_id, order_ref, topic, arrived_at, outcome) select gen_random_uuid(), $3, id, 'order.paid', now(), 'merged' from o`,
    [shopId, platform, connected.connection.id],
  );
  for (const id of (await readRows(pool, idRows, { text: 'select id from orders' })).map((row) => row.id)) await writeMaria(pool, id);
  const fill = () => fillSearch(pool, new AbortController().signal);
  const buyers = async () => (await searched(it, connected)).map(({ buyer }) => buyer !== null);
  await fill();
  expect(await buyers()).toEqual([true, true, true]);
  const scope = { shopId, platform, store: 'corner.example', until: new Date().toISOString() };

  await eraseFromLedger(pool, { ...scope, orderIds: ['1'] });
  expect(await buyers()).toEqual([false, true, true]);
  // As if they had not been written yet.
  await pool.query(`delete from order_search where number in ('2', '3')`);
  await pool.query(`update order_search_watch set seen = '3:3:'`);
  // The order of one who is being erased meanwhile is written the next time, and the job does not wait.
  await inTransaction(pool, async (tx) => {
    await tx.query(`update customers set data = null, erased_at = now() where order_ref = (select id from orders where order_id = '2')`);
    await fill();
  });
  expect(await buyers()).toEqual([false, true]);
  await fill();
  expect(await buyers()).toEqual([false, false, true]);
  await forgetOldBuyers(pool, { days: 1, now: new Date(Date.now() + 2 * 86_400_000) });
  await fill();
  expect(await buyers()).toEqual([false, false, false]);
});

test('what was asked of a store is found, too, and all is written anew from the first order on', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { record, connectionId } = await store(it.bridge);
  await record({ ...cap({ number: '#104217' }), orderId: '7001' });
  const fill = () => fillSearch(pool, new AbortController().signal);
  const found = async () => (await searched(it, { connection: { id: connectionId } }))[0];
  const [order] = await readRows(pool, idRows, { text: 'select id from orders' });
  await writeMaria(pool, order?.id ?? 0);
  await fill();
  const before = await found();
  expect(before?.buyer).toMatch(/^[\w-]{22}$/);
  await pool.query('update orders set total = total + 1 where id = $1', [before?.id]);
  await fill();
  expect(await found()).toEqual(before);

  await inTransaction(pool, (tx) => markSearchStale(tx, before?.id ?? 0));
  await fill();
  expect(await found()).toEqual({ ...before, total: (Number(before?.total) + 1).toFixed(2) });
  expect((await pool.query('select from order_search where is_stale')).rowCount).toBe(0);

  await fillSearchAnew(pool);
  expect((await found())?.buyer).toBeNull();
  await fill();
  expect(await found()).toMatchObject({ buyer: before?.buyer });
});

test('digests are forgotten page by page, and one that is locked keeps no other from that', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { record, connectionId } = await store(it.bridge);
  for (const orderId of ['7001', '7002']) await record({ ...cap({ number: orderId }), orderId });
  const fill = () => fillSearch(pool, new AbortController().signal);
  for (const { id } of await readRows(pool, idRows, { text: 'select id from orders' })) await writeMaria(pool, id);
  await fill();
  const buyers = async () => (await searched(it, { connection: { id: connectionId } })).map(({ buyer }) => buyer !== null);
  expect(await buyers()).toEqual([true, true]);
  await using holder = await pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));
  await holder.client.query('begin; select from order_search order by order_ref desc limit 1 for update');

  const forgotten = fillSearchAnew(pool, 1);
  await until(async () => (await buyers())[0] === false, { what: 'the first page' });
  expect(await buyers()).toEqual([false, true]);
  await holder.client.query('commit');
  await forgotten;
  expect(await buyers()).toEqual([false, false]);
  await fill();
  expect(await buyers()).toEqual([true, true]);
});

test('digests are forgotten beside an erasure that takes orders the other way round: neither waits for what the other has', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { record, connectionId } = await store(it.bridge);
  for (const orderId of ['7001', '7002']) await record({ ...cap({ number: orderId }), orderId });
  const [first, last] = (await readRows(pool, idRows, { text: 'select id from orders order by id' })).map(({ id }) => id);
  for (const id of [first ?? 0, last ?? 0]) await writeMaria(pool, id);
  await fillSearch(pool, new AbortController().signal);
  const buyers = async () => (await searched(it, { connection: { id: connectionId } })).map(({ buyer }) => buyer !== null);
  const waits = async () => (await pool.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount === 1;
  await using erasing = await pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));
  const erased = (id: number | undefined) => erasing.client.query('update customers set data = null, erased_at = now() where order_ref = $1', [id]);
  await erasing.client.query('begin');
  await erased(last);

  const forgotten = fillSearchAnew(pool);
  await until(async () => (await buyers())[0] === false || (await waits()), { what: 'the first to be forgotten, or to be locked' });
  await erased(first);
  await erasing.client.query('commit');

  await forgotten;
  expect(await buyers()).toEqual([false, false]);
});

const NO_FACTS = JSON.stringify({
  ...{ snapshot: null, snapshotSeenAt: null, paidSeenAt: null, paidAt: null, deletedAt: null, restoredAt: null },
  ...{ refunds: {}, transactions: {} },
});

/** An order whose delivery is written in the same transaction, as a recorder does it. */
const SALE = `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, number, total, currency, state)
      values ($1, $2, 'corner.example', $3, $4, '#' || $3, 48, 'EUR', 'waiting') returning id),
    f as (insert into order_facts select id, '{}' from o)
  insert into deliveries (id, connection_id, order_ref, topic, arrived_at, outcome, kept_at) select gen_random_uuid(), $4, id, 'order.paid', now(), 'merged', $5 from o`;

test('what is committed late is found, however long it took, nothing is read twice, and after a restore all is read', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const connected = await it.bridge.connect();
  const { id, shopId, platform } = connected.connection;
  const fill = () => fillSearch(pool, new AbortController().signal);
  const numbers = async () => (await searched(it, connected)).map(({ number }) => number).toSorted();
  const sale = (number: string, keptAt = new Date()) => [shopId, platform, number, id, keptAt];
  await using slow = await pool.connect().then((client) => ({ client, [Symbol.asyncDispose]: async () => client.release() }));

  await slow.client.query('begin');
  // Its rows have the instant at which it began.
  await slow.client.query(SALE, sale('1', new Date(Date.now() - 600_000)));
  await pool.query(SALE, sale('2'));
  await fill();
  expect(await numbers()).toEqual(['2']);
  await pool.query(SALE, sale('3'));
  await fill();
  await slow.client.query('commit');
  await fill();
  expect(await numbers()).toEqual(['1', '2', '3']);

  await pool.query('update order_search set total = 1');
  await fill();
  expect((await pool.query('select from order_search where total = 1')).rowCount).toBe(3);
  await pool.query(`delete from order_search; update order_search_watch set seen = '9000000000000:9000000000000:'`);
  await fill();
  expect(await numbers()).toEqual(['1', '2', '3']);
});

test('orders that go over to another connection of their store, and one that another is joined to, are written anew', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { record, connectionId } = await store(it.bridge);
  await record(coat({ number: '#1' }));
  await record(cap({ number: '#1' }));
  const fill = () => fillSearch(pool, new AbortController().signal);
  await fill();
  const ofStale = rowsOf('order_search', z.object({ id: z.int() }));
  const stale = async () => (await readRows(pool, ofStale, { text: 'select order_ref as id from order_search where is_stale order by 1' })).map(({ id }) => id);
  const [first, second] = [await kept(it.bridge, connectionId, '700'), await kept(it.bridge, connectionId, '700~2')];
  expect(await stale()).toEqual([]);

  expect(await joinOrder(pool, second.id)).toMatchObject({ is: 'done', id: first.id });
  expect(await stale()).toEqual([first.id]);
  await fill();
  expect(await stale()).toEqual([]);

  const { connections } = it.bridge.app.core;
  const before = await it.bridge.connect({ platform: 'woocommerce' });
  const { id, shopId, platform } = before.connection;
  await connections.pinStore(id, 'corner.example');
  await pool.query(SALE, [shopId, platform, '7', id, new Date()]);
  await fill();
  const [moved] = await searched(it, before);
  await connections.close(id);
  const after = await it.bridge.connect({ platform: 'woocommerce', shopId });
  await connections.pinStore(after.connection.id, 'corner.example');
  expect(await stale()).toEqual([moved?.id]);
  await fill();
  expect(await searched(it, after)).toEqual([moved]);
});

test('with more orders of one number than anybody looks through, each person finds that of their store', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const [many, mine] = [await it.bridge.connect({ name: 'Many' }), await it.bridge.connect({ name: 'Mine' })];
  const add = ({ connection: { id, shopId, platform } }: Connected, count: number) =>
    pool.query(
      `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, number, total, currency, state)
          select $1, $2, $3, n::text, $3, '#1001', 48, 'EUR', 'waiting' from generate_series(2000, 1999 + $4::int) n returning id)
        insert into order_facts select id, $5 from o`,
      [shopId, platform, id, count, NO_FACTS],
    );
  await add(many, 10_001);
  await add(mine, 1);
  const [owner, accountant] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'accountant', shops: [mine.connection.shopId] })];

  expect((await accountant.get(address('1001'))).location).toMatch(/^\/console\/orders\/\d+$/);
  for (const browser of [owner, accountant]) expect(listed((await browser.get(`/console/orders?q=1001&store=${mine.connection.id}`)).text)).toEqual(['#1001']);
  expect((await accountant.get('/console/orders?q=1001')).text).not.toContain('Too many to search');
  expect((await owner.get('/console/orders?q=1001')).text).toMatch(/More than 10,000 orders.*Too many to search/s);
});

test('an amount of more orders than are counted says so, and counts those of a state if they are few', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { id, shopId, platform } = (await it.bridge.connect()).connection;
  await pool.query(
    `with o as (insert into orders (shop_id, platform, store, order_id, connection_id, number, total, currency, state)
        select $1, $2, 'corner', n::text, $3, '#' || n, 48, 'EUR', case when n > 20000 then 'waiting' else 'ignored' end from generate_series(10000, 20003) n returning id),
      f as (insert into order_facts select id, $4 from o)
    insert into order_search (order_ref, connection_id, number, total) select id, $3, id::text, 48 from o`,
    [shopId, platform, id, NO_FACTS],
  );
  const owner = await signIn(it.bridge);

  const { text } = await owner.get('/console/orders?q=48.00');
  expect(text).toContain('<strong>More than 10,000 orders</strong></p>');
  expect(text).not.toMatch(/>(?:recorded|waiting|ignored)[^<]* <span class="soft">/);
  expect((await owner.get('/console/orders?q=48.00&state=waiting')).text).toContain('<strong>3 orders</strong>, €144.00');
  expect((await owner.get('/console/orders?q=48.00&state=ignored')).text).toContain('<strong>More than 10,000 orders</strong></p>');
});

test('what is behind is shown; whole numbers, ids and states are as they are now', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { record } = await store(it.bridge);
  await record({ ...cap({ number: '#104217' }), orderId: '7001' });
  await pool.query(`update order_search_watch set filled_until = now() - interval '40 s'`);
  const browser = await signIn(it.bridge);

  for (const q of ['104217', '#104217', '7001']) expect((await browser.get(address(q))).location).toMatch(/^\/console\/orders\/\d+$/);
  expect((await browser.get(address('1042'))).text).toMatch(/What changed in the last (?:[4-9]\d|1\d\d) s is found by its whole number or id only/);
  await pool.query('update order_search_watch set filled_until = now()');
  expect((await browser.get(address('1042'))).text).not.toContain('What changed in the last');
});
