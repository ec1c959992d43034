import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sealBody } from '../../../src/bridge/delivery/sealed-delivery.ts';
import { dropOldBodies } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { eraseFromLedger } from '../../../src/bridge/ledger/privacy/erasures.ts';
import { findWebhooks, type WebhooksPage } from '../../../src/operations/webhooks/find-webhooks.ts';
import { createLog } from '../../../src/platform/log.ts';
import { sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { lastDeliveries, refusalsOf } from '../../support/ledger/last-deliveries.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { type Connected, orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const compress = promisify(zstdCompress);
const KEY = 'shpat_full-rights-of-the-store';
const WRONG_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** Sends an order with headers that no list allows; the platform's id of the delivery. */
async function sendWithKey({ bridge }: World, { connection, secret }: Connected, { id, signed = true }: { id: string; signed?: boolean }): Promise<string> {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order: orderOf(id) } });
  const headers = standardHeaders(signed ? secret : WRONG_SECRET, body);
  const keys = { authorization: `Bearer ${KEY}`, cookie: `key=${KEY}`, 'x-store-access-token': KEY, 'x-api-key': KEY, 'x-forwarded-for': '192.0.2.1' };
  const answer = await fetch(`${bridge.app.url}/webhooks/standard/${connection.id}`, {
    method: 'POST',
    body,
    headers: { ...headers, ...keys, 'user-agent': 'Corner/2.1 <b>' },
  });
  expect(answer.status).toBe(signed ? 200 : 401);
  return headers['webhook-id'] ?? '';
}

/** The newest webhook of a connection that was taken. */
async function newest({ bridge }: World, { connection }: Connected): Promise<string> {
  const [last] = await lastDeliveries(bridge.pool, connection.id, 1);
  return last?.id ?? '';
}

async function refusedOne({ bridge }: World, { connection }: Connected): Promise<string> {
  return until(async () => (await refusalsOf(bridge.pool, connection.id))[0]?.id ?? '', { what: 'the refusal to be written' });
}

const nameRows = rowsOf('tables', z.object({ name: z.string() }));
const textRows = rowsOf('rows', z.object({ text: z.string() }));
const OF_ORDERS = ['deliveries', 'inbox', 'orders', 'order_facts', 'customers', 'steps', 'acts'].map((name) => `bridge.${name}`);

/** All that the database has, as text; or these tables. */
async function everything({ bridge: { pool } }: World, tables?: readonly string[]): Promise<string> {
  const all = `select table_schema || '.' || table_name as name from information_schema.tables where table_schema not in ('pg_catalog', 'information_schema')`;
  const names = tables ?? (await readRows(pool, nameRows, { text: all })).map(({ name }) => name);
  const rows = await Promise.all(names.map((name) => readRows(pool, textRows, { text: `select t::text as text from ${name} t order by 1` })));
  return rows.flatMap((some) => some.map(({ text }) => text)).join('\n');
}

/** A webhook that could not be read, and now can be. */
async function inReview({ bridge }: World, { connection }: Connected, message: object): Promise<string> {
  const id = randomUUID();
  const packed = await compress(JSON.stringify({ timestamp: new Date().toISOString(), ...message }));
  const body = sealBody(sealerOf(bridge.pool), { id, body: packed });
  const text = `insert into deliveries (id, connection_id, topic, arrived_at, outcome, code, detail, body) values ($1, $2, 'order.paid', now(), 'review', 'payload.unreadable', 'x', $3)`;
  await bridge.pool.query(text, [id, connection.id, body]);
  return id;
}

