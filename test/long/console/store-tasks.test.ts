import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { endTask, findTask, insertTask, stampTask } from '../../../src/bridge/ledger/sync/task-store.ts';
import { formOf } from '../../support/console/form-of.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { BY } from '../../support/samples/by.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { OwnShop } from '../../support/servers/own-shop.ts';
import { Bridge, orderOf } from '../../support/worlds/bridge.ts';
import { ownShop, standingIn } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const NAME = 'Corner <b>';
/** Read by itself long after a test is over. */
const QUIET = { trustedHttpHosts: ['127.0.0.1'], reconcileSeconds: 86_400 };

/** A store with keys whose orders no webhook told of. */
async function readable({ recordFrom = '2026-11-01T00:00:00Z', fresh = false } = {}) {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const shop = await OwnShop.start(secret);
  const it = await world({ fresh, embeddedService: true, config: QUIET });
  const service = await ownShop(it);
  const connected = await it.bridge.connect({ name: NAME, secret, shopId: service.shopId, settings: { recordFrom }, access: { url: shop.url } });
  const close = async () => {
    await it[Symbol.asyncDispose]();
    await shop[Symbol.asyncDispose]();
  };
  return { it, shop, service, connected, store: `/console/stores/${connected.connection.id}`, [Symbol.asyncDispose]: close };
}

function sold(id: string, day: string) {
  const at = `${day}T10:00:00Z`;
  return orderOf(id, { number: `N-${id}`, createdAt: at, updatedAt: at, paidAt: at });
}

/** The page of a task once it is over. */
async function ended(browser: SignedInBrowser, address: string | null): Promise<string> {
  return until(
    async () => {
      const { text, status } = await browser.get(address ?? '');
      if (status !== 200) throw new Error(`${address} is answered ${status}`);
      return text.includes('<progress') ? '' : text;
    },
    { what: 'the task to end' },
  );
}

const did = async (pool: Parameters<typeof readBridgeActs>[0]) => (await readBridgeActs(pool)).map(({ act, who }) => `${act} ${who}`);

test('what no webhook announced of is found by comparing, repaired by a press, and recorded', async () => {
  await using at = await readable();
  const { it, shop, service, store } = at;
  shop.save(sold('700', '2026-11-03'));
  const operator = await signIn(it.bridge, { role: 'operator' });
  expect((await operator.get(store)).text).toContain(`href="${store}/compare"`);

  const begun = await operator.post(`${store}/compare`, { by: 'days', from: '2026-11-01', to: '' });
  const found = await ended(operator, begun.location);

  expect(found).toMatch(/1 difference/);
  expect(found).toContain('N-700');
  expect(found).toContain('not known here');
  expect(await standingIn(it, service)).toEqual([]);
  const repair = formOf(found, begun.location ?? '');
  const repaired = await ended(operator, (await operator.post(begun.location ?? '', repair)).location);
  expect(repaired).toContain('No difference.');
  expect(repaired).toContain('1 difference was repaired.');
  expect(await standingIn(it, service)).toEqual(['700: 48.00']);
  expect(await did(it.bridge.pool)).toContain(`store.reconciled person:${operator.person.id}`);
  // Something was begun since: the first page is out of date, and both are said.
  const stale = await operator.post(begun.location ?? '', repair);
  expect([stale.status, stale.text.includes('Comparing and repairing (done)')]).toEqual([409, true]);
  expect((await operator.get(store)).text).toContain('Comparing and repairing</a>');
});

test('a month is compared with its file; a store that can’t be read is said to be, and the rest is compared', async () => {
  await using at = await readable();
  const { it, shop, store } = at;
  shop.instead = () => ({ status: 401 });
  const operator = await signIn(it.bridge, { role: 'operator' });

  const wrong: [Record<string, string>, string][] = [
    [{ by: 'month', month: '2026-13' }, 'Enter a month, such as'],
    [{ by: 'days', from: '2026-02-31' }, 'Enter a date, such as'],
    [{ by: 'days', from: '2026-11-05', to: '2026-11-04' }, 'must not be before'],
    [{ by: 'days', from: '2099-01-01' }, 'No later than today'],
  ];
  for (const [fields, words] of wrong) {
    expect(await operator.post(`${store}/compare`, fields)).toMatchObject({ status: 422, text: expect.stringContaining(words) });
  }
  const begun = await operator.post(`${store}/compare`, { by: 'month', month: '2026-10' });
  const text = await ended(operator, begun.location);

  expect(text).toContain('The file of 2026-10');
  expect(text).toContain('the store could not be read');
  expect(text).not.toContain('No difference.');
});

