import { expect, test } from 'vitest';
import { healthDeps } from '../../../src/app/health-reader.ts';
import { incidentsOf } from '../../../src/app/ops/status-router.ts';
import { openQueues } from '../../../src/app/queues.ts';
import { merchantStatus } from '../../../src/connect/pages/status.ts';
import { accessCheck } from '../../../src/operations/health/checks/stores.ts';
import { startRound } from '../../../src/operations/health/round.ts';
import { namedShops } from '../../../src/operations/people/people.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { Alerts } from '../../support/worlds/evaluated-alerts.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const MANY = 1_990;

/** Stores whose secrets were moved here from another database, as it were: none of them opens. */
async function withWrongKeys({ bridge }: World): Promise<void> {
  const { connection } = await bridge.connect({ name: 'Corner', access: { url: 'https://corner.example' } });
  await bridge.pool.query(
    `insert into connections (id, platform, name, shop_id, destination_id, secrets, store_access, settings, record_from)
      select id || '-' || n, platform, 'Store ' || n, gen_random_uuid(), destination_id, secrets, store_access, settings, record_from
        from connections, generate_series(1, $2::int) n where id = $1`,
    [connection.id, MANY],
  );
}

test('1,990 stores with one wrong key are one line, one message, and each merchant is told of their own', async () => {
  await using it = await world({ role: 'console' });
  await withWrongKeys(it);
  const { core, healthReader } = it.bridge.app;

  const health = await healthReader.now();

  expect(health.failedChecks.filter(({ code }) => code === 'check.failed')).toEqual([]);
  const closed = health.failedChecks.filter(({ code }) => code === 'secrets.closed');
  expect(closed).toMatchObject([{ level: 'failing', subject: 'its secrets can’t be opened', verb: 'connections' }]);
  expect(closed[0]?.words).toMatch(/^1,990 stores \(Store \d+, Store \d+, Store \d+ and 1987 more\): its secrets can’t be opened\. One of them: /);
  expect(incidentsOf(health)).toContainEqual({ code: 'secrets.closed', level: 'failing', count: MANY });
  expect(new Alerts().seen(health).raised.filter(({ code }) => code === 'secrets.closed')).toMatchObject([{ stores: MANY }]);
  await using queues = openQueues(core);
  const deps = healthDeps(core, { ...queues, every: [] });
  const tried = new Map((await core.connections.list()).map(({ id }) => [id, '']));
  expect(await accessCheck.remarks?.(startRound(deps))).toContainEqual({
    what: 'connection',
    words: expect.stringMatching(/^1 \(.*\) not tried$/),
    isNote: true,
  });
  expect(await accessCheck.remarks?.(startRound({ ...deps, tried }))).toEqual([
    { what: 'connection', words: expect.stringMatching(/^1991 \(.* and 1988 more\) have keys that read orders, or none$/) },
  ]);
  const [of] = closed[0]?.members ?? [];
  const ofMerchant = { ...core, service: null, readHealth: async () => health, now: () => new Date() };
  expect(await merchantStatus(ofMerchant, of?.subject ?? '')).toMatchObject({ health: 'wrong' });
});

test('Today has them as one line, in both languages, with a link to the stores', async () => {
  await using it = await world({ role: 'console' });
  await withWrongKeys(it);

  const { text } = await (await signIn(it.bridge)).get('/console');
  const { text: inBulgarian } = await (await signIn(it.bridge, { lang: 'bg' })).get('/console');

  expect(text.match(/1,990 stores \(Store/g)).toHaveLength(1);
  expect(text).toMatch(/<a class="verb[^"]*" href="\/console\/stores">/);
  expect(inBulgarian).toMatch(/1990 магазина \(Store \d+, Store \d+, Store \d+ и още 1987\): тайни ключове на свързан магазин не могат/);
});

test('stores that are due and not read are told of together: how late they are, and what to do', async () => {
  await using it = await world({ role: 'console' });
  const { pool, app } = it.bridge;
  const late = async () => (await app.healthReader.now()).failedChecks.filter(({ code }) => code.startsWith('store'));
  for (const name of ['Corner', 'Sova', 'Book', 'Idle']) {
    const { connection } = await it.bridge.connect({ name, access: { url: 'https://store.example' } });
    await pool.query(`insert into store_syncs (connection_id, read_at) values ($1, now() - interval '2 hours')`, [connection.id]);
    await readIn(pool, connection.id, -600_000);
  }

  expect(await late()).toMatchObject([
    { code: 'stores.late', count: 4, words: '4 stores wait to be read by their APIs, the first for 10 min: no process reads stores: is a worker running?' },
  ]);

  const begun = `update jobs set lease = gen_random_uuid(), due_at = now() + interval '15 seconds' where id = (select min(id) from jobs where kind = 'sync')`;
  await pool.query(begun);
  expect(await late()).toMatchObject([
    { code: 'stores.late', count: 3, words: expect.stringMatching(/start another worker, or set RECONCILE_SECONDS \(900\) to 1560 or more$/) },
    { code: 'store.unread', words: expect.stringContaining('a worker reads it now') },
  ]);

  // They wait for a store that fails, which is told of it.
  await pool.query(`update jobs set error = 'storefront.unreachable: 503' where kind = 'sync' and lease is null`);
  expect((await late()).map(({ code }) => code)).not.toContain('stores.late');

  await pool.query(`update jobs set due_at = now() - interval '20 minutes' where kind = 'sync' and lease is null`);
  expect(await late()).toContainEqual(expect.objectContaining({ code: 'stores.late', count: 3, words: expect.stringContaining('the first for 20 min') }));
});

test('a store that is unread for another reason than those that wait is told of by itself', async () => {
  await using it = await world({ role: 'console' });
  const { pool, app } = it.bridge;
  const ids: string[] = [];
  for (const name of ['Corner', 'Sova', 'Book']) {
    const { connection } = await it.bridge.connect({ name, access: { url: 'https://store.example' } });
    await pool.query(`insert into store_syncs (connection_id, read_at) values ($1, now() - interval '2 hours')`, [connection.id]);
    await readIn(pool, connection.id, -600_000);
    ids.push(connection.id);
  }
  const [later = '', jobless = '', due = ''] = ids;
  await readIn(pool, later, 300_000);
  await pool.query(`delete from jobs where kind = 'sync' and key = $1`, [jobless]);

  const failed = (await app.healthReader.now()).failedChecks.filter(({ code }) => code.startsWith('store'));

  expect(failed.filter(({ code }) => code === 'stores.late')).toMatchObject([{ count: 1 }]);
  const unread = failed.filter(({ code }) => code === 'store.unread').map(({ subject }) => subject);
  expect(unread.toSorted()).toEqual([later, jobless].toSorted());
  expect(unread).not.toContain(due);
});

test('of more than a thousand shops each has its own name', async () => {
  await using it = await world({ embeddedService: true });
  await ownShop(it);
  await it.bridge.pool.query(
    `insert into compliance.shops (id, api_key_id, details, addresses, marks, created_at, updated_at)
      select gen_random_uuid(), api_key_id, details || jsonb_build_object('name', 'Shop ' || n), addresses, marks, created_at, updated_at
        from compliance.shops, generate_series(1, 1100) n`,
  );

  const names = (await namedShops({ ...it.bridge.app.core, service: {} })).map(({ name }) => name);

  expect(names.filter((name) => name.startsWith('Shop '))).toHaveLength(1_100);
});