test('a page says what came and when, which headers, what it changed, what followed; a key among the headers is kept nowhere', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', name: 'test', destination: { write: (line: string) => void lines.push(line) } });
  await using it = await world({ fresh: true, log });
  const connected = await it.bridge.connect({ name: 'Corner' });
  const platformId = await sendWithKey(it, connected, { id: '1' });
  const { id: order } = await it.bridge.settled(connected, '1', 'recorded');
  const [owner, viewer] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'viewer' })];
  const id = await newest(it, connected);
  const path = `/console/webhooks/${id}`;

  const { text } = await viewer.get(path);

  expect(text).toMatch(/\d\d:\d\d:\d\d[^<]* \(Sofia, UTC\+\d\)/);
  expect(text).toMatch(/accepted<\/span> <span class="soft">200<\/span> after \d+ ms/);
  for (const said of [platformId, id, 'Corner/2.1 &lt;b&gt;', '<code>webhook-timestamp</code>', `href="/console/orders/${order}"`])
    expect(text).toContain(said);
  expect(text).toMatch(/data-label="Of the order">Payment<.*not known.*paid/s);
  expect(text).toContain('Expected record');
  expect(text).toMatch(/Requests that followed.*<ol class="timeline">/s);
  expect(text).not.toMatch(/View payload|Replay…|webhook-signature/);
  const body = await owner.post(path, { verb: 'body' });
  expect(body.text).toContain('<b>firstName</b> <code>&quot;Мария&quot;</code>');
  expect((await readBridgeActs(it.bridge.pool)).at(-1)).toMatchObject({ act: 'buyer.seen', who: `person:${owner.person.id}`, subject: id, orderRef: order });
  for (const place of [text, body.text, await everything(it), lines.join('\n')]) expect(place).not.toContain(KEY);
  expect(await everything(it)).toContain('Corner/2.1');
});

test('of a refused one its metadata alone, with the reason and our answer', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const platformId = await sendWithKey(it, connected, { id: '1', signed: false });
  const id = await refusedOne(it, connected);
  const [owner, accountant] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'accountant' })];

  const { text } = await owner.get(`/console/webhooks/${id}`);

  expect(text).toMatch(/refused<\/span> <span class="soft">401<\/span> after \d+ ms/);
  for (const said of [platformId, 'Corner/2.1', 'Payloads of refused webhooks are not kept.', '<dt>From</dt>']) expect(text).toContain(said);
  expect((await accountant.get(`/console/webhooks/${id}`)).text).not.toContain('<dt>From</dt>');
  expect((await owner.post(`/console/webhooks/${id}`, { verb: 'body' })).status).toBe(404);
  expect((await owner.get(`/console/webhooks/${id}/replay`)).status).toBe(404);
  expect(await everything(it)).not.toContain(KEY);
});

test('what the compliance service said of its order is for those who may see buyers', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendWithKey(it, connected, { id: '1' });
  await it.bridge.settled(connected, '1', 'recorded');
  await it.bridge.pool.query(`update steps set detail = 'no such street: Maria, Vitosha 1'`);
  const path = `/console/webhooks/${await newest(it, connected)}`;
  const [owner, viewer] = [await signIn(it.bridge), await signIn(it.bridge, { role: 'viewer' })];

  expect((await owner.get(path)).text).toContain('Vitosha 1');
  const { text } = await viewer.get(path);
  expect(text).toContain('<ol class="timeline">');
  expect(text).not.toContain('Vitosha 1');
});

test('it is found by our id and by the platform’s, exactly; not by who may not see its store', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const platformId = await sendWithKey(it, connected, { id: '1' });
  await it.bridge.settled(connected, '1', 'recorded');
  const refusedId = await sendWithKey(it, connected, { id: '2', signed: false });
  const refused = await refusedOne(it, connected);
  const id = await newest(it, connected);
  const [viewer, accountant] = [await signIn(it.bridge, { role: 'viewer' }), await signIn(it.bridge, { role: 'accountant', shops: [] })];
  const search = (q: string) => `/console/find?q=${q}`;

  for (const q of [id, platformId, `%20${platformId}%20`]) expect((await viewer.get(search(q))).location).toBe(`/console/webhooks/${id}`);
  expect((await viewer.get(search(refusedId))).location).toBe(`/console/webhooks/${refused}`);
  for (const q of [platformId.slice(0, -1), randomUUID()]) expect((await viewer.get(search(q))).text).toContain('Nothing found for');
  expect((await accountant.get(search(platformId))).text).toContain('Nothing found for');
  // One field to search by is enough.
  expect((await viewer.get('/console/webhooks')).text.match(/type="search"/g)).toHaveLength(1);
  expect((await accountant.get(`/console/webhooks/${id}`)).status).toBe(404);
  expect((await viewer.get(`/console/webhooks/${randomUUID()}`)).status).toBe(404);
});

