import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { TRIGGERS } from '../../support/events/events-world.ts';
import { SHOP, shopifyBody } from '../../support/samples/signed-webhooks.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startOwnPostgres } from '../../support/servers/own-postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { GRANTS, giveTwoRoles, POOLER, runSql, type TwoRoles } from '../../support/servers/two-roles.ts';
import { Bridge, ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { ownShop, standingIn } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { appConfig, ORDER, PAID, sendToShop, shopifySettings } from '../../support/worlds/shopify-shop.ts';

const resources = new AsyncDisposableStack();
let roles: TwoRoles;
let cli: Program;

// Roles are the server's, so it is a server of its own.
beforeAll(async () => {
  const postgres = resources.use(await startOwnPostgres(true));
  roles = await giveTwoRoles(postgres.url);
  cli = resources.use(await Program.prepare({ DATABASE_URL: roles.program, ENCRYPTION_KEYS, BNB_RATES_URL: 'off' }));
});
afterAll(() => resources.disposeAsync());

const rowsOf = async (url: string, sql: string) => {
  const { pool, end } = openPool(url);
  return (await pool.query({ text: sql, rowMode: 'array' }).finally(end)).rows.flat();
};

test('before the owner has made the tables, the program says what to run, and makes nothing', async () => {
  const { code, err } = await cli.run(['connections']);

  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('run `orderbridge migrate` as the owner') });
  expect(err).not.toContain('ENCRYPTION_KEYS');
  expect(await rowsOf(roles.superuser, `select nspname from pg_namespace where nspname in ('bridge', 'jobs', 'compliance', 'bullmq')`)).toEqual([]);
});

test('the owner’s command makes the tables, and does nothing when they are up to date', async () => {
  const made = 'Up to date: the schemas bridge, jobs, compliance, bullmq.\n';
  const owner = { env: { DATABASE_URL: roles.owner } };

  expect(await cli.run(['migrate'], owner)).toMatchObject({ code: 0, out: made });
  expect(await cli.run(['migrate'], owner)).toMatchObject({ code: 0, out: made });
  expect(await cli.run(['migrate'])).toMatchObject({ code: 0, out: made });
});

test('a role that was granted nothing is told which file grants it', async () => {
  await runSql(roles.superuser, `create role stranger login password 'stranger'`);
  const stranger = Object.assign(new URL(roles.owner), { username: 'stranger', password: 'stranger' }).href;

  expect(await cli.run(['connections'], { env: { DATABASE_URL: stranger } })).toMatchObject({ code: 1, err: expect.stringContaining('docs/grants.sql') });
});

test('the program takes, records, files, shows and erases with its own role', async () => {
  await using bridge = await Bridge.start({ databaseUrl: roles.program, config: appConfig });
  const it = { bridge };
  const shop = await ownShop(it);
  const connected = await bridge.connect({ platform: 'shopify', settings: shopifySettings, store: SHOP, shopId: shop.shopId });

  expect((await sendToShop(bridge, connected, ['orders/paid', shopifyBody(PAID)])).status).toBe(200);
  await bridge.settled(connected, ORDER, 'recorded');
  expect(await standingIn(it, shop)).toHaveLength(1);

  const pool = createPool({ url: roles.program, schema: 'compliance', max: 6, onError: () => undefined });
  const [month] = await rowsOf(roles.superuser, `select to_char(max(month), 'YYYY-MM') from compliance.orders`);
  const later = () => new Date(Date.now() + 45 * 86_400_000);
  const audit = { pool, now: later, currency: null, replacementWaitMs: 0 };
  expect(await generateMonth(audit, { shopId: shop.shopId, month: String(month), now: true }).finally(() => pool.end())).toMatchObject({ kind: 'generated' });

  const owner = await signIn(bridge);
  for (const path of ['/console', '/console/orders', '/console/months', '/console/people', '/console/activity'])
    expect([path, (await owner.get(path)).status]).toEqual([path, 200]);
  expect(await owner.post('/console/people', { email: 'ani@shop.example', role: 'viewer' })).toMatchObject({
    status: expect.toSatisfy((code: number) => code < 400),
  });

  const redact = { shop_domain: SHOP, customer: { id: 1, email: 'maria.ivanova@example.com' }, orders_to_redact: [Number(ORDER)] };
  expect((await sendToShop(bridge, connected, ['customers/redact', redact])).status).toBe(200);
  const left = 'select (select count(*) from bridge.customers where data is not null) + (select count(*) from compliance.orders where customer is not null)';
  await until(async () => Number((await rowsOf(roles.superuser, left))[0]) === 0, { what: 'the buyer to be gone' });
});

test('doctor remarks on a role that may do more than it needs', async () => {
  const remark = async (url: string) => {
    const { out } = await cli.run(['doctor'], { env: { DATABASE_URL: url } });
    return out.split('\n').find((line) => line.includes('tables fit'));
  };

  expect(await remark(roles.program)).toMatch(/^ok .*tables fit this version, \d+ of \d+ connections open, a process opens 47 at most$/);
  expect(await remark(roles.owner)).toMatch(/^note .*may make tables/);
  expect(await remark(roles.superuser)).toMatch(/^note .*superuser/);
});