test('older orders are counted, taken in by who says that nobody else recorded them, and then there is nothing left', async () => {
  await using at = await readable({ recordFrom: '2026-11-15T00:00:00Z' });
  const { it, shop, service, store } = at;
  shop.save(sold('1', '2026-11-03'));
  shop.save(sold('2', '2026-11-04'));
  const operator = await signIn(it.bridge, { role: 'operator' });
  const count = () => operator.post(`${store}/backfill`, { from: '2026-11-01', to: '' });

  const counted = (await count()).location ?? '';
  const plan = await ended(operator, counted);
  expect(plan).toContain('2 orders are not imported yet.');
  expect(plan).toContain('€96.00');
  expect((await operator.post(counted, formOf(plan, counted))).status).toBe(422);
  const begun = await operator.post(counted, { ...formOf(plan, counted), sure: '1' });
  expect(await ended(operator, begun.location)).toContain('2 orders are imported, and will be recorded.');

  await until(async () => (await standingIn(it, service)).length === 2, { what: 'both orders to be recorded' });
  expect(await standingIn(it, service)).toEqual(['1: 48.00', '2: 48.00']);
  expect(await did(it.bridge.pool)).toContain(`store.backfilled person:${operator.person.id}`);
  expect((await operator.post(counted, { ...formOf(plan, counted), sure: '1' })).status).toBe(409);
  expect(await ended(operator, (await count()).location)).toContain('There is nothing to import.');
});

test('a press has the store read, and what it finds is recorded by itself', async () => {
  await using at = await readable();
  const { it, shop, connected, store } = at;
  const operator = await signIn(it.bridge, { role: 'operator' });
  shop.save(sold('800', '2026-11-03'));

  const pressed = await operator.post(`${store}/read`);

  expect(pressed.location).toBe(`${store}?done=storeReadWanted`);
  await it.bridge.settled(connected, '800', 'recorded');
  expect(await did(it.bridge.pool)).toContain(`store.read-wanted person:${operator.person.id}`);
});

test('a test order is sent as the store would, and recorded; its page leads to the order', async () => {
  await using at = await readable();
  const { it, service, connected, store } = at;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const page = await operator.get(`${store}/test`);

  const begun = await operator.post(`${store}/test`, formOf(page.text, `${store}/test`));
  const text = await ended(operator, begun.location);

  expect(text).toMatch(/Recorded<\/span> <a href="\/console\/orders\/\d+">The order TEST-\d+/i);
  expect(await standingIn(it, service)).toHaveLength(1);
  expect(await did(it.bridge.pool)).toContain(`store.tested person:${operator.person.id}`);
  const sent = (await readBridgeActs(it.bridge.pool)).find(({ act }) => act === 'store.tested')?.subject;
  const id = begun.location?.split('/').at(-1) ?? '';
  expect((await findTask(it.bridge.pool, { connectionId: connected.connection.id, id }))?.about).toMatchObject({ orderId: sent });
});

test('a test order that nobody heard of again may be recorded: its page leads to it before another one is sent', async () => {
  await using at = await readable();
  const { it, connected, store } = at;
  const { pool } = it.bridge;
  const operator = await signIn(it.bridge, { role: 'operator' });

  const about = { orderId: '9917', made: '1' };
  const failed = (await insertTask(pool, { connectionId: connected.connection.id, kind: 'test', who: BY, about })) ?? '';
  await endTask(pool, failed, { seen: 0, result: null, problem: { en: 'nothing came of it in 30 s', bg: 'нищо' } });

  expect((await operator.get(`${store}/tasks/${failed}`)).text).toContain('nothing came of it in 30 s');
  const page = (await operator.get(`${store}/tasks/${failed}`)).text;
  expect(page).toContain('href="/console/find?q=9917"');
  expect(page).toContain('another one would be a second tax record');
});