test('the list goes back and forth, and is narrowed by store, topic and answer', async () => {
  await using it = await world();
  const [one, other] = [await it.bridge.connect({ name: 'Corner' }), await it.bridge.connect({ name: 'Garden' })];
  await it.bridge.pool.query(
    `insert into deliveries (id, connection_id, topic, arrived_at, outcome) select gen_random_uuid(), case when n % 2 = 0 then $1 else $2 end,
       case when n = 3 then 'orders/rare' else 'orders/paid' end, '2026-11-01'::timestamptz + (n / 3) * interval '1 s', 'merged' from generate_series(1, 120) n`,
    [one.connection.id, other.connection.id],
  );
  await it.bridge.pool.query(`insert into traffic_topics values ($1, 'orders/rare', now())`, [other.connection.id]);
  await sendWithKey(it, one, { id: '1', signed: false });
  const refused = await refusedOne(it, one);
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  const page = async (path: string) => {
    const { text } = await viewer.get(path.replaceAll('&amp;', '&'));
    const way = (rel: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1] ?? null;
    return {
      text,
      rows: [...text.matchAll(/data-label="Time"><a href="\/console\/webhooks\/([\w-]+)"/g)].map(([, id]) => id),
      prev: way('prev'),
      next: way('next'),
    };
  };

  const first = await page('/console/webhooks');
  const second = await page(first.next ?? '');
  const third = await page(second.next ?? '');
  expect([first, second, third].map(({ rows }) => rows.length)).toEqual([50, 50, 21]);
  expect(new Set([...first.rows, ...second.rows, ...third.rows]).size).toBe(121);
  expect([first.rows[0], first.prev, third.next]).toEqual([refused, null, null]);
  expect((await page(third.prev ?? '')).rows).toEqual(second.rows);
  expect((await page((await page(third.prev ?? '')).prev ?? '')).rows).toEqual(first.rows);
  expect((await page(`/console/webhooks?store=${other.connection.id}`)).rows).toHaveLength(50);
  expect((await page('/console/webhooks?answer=refused')).rows).toEqual([refused]);
  expect((await page('/console/webhooks?answer=accepted')).rows).not.toContain(refused);
  const rare = await page('/console/webhooks?topic=orders%2Frare');
  expect([rare.rows.length, rare.next]).toEqual([1, null]);
  expect(rare.text).toContain('<option value="orders/rare" selected>');
  expect((await page('/console/webhooks?topic=none')).text).toContain('No webhook matches.');
  expect((await page('/console/webhooks?after=x&before=2026-13-45T00:00:00Z~r1')).rows).toEqual(first.rows);
});

test('a topic is looked for among so many webhooks at a time, of all stores together; no page leaves one out', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const stores = [await it.bridge.connect({ name: 'Corner' }), await it.bridge.connect({ name: 'Garden' })].map(({ connection }) => connection.id);
  const insert = `insert into deliveries (id, connection_id, topic, arrived_at, outcome) select gen_random_uuid(), ($1::text[])[n % 2 + 1],
    case when n % 3000 = 0 then 'orders/rare' else 'orders/paid' end, '2026-11-01'::timestamptz + n * interval '1 min', 'merged' from generate_series(1, 12000) n`;
  await pool.query(insert, [stores]);
  const deps = { pool, connections: stores.map((id) => ({ id })) };
  const page = (marks: { after?: string; before?: string }, topic = 'orders/rare') =>
    findWebhooks(deps, { q: '', topic, answer: null, days: { from: '', to: '' } }, { after: '', before: '', ...marks });
  const forth: string[][] = [];
  let last = '';
  for (let after: string | null = ''; after !== null; ) {
    const { webhooks, next }: WebhooksPage = await page({ after });
    forth.push(webhooks.map(({ id }) => id));
    [last, after] = [after, next];
  }
  const back: string[][] = [];
  for (let before: string | null = last; before !== null; ) {
    const { webhooks, previous }: WebhooksPage = await page({ before });
    back.unshift(webhooks.map(({ id }) => id));
    before = previous;
  }

  expect(forth.length).toBeGreaterThan(2);
  expect(new Set(forth.flat()).size).toBe(4);
  expect(forth.flat()).toHaveLength(4);
  expect(back.flat()).toEqual(forth.slice(0, -1).flat());
  // The way back from a page without any begins with the last one of the page before.
  const places = rowsOf('deliveries', z.object({ id: z.string(), at: z.string() }));
  const [oldest] = await readRows(pool, places, { text: 'select id, arrived_at as at from deliveries order by arrived_at limit 1' });
  const empty = await page({ after: `${new Date(oldest?.at ?? '').toISOString()}~${oldest?.id}` }, '');
  expect(empty.webhooks).toEqual([]);
  expect((await page({ before: empty.previous ?? '' }, '')).webhooks.at(-1)?.id).toBe(oldest?.id);
});

