import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { Secret } from '../../src/config/secret.ts';
import { generateMonth } from '../../src/service/audit/month/generate-month.ts';
import { startOwnPostgres } from '../support/servers/own-postgres.ts';
import { NO_PGBOUNCER, startPgBouncer, type TestPgBouncer } from '../support/servers/pgbouncer.ts';
import { Program } from '../support/servers/program.ts';
import { startRedis } from '../support/servers/redis.ts';
import { giveTwoRoles, POOLER, runSql, type TwoRoles } from '../support/servers/two-roles.ts';
import { Bridge, ENCRYPTION_KEYS, orderOf } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { ownShop, standingIn } from '../support/worlds/own-service.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, refundedInFull, totals } from '../support/worlds/world.ts';

const ORDERS = 200;

type Pooled = { pooler: TestPgBouncer; roles: TwoRoles; databaseUrl: string; config: Pick<Config, 'database'> } & AsyncDisposable;

/** A database whose owner made the tables, and PgBouncer before the program's role; null: there is no PgBouncer. */
async function startPooled(): Promise<Pooled | null> {
  await using setup = new AsyncDisposableStack();
  const postgres = setup.use(await startOwnPostgres(true));
  const roles = await giveTwoRoles(postgres.url);
  const pooler = await startPgBouncer(roles.program);
  if (pooler === null) return null;
  setup.use(pooler);
  await using owner = await Program.prepare({ DATABASE_URL: roles.owner, ENCRYPTION_KEYS });
  expect(await owner.run(['migrate', '--service'])).toMatchObject({ code: 0 });
  await runSql(roles.superuser, await readFile(POOLER, 'utf8'));
  const config = { database: { kind: 'external', url: new Secret(pooler.url), directUrl: new Secret(roles.program) } } as const;
  const owned = setup.move();
  return { pooler, roles, databaseUrl: pooler.url, config, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const IDS = Array.from({ length: ORDERS }, (_, n) => n + 1);
/** What becomes of an order, as its living records say it. */
const wanted = (id: number): string => (id % 5 === 0 ? '' : id % 7 === 0 ? '30.00' : '48.00');
const later: Record<string, (id: string, minute: number) => Record<string, unknown>> = {
  '': refundedInFull,
  '30.00': (id, minute) => edited(id, minute, '30.00'),
};

test('200 orders with refunds through PgBouncer, with a killed worker and a killed PgBouncer: each is recorded once', { timeout: 300_000 }, async (context) => {
  const pooled = await startPooled();
  if (pooled === null) return context.skip(NO_PGBOUNCER);
  await using _ = pooled;
  const { pooler, roles, databaseUrl, config } = pooled;
  await using redis = await startRedis({ appendFsync: 'everysec' });
  await using it = await Deployment.start({ databaseUrl, redisUrl: redis.url, more: { config, env: { DATABASE_DIRECT_URL: roles.program } } });
  await it.worker();
  await it.startWorker();
  const happens: Record<number, () => Promise<unknown>> = {
    50: () => it.killWorker(),
    100: () => pooler.kill(),
    120: () => pooler.start(),
    140: () => it.worker(),
  };

  for (const id of IDS) {
    expect(await it.send(orderOf(String(id)))).toBe(200);
    await happens[id]?.();
  }
  for (const id of IDS) await it.settled(String(id), 'recorded');
  for (const id of IDS) {
    const order = later[wanted(id)]?.(String(id), 10);
    if (order !== undefined) expect(await it.send(order)).toBe(200);
  }
  const current = () => IDS.map((id) => totals(it.service, String(id)).join());
  await until(() => current().join('|') === IDS.map(wanted).join('|'), { what: 'the changes and refunds to be recorded' });
  for (const id of IDS) await it.settled(String(id), wanted(id) === '' ? 'removed' : 'recorded');

  expect(current()).toEqual(IDS.map(wanted));
  const [servers = [], clients = []] = await Promise.all(['show servers', 'show clients'].map((statement) => pooler.console(statement)));
  const ours = (rows: typeof servers) => rows.filter(({ database }) => database === 'orderbridge');
  expect(ours(servers).length).toBeLessThanOrEqual(6);
  expect(ours(clients).length).toBeGreaterThan(ours(servers).length);
  expect(ours(servers).some(({ prepared_statements: prepared }) => Number(prepared) > 5)).toBe(true);
});

test('our own service, its files and the queue in PostgreSQL work through PgBouncer, and what it lacks is said in words', {
  timeout: 180_000,
}, async (context) => {
  const pooled = await startPooled();
  if (pooled === null) return context.skip(NO_PGBOUNCER);
  await using _ = pooled;
  const { pooler, roles, databaseUrl, config } = pooled;
  const variables = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: roles.program, ENCRYPTION_KEYS, BNB_RATES_URL: 'off' };
  await using cli = await Program.prepare(variables);
  await using bridge = await Bridge.start({ databaseUrl, config });
  const shop = await ownShop({ bridge });
  const connected = await bridge.connect({ shopId: shop.shopId });
  const ids = Array.from({ length: 20 }, (_, n) => String(n + 1));
  for (const id of ids) expect(await bridge.send(connected, 'order.paid', { order: orderOf(id) })).toBe(200);
  for (const id of ids) await bridge.settled(connected, id, 'recorded');
  expect(await bridge.send(connected, 'order.updated', { order: refundedInFull('1', 10) })).toBe(200);
  await bridge.settled(connected, '1', 'removed');
  expect(await standingIn({ bridge }, shop)).toHaveLength(ids.length - 1);

  // Another process changed it, and this one hears of it past the pooler.
  expect((await cli.spawn(['disconnect', connected.connection.id])).code).toBe(0);
  await until(async () => (await bridge.send(connected, 'order.paid', { order: orderOf('late') })) !== 200, { what: 'webhooks to be refused' });
  expect((await cli.run(['doctor'])).out).toMatch(/tables fit this version, \d+ of \d+ connections open/);
  const pool = bridge.app.core.openPool();
  const audit = { pool, now: () => new Date(Date.now() + 45 * 86_400_000), currency: null, replacementWaitMs: 0 };
  const month = String(orderOf('1')['paidAt']).slice(0, 7);
  expect(await generateMonth(audit, { shopId: shop.shopId, month, now: true }).finally(() => pool.end())).toMatchObject({ kind: 'generated' });

  const elsewhere = Object.assign(new URL(roles.program), { pathname: '/template1' }).href;
  expect(await cli.run(['connections'], { env: { DATABASE_DIRECT_URL: elsewhere } })).toMatchObject({
    code: 1,
    err: expect.stringContaining('is another database'),
  });
  await pooler.set('max_prepared_statements', '0');
  expect(await cli.run(['connections'])).toMatchObject({ code: 1, err: expect.stringContaining('max_prepared_statements above 0') });
  await runSql(roles.superuser, 'alter role orderbridge reset search_path');
  await pooler.console('reconnect');
  expect(await cli.run(['connections'])).toMatchObject({ code: 1, err: expect.stringContaining('search_path is') });
});