test('what a later version makes can be used by the program, and it can make nothing beside it', async () => {
  await runSql(
    roles.owner,
    `create table bridge.later (id int generated always as identity, n serial, words text); create schema afterwards;
     create function afterwards.one() returns int return 1; create table afterwards.counts (n int)`,
  );

  await runSql(
    roles.program,
    `insert into bridge.later (words) values ('a'); update bridge.later set words = 'b'; delete from bridge.later`,
    'insert into afterwards.counts select afterwards.one()',
  );
  for (const statement of [
    'create table bridge.mine ()',
    'create schema mine',
    'truncate bridge.later',
    'drop table bridge.later',
    `copy (select 1) to program 'id'`,
  ])
    await expect(runSql(roles.program, statement)).rejects.toThrow(/permission denied|must be owner/);
});

test('the program makes and drops days of bodies, and no other table', async () => {
  const days = `select relname from pg_class where relname like 'bodies\\_until\\_%' and relkind = 'r' order by 1`;
  const made = await rowsOf(roles.owner, days);
  await runSql(roles.owner, `drop table bridge.${made.at(-1)}`);

  await runSql(roles.program, 'select bridge.keep_days_of_bodies(null, 1)');
  expect(await rowsOf(roles.owner, days)).toEqual(made);
  await runSql(roles.program, `select bridge.keep_days_of_bodies('3000-01-01', 1)`);
  expect(await rowsOf(roles.owner, days)).toEqual(made);
  expect(await rowsOf(roles.owner, `select to_regclass('bridge.bodies_rest')::text`)).toEqual(['bridge.bodies_rest']);
  for (const statement of [`drop table bridge.${made[0]}`, 'create table bridge.bodies_until_30000101 partition of bridge.bodies default'])
    await expect(runSql(roles.program, statement)).rejects.toThrow(/permission denied|must be owner/);
});

test('the program enables the triggers of events with the first endpoint, those of notes with the first connection that wants them, and no other', async () => {
  expect(await rowsOf(roles.owner, TRIGGERS)).toEqual([]);

  const keep = 'select bridge.keep_order_triggers(false)';
  const insert = `insert into bridge.event_endpoints (url, secrets, with_buyers) values ('https://events.example/', '', false)`;
  await runSql(roles.program, `begin; ${insert}; select bridge.keep_order_triggers(true); commit`);
  expect(await rowsOf(roles.owner, TRIGGERS)).toEqual(['events_when_changed', 'events_when_made']);
  await runSql(roles.program, `update bridge.connections set settings = settings || '{"notes": true}'`, keep);
  expect(await rowsOf(roles.owner, TRIGGERS)).toEqual(['events_when_changed', 'events_when_made', 'notes_when_changed', 'notes_when_made']);
  await runSql(roles.program, 'delete from bridge.event_endpoints', 'update bridge.connections set closed_at = now()', keep);
  expect(await rowsOf(roles.owner, TRIGGERS)).toEqual([]);
  await expect(runSql(roles.program, 'alter table bridge.orders disable trigger all')).rejects.toThrow('must be owner');
});

test('the grants may be repeated, and hold for what was made before them', async () => {
  await runSql(roles.owner, 'revoke all on all tables in schema bridge from orderbridge');
  await expect(runSql(roles.program, 'select from bridge.orders')).rejects.toThrow('permission denied');

  await runSql(roles.superuser, await readFile(GRANTS, 'utf8'));

  await runSql(roles.program, 'select from bridge.orders');
});

test('behind a pooler the role must have the settings of ops/pooler.sql, and prepared statements must be managed', async () => {
  const pooled = { env: { DATABASE_URL: roles.program, DATABASE_DIRECT_URL: roles.program } };
  onTestFinished(() => runSql(roles.superuser, 'alter role orderbridge reset all'));

  expect(await cli.run(['connections'], pooled)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/search_path is .+, and must be bridge, jobs;.+pooler\.sql/),
  });

  await runSql(roles.superuser, await readFile(POOLER, 'utf8'));
  expect(await cli.run(['connections'], pooled)).toMatchObject({ code: 1, err: expect.stringContaining('PgBouncer 1.21 or newer') });
});

test('the embedded database gives the program a role that owns its database, and no more', async () => {
  await using directory = await scratchDir();
  await using embedded = await joinEmbeddedPostgres({ dataDir: directory.path, log: createLog({ level: 'silent', name: 'test' }), durable: false });

  const role = 'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = current_user';
  expect(await rowsOf(embedded.url, role)).toEqual([false, false, false]);
  await runSql(embedded.url, 'create schema mine');
  await expect(runSql(embedded.url, `copy (select 1) to program 'id'`)).rejects.toThrow('permission denied');
  expect((await stat(join(directory.path, 'postgres.superuser'))).mode & 0o777).toBe(0o600);
});
