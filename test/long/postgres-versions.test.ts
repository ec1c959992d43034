import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POSTGRES } from '../../src/bridge/ledger/migrate-ledger.ts';
import { createPool } from '../../src/platform/postgres/postgres.ts';
import { generateMonth } from '../../src/service/audit/month/generate-month.ts';
import { askPostgres } from '../support/servers/copied-postgres.ts';
import { otherPostgres } from '../support/servers/other-postgres.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { Program } from '../support/servers/program.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { Bridge, ENCRYPTION_KEYS, orderOf } from '../support/worlds/bridge.ts';
import { ownShop } from '../support/worlds/own-service.ts';
import { until } from '../support/worlds/settled.ts';
import { edited, refundedInFull } from '../support/worlds/world.ts';

const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17'];
const TOO_OLD = '14.23.0-beta.17';
const ORDERS = 30;

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis[Symbol.asyncDispose]());

test('the embedded PostgreSQL is the newest that is supported, and the others are those of the matrix', async () => {
  await using postgres = await startPostgres();
  const [row] = await askPostgres(postgres.url, "select current_setting('server_version_num')::int / 10000 as major");
  const majors = VERSIONS.map((version) => Number.parseInt(version, 10));
  expect([...majors, row?.['major']]).toEqual(Array.from({ length: POSTGRES.newest - POSTGRES.oldest + 1 }, (_, n) => POSTGRES.oldest + n));
});

describe.each(VERSIONS)('PostgreSQL %s', (version) => {
  test.for(['Redis', 'PostgreSQL'])('tables, orders, changes, a crash and commands, with the queue on %s', { timeout: 300_000 }, async (queue, context) => {
    const server = await otherPostgres(version);
    if (server === null) return context.skip('no registry of packages answers');
    await using _ = server;
    await redis.flush();
    const where = queue === 'Redis' ? { redisUrl: redis.url } : {};
    await using bridge = await Bridge.start({ databaseUrl: server.url, ...where });
    await using cli = await Program.prepare({ DATABASE_URL: server.url, ENCRYPTION_KEYS, ...(queue === 'Redis' ? { REDIS_URL: redis.url } : {}) });
    const { shopId } = await ownShop({ bridge });
    const connected = await bridge.connect({ shopId });
    const send = (order: Record<string, unknown>) =>
      until(async () => expect(await bridge.send(connected, 'order.updated', { order })).toBe(200), { what: 'a webhook to be taken' });
    const ids = Array.from({ length: ORDERS }, (_, n) => String(n + 1));
    for (const [n, id] of ids.entries()) {
      await send(orderOf(id));
      if (n === ORDERS / 2) await server.crash();
    }
    for (const id of ids) await bridge.settled(connected, id, 'recorded');
    await send(edited('1', 10, '30.00'));
    await send(refundedInFull('2', 10));
    await bridge.settled(connected, '2', 'removed');
    await until(async () => expect(await recorded(server.url)).toContain('1: 30'), { what: 'the change to be recorded' });
    expect(await recorded(server.url)).toEqual(
      ids
        .filter((id) => id !== '2')
        .map((id) => `${id}: ${id === '1' ? 30 : 48}`)
        .toSorted(),
    );

    const { out } = await cli.run(['doctor']);
    expect(out).toMatch(new RegExp(`PostgreSQL ${version.split('.').slice(0, 2).join('.')}`));
    for (const command of ['status', 'orders', 'review', 'connections', 'activity', 'jobs list', 'resume', 'service shops list', 'service receipts list']) {
      expect((await cli.run([...command.split(' '), '--json'])).err).not.toMatch(/syntax|does not exist/);
    }
    const pool = createPool({ url: server.url, schema: 'compliance', max: 6, onError: () => undefined });
    const audit = { pool, now: () => new Date(Date.now() + 45 * 86_400_000), currency: null, replacementWaitMs: 0 };
    const [listed] = await askPostgres(server.url, "select to_char(max(month), 'YYYY-MM') as month from compliance.orders");
    expect(await generateMonth(audit, { shopId, month: String(listed?.['month']), now: true }).finally(() => pool.end())).toMatchObject({ kind: 'generated' });
  });
});

async function recorded(url: string): Promise<string[]> {
  return (await askPostgres(url, "select internal_id || ': ' || total::float8 as text from compliance.orders")).map(({ text }) => String(text)).toSorted();
}

test('PostgreSQL 14 is refused in words', async (context) => {
  const server = await otherPostgres(TOO_OLD);
  if (server === null) return context.skip('no registry of packages answers');
  await using _ = server;
  await using cli = await Program.prepare({ DATABASE_URL: server.url, ENCRYPTION_KEYS });
  expect(await cli.run(['status'])).toMatchObject({ out: expect.stringMatching(/PostgreSQL 14\.\d+ is too old: orderbridge needs 15 to 18/) });
});