test('a replay says first what it would change, and changes nothing by that', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  const fresh = await inReview(it, connected, { type: 'order.paid', data: { order: orderOf('2') } });
  const refunds = [{ id: 'r1', at: '2026-11-02T10:00:00Z', amount: '48.00' }];
  const gone = await inReview(it, connected, { type: 'order.updated', data: { order: orderOf('1', { updatedAt: '2026-11-03T10:00:00Z', refunds }) } });
  const bad = await inReview(it, connected, { type: 'order.paid', data: { nothing: true } });
  const known = (await lastDeliveries(it.bridge.pool, connected.connection.id, 9)).find(({ outcome }) => outcome === 'merged')?.id ?? '';
  const operator = await signIn(it.bridge, { role: 'operator' });
  const path = (id: string) => `/console/webhooks/${id}/replay`;
  const before = await everything(it, OF_ORDERS);

  expect((await operator.get(path(known))).text).toContain('all that it says of the order is known already');
  expect((await operator.get(path(fresh))).text).toContain('A new order is made, with the store’s id 2.');
  const removal = (await operator.get(path(gone))).text;
  const unreadable = (await operator.get(path(bad))).text;

  expect(unreadable).toContain('It still can’t be read');
  expect(unreadable).not.toContain('<form method="post" action="/console/webhooks');
  expect(removal).toMatch(/Expected record<.*€48\.00.*nothing/s);
  expect(removal).toContain('name="sure"');
  expect(await everything(it, OF_ORDERS)).toBe(before);
  const form = formOf(removal, path(gone));
  expect(await operator.post(path(gone), form)).toMatchObject({ status: 422, text: expect.stringContaining('Tick the box to confirm.') });
  expect((await operator.post(path(gone), { ...form, seen: 'else', sure: 'yes' })).status).toBe(409);
  expect((await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'delivery.replayed')).toEqual([]);
  expect(await operator.post(path(gone), { ...form, sure: 'yes' })).toMatchObject({ status: 303, location: `/console/webhooks/${gone}?done=replayed` });
  await it.bridge.settled(connected, '1', 'removed');
});

test('an uninstall is replayed only if that is said twice', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({
    platform: 'shopify',
    store: 'corner.myshopify.com',
    name: 'corner.myshopify.com',
    secret: 'a long enough secret',
  });
  const id = randomUUID();
  const packed = await compress(JSON.stringify({ id: 1, myshopify_domain: 'corner.myshopify.com' }));
  await it.bridge.pool.query(
    `insert into deliveries (id, connection_id, topic, store, arrived_at, outcome, body) values ($1, $2, 'app/uninstalled', $3, now(), 'ignored', $4)`,
    [...[id, connected.connection.id, 'corner.myshopify.com', sealBody(sealerOf(it.bridge.pool), { id, body: packed })]],
  );
  const operator = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/webhooks/${id}/replay`;

  const { text } = await operator.get(path);

  expect(text).toContain('The store is disconnected, unless it still lets the app in.');
  expect((await operator.post(path, formOf(text, path))).status).toBe(422);
});

test('erased: the payload is gone, and its headers with it; of others both go with age', async () => {
  await using it = await world();
  const shopId = randomUUID();
  const connected = await it.bridge.connect({ name: 'corner', shopId });
  await sendWithKey(it, connected, { id: '1' });
  await it.bridge.settled(connected, '1', 'recorded');
  await sendWithKey(it, connected, { id: '2' });
  await it.bridge.settled(connected, '2', 'recorded');
  const younger = await newest(it, connected);
  const older = (await lastDeliveries(it.bridge.pool, connected.connection.id, 2))[1]?.id ?? '';
  const owner = await signIn(it.bridge);

  const { store } = (await it.bridge.order(connected, '1')) ?? { store: '' };
  await eraseFromLedger(it.bridge.pool, { shopId, platform: 'standard', store, orderIds: ['1'], until: new Date().toISOString() });

  const { text } = await owner.get(`/console/webhooks/${older}`);
  expect(text).toContain('It is not kept: its time is over, it was erased');
  expect(text).not.toContain('Corner/2.1');
  expect(text).not.toContain('maria@example.invalid');
  expect((await owner.get(`/console/webhooks/${older}/replay`)).status).toBe(409);
  await dropOldBodies(it.bridge.pool, { days: 30, decidedDays: 90, now: new Date(Date.now() + 31 * 86_400_000) });
  expect((await owner.get(`/console/webhooks/${younger}`)).text).toContain('No headers are kept of it.');
});
