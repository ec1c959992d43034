import { expect, test } from 'vitest';
import { startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const ORDERS = 400;
const AT_ONCE = 40;

/** Of the entries of all indexes of orders. */
const READ = `select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname = 'orders'`;

test('a shop’s orders in a database without figures cost the same, however many it has: no statement reads all of them', async () => {
  await using postgres = await startPostgres();
  await using server = await startComplianceServer({ databaseUrl: postgres.url });
  const { service, baseUrl, pool } = server;
  await pool.query('alter table compliance.orders set (autovacuum_enabled = off)');
  const call = callerOf(baseUrl, await service.keys.create({ multiShop: true }));
  const shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
  const create = (n: number) =>
    call('POST', '/order', { body: orderDto(shopId, { internalId: `id-${n}`, internalNumber: `#${n}`, transactionId: `pi_${n}` }) });

  for (let n = 0; n < ORDERS; n += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, one) => create(n + one)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }

  // A connection adds up what it has read once it is idle.
  await expect.poll(async () => (await pool.query(READ)).rows[0]?.read).toBeGreaterThan(ORDERS);
  expect((await pool.query(READ)).rows[0]?.read / ORDERS).toBeLessThan(10);
});