test('a comparison that a stop cuts short has no result, that the store was not read is none, and another process begins it anew', {
  timeout: 120_000,
}, async () => {
  await using at = await readable({ fresh: true });
  const { it, shop, connected, store } = at;
  shop.instead = () => ({ status: 429, headers: { 'retry-after': '30' } });
  const operator = await signIn(it.bridge, { role: 'operator' });
  const { location } = await operator.post(`${store}/compare`, { by: 'days', from: '2026-11-01', to: '' });
  await until(() => shop.asked.length > 0, { what: 'the store to be asked' });

  await it.bridge[Symbol.asyncDispose]();

  await using own = { ...openPool(it.databaseUrl, { options: '-c search_path=bridge,jobs' }), [Symbol.asyncDispose]: () => own.end() };
  const task = await findTask(own.pool, { connectionId: connected.connection.id, id: location?.split('/').at(-1) ?? '' });
  expect(task).toMatchObject({ kind: 'compare', hasEnded: false, result: null });
  const { rows } = await own.pool.query(`select lease, due_at <= now() as due from jobs where kind = 'task'`);
  expect(rows).toEqual([{ lease: null, due: true }]);

  shop.instead = null;
  const { databaseUrl, redis } = it;
  await using _next = await Bridge.start({ databaseUrl, redisUrl: redis.url, config: QUIET });
  const find = () => findTask(own.pool, { connectionId: connected.connection.id, id: location?.split('/').at(-1) ?? '' });
  await until(async () => (await find())?.hasEnded === true, { what: 'the comparison to end' });
  expect(await find()).toMatchObject({ problem: null, result: { isWhole: true } });
});

test('one thing at a time; what was cut short again and again says so; nobody else may look or begin', async () => {
  await using at = await readable();
  const { it, connected, store } = at;
  const { pool } = it.bridge;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const window = { from: '2026-10-31T22:00:00.000Z', until: '2026-11-03T22:00:00.000Z' };
  const id = (await insertTask(pool, { connectionId: connected.connection.id, kind: 'backfill', who: BY, about: window })) ?? '';
  await pool.query(`update jobs set due_at = now() + interval '1 hour', attempts = 3 where kind = 'task'`);
  await stampTask(pool, id, 3);
  const task = `${store}/tasks/${id}`;

  const busy = await operator.post(`${store}/compare`, { by: 'days', from: '2026-11-01' });
  expect([busy.status, busy.text.includes('something else is being done')]).toEqual([409, true]);
  expect((await operator.get(task)).text).toContain('You may leave this page');
  expect((await operator.get(task)).text).toContain('3 orders read so far.');
  await pool.query(`update jobs set due_at = now() where kind = 'task'`);
  const cut = await ended(operator, task);
  expect(cut).toContain('it was cut short again and again');
  const again = /href="([^"]+)">Start it again/.exec(cut)?.[1]?.replaceAll('&amp;', '&') ?? '';
  // Midnight in Bulgaria, and the last day as people say it.
  expect(again).toBe(`${store}/backfill?from=2026-11-01&to=2026-11-03`);
  expect((await operator.get(again)).text).toMatch(/name="from"[^>]*value="2026-11-01"[\s\S]*name="to"[^>]*value="2026-11-03"/);
  expect((await operator.get(`${store}/compare?month=2026-10`)).text).toMatch(/name="month"[^>]*value="2026-10"/);

  expect((await operator.get(`${store}/tasks/nowhere`)).status).toBe(404);
  for (const role of ['viewer', 'accountant'] as const) {
    const browser = await signIn(it.bridge, { role });
    for (const path of [task, `${store}/compare`, `${store}/backfill`, `${store}/test`]) expect((await browser.get(path)).status).toBe(403);
    expect((await browser.get(store)).text).not.toContain(`${store}/compare`);
  }
  const bare = await it.bridge.connect({ name: 'Bare' });
  expect((await operator.post(`/console/stores/${bare.connection.id}/read`)).status).toBe(409);
});
